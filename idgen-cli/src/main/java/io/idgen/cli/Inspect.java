package io.idgen.cli;

import io.idgen.cli.IdJson.Verdict;
import io.idgen.cli.analysis.Difference;
import io.idgen.cli.analysis.DuplicateCause;
import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.Output;
import io.idgen.cli.common.Resources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.awt.Desktop;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Decodes ids with one layout, or with each preset that could have generated them. Also compares several ids. */
@Command(
        name = "inspect",
        description = "Shows the time, worker and sequence of ids. Compares two ids, and explains equal ones."
                + " Exit code 1 if ids are equal, or one lies in the future.")
final class Inspect implements Callable<Integer> {

    /**
     * Doubles below 2^63 are at most 1,024 apart. Rounding moves an id by up to half of that, and printing by as much
     * again.
     */
    private static final int ROUNDED_BY = 1_024;

    private static final int DIGITS_OF_A_DOUBLE = 17;
    private static final String PAGE = "idgen-inspector.html";
    /** The most ids: the readings of all of them are in memory. */
    private static final int MOST = 10_000;

    /** The mask for the lowest bits of an id, which are the sequence in most layouts. */
    private static final int SEQUENCE = 0xfff;

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Mixin
    private GivenIds ids = new GivenIds();

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

    @Option(
            names = "--zone",
            paramLabel = "<zone>",
            defaultValue = "UTC",
            description = "The time zone for output, for example Asia/Shanghai. Default: ${DEFAULT-VALUE}.")
    private ZoneId zone = ZoneOffset.UTC;

    @Option(
            names = "--open",
            description = "Instead of decoding ids here, write the inspector, a page that decodes, generates and draws"
                    + " ids, to a temporary file, print its path, and open it in the browser.")
    private boolean open;

    @Override
    public Integer call() {
        if (open) {
            openPage();
            return ExitCodes.OK;
        }
        if (column != null) {
            if (ids.areGiven()) {
                throw new BadInputException("--column reads the ids of a table; leave out the ids, or --column");
            }
            return ColumnIds.of(database.dataSource(), column, layout, idgen.clock())
                    .print(output);
        }
        List<Long> numbers = ids.numbers(idgen.in(), MOST);
        IdInspector inspector = new IdInspector(idgen.clock());
        Optional<SnowflakeLayout> given = layout.given();
        List<List<InspectedId>> readings = numbers.stream()
                .map(id -> given.map(l -> List.of(inspector.inspect(id, l))).orElseGet(() -> all(inspector, id)))
                .toList();
        Optional<Verdict> verdict = verdict(inspector, numbers, readings);
        if (output.isJson()) {
            json(numbers, readings, verdict.orElse(null));
        } else {
            output.print(readings.stream()
                    .distinct()
                    .map(given.isPresent() ? r -> r.get(0).drawing(zone) : this::table)
                    .collect(Collectors.joining("\n\n")));
            verdict.ifPresent(judged -> output.print(
                    "\n" + (given.isPresent() ? "" : "If their layout is " + judged.layout() + ": ") + judged.text()));
        }
        numbers.stream().distinct().filter(Inspect::looksRounded).forEach(this::hintAtJavaScript);
        boolean future = readings.stream().anyMatch(r -> r.stream().noneMatch(InspectedId::plausible));
        return future || verdict.filter(Verdict::equal).isPresent() ? ExitCodes.FOUND : ExitCodes.OK;
    }

    private void openPage() {
        try {
            Path page =
                    Files.write(Files.createTempFile("idgen-inspector", ".html"), Resources.read(Inspect.class, PAGE));
            output.print(page.toString());
            if (Desktop.isDesktopSupported() && Desktop.getDesktop().isSupported(Desktop.Action.BROWSE)) {
                Desktop.getDesktop().browse(page.toUri());
            }
        } catch (IOException e) {
            throw new BadInputException("cannot write or open the page (" + e.getMessage() + ")", e);
        }
    }

    private void json(List<Long> numbers, List<List<InspectedId>> readings, @Nullable Verdict verdict) {
        List<IdJson> all =
                readings.stream().flatMap(List::stream).map(IdJson::of).toList();
        if (numbers.size() == 1) {
            output.json(layout.given().isPresent() ? all.get(0) : all);
        } else {
            output.json(new IdJson.Several(all, verdict));
        }
    }

    /**
     * Returns the presets for which the id is plausible; if there is none, all presets whose ids have that many bits.
     */
    private static List<InspectedId> all(IdInspector inspector, long id) {
        List<InspectedId> plausible = inspector.inspect(id);
        return plausible.isEmpty()
                ? SnowflakeLayout.presets().values().stream()
                        .filter(l -> id >>> Layouts.bits(l) == 0)
                        .map(l -> inspector.inspect(id, l))
                        .toList()
                : plausible;
    }

    /**
     * Returns whether JavaScript may have rounded the id: it writes a number above 2^53 with the fewest digits that
     * distinguish it from its neighbours, and then zeros. One id in thirty looks like that by chance, but hardly one at
     * the beginning of its tick.
     */
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

    /** Returns a line for each layout that could have generated the id. */
    private String table(List<InspectedId> readings) {
        boolean plausible = readings.get(0).plausible();
        String lines = readings.stream()
                .map(reading -> String.format("  %-10s %s", Layouts.name(reading.layout()), reading.text(zone)))
                .collect(Collectors.joining("\n"));
        return readings.get(0).id()
                + (plausible
                        ? " can be an id of\n" + lines
                                + "\nThe id does not contain its layout. --layout <one of them> shows its bits."
                        : " lies in the future for every preset:\n" + lines
                                + "\nIt has another layout or epoch (--layout, --epoch), or the clock that made it was"
                                + " wrong.");
    }

    /**
     * Returns the verdict on equal ids, or on two different ones. Without --layout, it uses the first layout that these
     * ids have in common.
     */
    private static Optional<Verdict> verdict(
            IdInspector inspector, List<Long> numbers, List<List<InspectedId>> readings) {
        Set<Long> once = new HashSet<>();
        List<Long> repeated = numbers.stream().filter(id -> !once.add(id)).toList();
        if (repeated.isEmpty() && numbers.size() != 2) {
            return Optional.empty();
        }
        List<Long> looked = repeated.isEmpty() ? numbers : repeated;
        List<List<InspectedId>> theirs =
                readings.stream().filter(r -> looked.contains(r.get(0).id())).toList();
        return theirs.get(0).stream()
                .map(InspectedId::layout)
                .filter(l -> theirs.stream()
                        .allMatch(r -> r.stream().anyMatch(i -> i.layout().equals(l))))
                .findFirst()
                .or(() -> Optional.of(SnowflakeLayout.IDGEN)) // can decode every number
                .map(l -> new Verdict(
                        !repeated.isEmpty(),
                        Layouts.name(l),
                        repeated.isEmpty()
                                ? new Difference(
                                                inspector.inspect(looked.get(0), l),
                                                inspector.inspect(looked.get(1), l))
                                        .text()
                                : new DuplicateCause(looked.stream()
                                                .distinct()
                                                .map(id -> inspector.inspect(id, l))
                                                .toList())
                                        .text()));
    }
}
