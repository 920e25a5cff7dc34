package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.Output;
import io.idgen.core.inspect.IdInspector;
import io.idgen.core.inspect.InspectedId;
import io.idgen.core.inspect.Verdict;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Decodes ids with one layout, or with each preset that could have generated them. Also compares several ids. */
@Command(
        name = "inspect",
        description = "Shows the time, worker and sequence of ids. Compares two ids, and explains equal ones."
                + " Exit code 1 if ids are equal.")
final class Inspect implements Callable<Integer> {

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Mixin
    private GivenIds ids = new GivenIds();

    @Option(
            names = "--zone",
            paramLabel = "<zone>",
            defaultValue = "UTC",
            description = "The time zone for output, for example Asia/Shanghai. Default: ${DEFAULT-VALUE}.")
    private String zone = "UTC";

    @Override
    public Integer call() {
        List<Long> numbers = ids.numbers();
        IdInspector inspector = new IdInspector(idgen.clock());
        Optional<SnowflakeLayout> given = layout.given();
        List<List<InspectedId>> readings = numbers.stream()
                .map(id -> given.map(l -> List.of(checked(inspector.inspect(id, l))))
                        .orElseGet(() -> plausible(inspector, id)))
                .toList();
        if (output.isJson()) {
            List<IdJson> all =
                    readings.stream().flatMap(List::stream).map(IdJson::of).toList();
            output.json(given.isPresent() && all.size() == 1 ? all.get(0) : all);
        } else {
            output.print(readings.stream()
                    .distinct()
                    .map(given.isPresent() ? r -> r.get(0).drawing(zone()) : this::table)
                    .collect(Collectors.joining("\n\n")));
            verdict(inspector, numbers, readings).ifPresent(text -> output.print("\n" + text));
        }
        return new HashSet<>(numbers).size() < numbers.size() ? ExitCodes.FOUND : ExitCodes.OK;
    }

    private InspectedId checked(InspectedId inspected) {
        if (!inspected.plausible()) {
            throw new BadInputException("id " + inspected + ", which is more than a day from now: no id can have this"
                    + " time yet; omit --layout to see which layouts are possible, or correct --epoch or the clock");
        }
        return inspected;
    }

    private static List<InspectedId> plausible(IdInspector inspector, long id) {
        List<InspectedId> readings = inspector.inspect(id);
        if (readings.isEmpty()) {
            throw new BadInputException("id " + id + " cannot be of any preset ("
                    + String.join(", ", SnowflakeLayout.presets().keySet())
                    + ") yet; set its layout with --layout and --epoch, for example --layout 41-10-12 --epoch"
                    + " 2016-01-01T00:00:00Z");
        }
        return readings;
    }

    private ZoneId zone() {
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new BadInputException(
                    "--zone must be a name like Asia/Shanghai or an offset like +08:00, got '" + zone + "'", e);
        }
    }

    /** One line for each layout that could have generated the id. */
    private String table(List<InspectedId> readings) {
        String lines = readings.stream()
                .map(reading -> String.format("  %-10s %s", Layouts.name(reading.layout()), reading.text(zone())))
                .collect(Collectors.joining("\n"));
        return readings.get(0).id() + " can be an id of\n" + lines
                + "\nThe id does not contain its layout. --layout <one of them> shows its bits.";
    }

    /**
     * The verdict on equal ids, or on two different ones. Without --layout, it uses the first layout that all ids have
     * in common.
     */
    private Optional<String> verdict(IdInspector inspector, List<Long> numbers, List<List<InspectedId>> readings) {
        Set<Long> once = new HashSet<>();
        List<Long> repeated = numbers.stream().filter(id -> !once.add(id)).toList();
        if (repeated.isEmpty() && numbers.size() != 2) {
            return Optional.empty();
        }
        List<Long> looked = repeated.isEmpty() ? numbers : repeated;
        return readings.get(0).stream()
                .map(InspectedId::layout)
                .filter(l -> readings.stream()
                        .allMatch(r -> r.stream().anyMatch(i -> i.layout().equals(l))))
                .findFirst()
                .map(l -> {
                    Verdict verdict = repeated.isEmpty()
                            ? inspector.compare(looked.get(0), looked.get(1), l)
                            : inspector.duplicates(looked, l);
                    return (layout.given().isPresent() ? "" : "If their layout is " + Layouts.name(l) + ": ")
                            + verdict.text();
                });
    }
}
