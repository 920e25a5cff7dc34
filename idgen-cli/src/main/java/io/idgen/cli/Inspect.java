package io.idgen.cli;

import io.idgen.cli.analysis.DuplicateCause;
import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.Output;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.IdCodec;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Decodes ids with one layout, or with each preset that could have generated them. */
@Command(
        name = "inspect",
        description = "Shows the time, worker and sequence of ids, and explains equal ones."
                + " Exit code 1 if ids are equal, or one lies in the future.")
final class Inspect implements Callable<Integer> {

    /**
     * Doubles below 2^63 are at most 1,024 apart. Rounding moves an id by up to half of that, and printing by as much
     * again.
     */
    private static final int ROUNDED_BY = 1_024;

    private static final int DIGITS_OF_A_DOUBLE = 17;
    /** The mask for the lowest bits of an id, which are the sequence in most layouts. */
    private static final int SEQUENCE = 0xfff;

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(arity = "0..*", paramLabel = "<id>", description = "An id in decimal, or in hex with the prefix 0x.")
    private List<String> ids = List.of();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--column",
            paramLabel = "<table.column>",
            description =
                    "Instead of ids, read about 2,000 of this column, along its index, from the database of --url:"
                            + " which layouts and workers can have generated them, and whether the next id of --layout is above."
                            + " Exit code 1 if it is not.")
    private @Nullable String column;

    /**
     * The JSON form of a decoded id.
     *
     * @param id the id in decimal; a string, because JavaScript rounds integers above 2<sup>53</sup>
     * @param layout the preset's name, or widths and epoch
     * @param instant the time of the id, in UTC
     * @param datacenter the datacenter id; 0 if the layout has none
     * @param worker the worker id within the datacenter
     * @param sequence the sequence within the tick
     * @param plausible false if the time lies in the future
     */
    private record Decoded(
            String id, String layout, String instant, int datacenter, int worker, int sequence, boolean plausible) {
        static Decoded of(InspectedId inspected) {
            return new Decoded(
                    Long.toString(inspected.id()),
                    Layouts.name(inspected.layout()),
                    inspected.parts().time().toString(),
                    inspected.parts().datacenter(),
                    inspected.parts().worker(),
                    inspected.parts().sequence(),
                    inspected.plausible());
        }
    }

    @Override
    public Integer call() {
        if (column != null) {
            if (!ids.isEmpty()) {
                throw new BadInputException("--column reads the ids of a table; leave out the ids, or --column");
            }
            ColumnIds found = ColumnIds.of(database.dataSource(), column, layout, idgen.clock());
            output.show(found, found.text());
            return found.above() ? ExitCodes.OK : ExitCodes.FOUND;
        }
        if (ids.isEmpty()) {
            throw new BadInputException("no ids; give them as arguments, or name a column with --column; idgen analyze"
                    + " reads files and standard input");
        }
        List<Long> given = ids.stream().map(this::parse).toList();
        List<Long> numbers = given.stream().distinct().toList();
        IdInspector inspector = new IdInspector(idgen.clock());
        boolean isGiven = layout.given().isPresent();
        List<List<InspectedId>> readings =
                numbers.stream().map(id -> readings(inspector, id)).toList();
        List<Decoded> all =
                readings.stream().flatMap(List::stream).map(Decoded::of).toList();
        output.show(
                isGiven && all.size() == 1 ? all.get(0) : all,
                readings.stream()
                        .map(isGiven ? r -> r.get(0).drawing() : Inspect::table)
                        .collect(Collectors.joining("\n\n")));
        List<InspectedId> repeated = numbers.stream()
                .filter(id -> Collections.frequency(given, id) > 1)
                .map(id -> inspector.inspect(id, layout.orDefault()))
                .toList();
        if (!repeated.isEmpty()) {
            output.hint("if their layout is " + Layouts.name(layout.orDefault()) + ": "
                    + new DuplicateCause(repeated).text());
        }
        numbers.stream().filter(Inspect::looksRounded).forEach(this::hintAtJavaScript);
        boolean future = readings.stream().anyMatch(r -> r.stream().noneMatch(InspectedId::plausible));
        return future || !repeated.isEmpty() ? ExitCodes.FOUND : ExitCodes.OK;
    }

    private long parse(String text) {
        if (text.matches("--?[A-Za-z].*")) {
            throw new UnmatchedArgumentException(command.commandLine(), List.of(text));
        }
        if (text.matches("-\\d+")) {
            throw new BadInputException("an id is never negative, got " + text
                    + "; the program that wrote it has an overflow, or the number is a hash");
        }
        try {
            return text.matches("0[xX].*") ? Long.parseLong(text.substring(2), 16) : IdCodec.DECIMAL.decode(text);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(
                    "'" + text + "' is not an id in decimal, nor in hex with 0x: " + e.getMessage()
                            + "; compare it with its source",
                    e);
        }
    }

    /** Decodes an id with the given layout, each preset that could have generated it, or else all that fit. */
    private List<InspectedId> readings(IdInspector inspector, long id) {
        if (layout.given().isPresent()) {
            return List.of(inspector.inspect(id, layout.orDefault()));
        }
        List<InspectedId> plausible = inspector.inspect(id);
        return plausible.isEmpty()
                ? SnowflakeLayout.presets().values().stream()
                        .filter(preset -> id <= preset.largestId(preset.workers() - 1))
                        .map(preset -> inspector.inspect(id, preset))
                        .toList()
                : plausible;
    }

    /** Returns whether the id looks as if JavaScript or a spreadsheet had rounded it. */
    private static boolean looksRounded(long id) {
        BigDecimal exact = new BigDecimal((double) id);
        return id > 1L << SnowflakeLayout.JS_SAFE_BITS
                && (id & SEQUENCE) > DuplicateCause.LAST_OF_LIGHT_TRAFFIC
                && IntStream.rangeClosed(1, DIGITS_OF_A_DOUBLE)
                        .mapToObj(digits -> exact.round(new MathContext(digits)))
                        .filter(shorter -> shorter.doubleValue() == (double) id)
                        .limit(1)
                        .anyMatch(shortest -> shortest.compareTo(BigDecimal.valueOf(id)) == 0);
    }

    private void hintAtJavaScript(long id) {
        output.hint(id + " ends as JavaScript or a spreadsheet rounds it; if it came through one of them, look for the"
                + " true id from " + (id - ROUNDED_BY) + " to " + (id + ROUNDED_BY) + ", and send ids as strings");
    }

    private static String table(List<InspectedId> readings) {
        String lines = readings.stream()
                .map(reading -> String.format("  %-10s %s", Layouts.name(reading.layout()), reading.text()))
                .collect(Collectors.joining("\n"));
        return readings.get(0).id()
                + (readings.get(0).plausible()
                        ? " can be an id of\n" + lines
                                + "\nThe id does not contain its layout. --layout <one of them> shows its bits."
                        : " lies in the future for every preset:\n" + lines
                                + "\nIt has another layout or epoch (--layout, --epoch), or the clock that made it was"
                                + " wrong.");
    }
}
