package io.idgen.cli.choose;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code idgen choose}: recommends a strategy and its settings. */
@Command(
        name = "choose",
        description = "Recommends a strategy, its layout and its settings. Asks up to six questions in a terminal; each"
                + " question has an option.")
public final class Choose implements Callable<Integer> {
    @Mixin
    private Output output = new Output();

    @Option(
            names = "--writers",
            paramLabel = "<idgen|others>",
            description = "Who inserts into the tables: idgen alone, or others too.")
    private @Nullable String writers;

    @Option(names = "--ids", paramLabel = "<numbers|texts>", description = "Whether ids are numbers or texts.")
    private @Nullable String ids;

    @Option(
            names = "--processes",
            paramLabel = "<n>",
            description = "How many processes generate ids at the same time, at most " + Needs.MOST_PROCESSES + ".")
    private @Nullable String processes;

    @Option(
            names = "--outage",
            paramLabel = "<duration>",
            description = "How long the database may be away while ids are needed, for example 0s, 90s, 5min or 2h.")
    private @Nullable String outage;

    @Option(names = "--short", paramLabel = "<yes|no>", description = "Whether ids must be short.")
    private @Nullable String isShort;

    @Option(
            names = "--public",
            paramLabel = "<yes|no>",
            description = "Whether ids are shown outside your company, for example in links.")
    private @Nullable String leaveTheHouse;

    /** Called by picocli. */
    public Choose() {}

    @Override
    public Integer call() throws IOException {
        Questions questions = new Questions(
                System.console() == null
                        ? null
                        : new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())),
                output.err());
        Needs needs = questions.ask(writers, ids, processes, outage, isShort, leaveTheHouse);
        Choice choice = Choice.of(needs);
        if (output.isJson()) {
            output.json(choice);
        } else {
            output.print(text(choice));
        }
        return 0;
    }

    private static String text(Choice choice) {
        List<String> lines = new ArrayList<>();
        lines.add("Use " + choice.strategy() + (choice.layout().isEmpty() ? "" : ", layout " + choice.layout()) + ":");
        choice.reasons().forEach(reason -> lines.add("  + " + reason));
        choice.costs().forEach(cost -> lines.add("  - " + cost));
        lines.add("");
        lines.add("Settings:");
        lines.add(choice.settings().entrySet().stream()
                .map(setting -> "  " + setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining("\n")));
        return String.join("\n", lines);
    }

    /** Parses one of two words. */
    static boolean isSecond(String option, String value, String first, String second) {
        if (!List.of(first, second).contains(value)) {
            throw new BadInputException(option + " must be " + first + " or " + second + ", got '" + value + "'");
        }
        return value.equals(second);
    }

    /** Parses a whole number. */
    static int number(String option, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new BadInputException(option + " must be a whole number, got '" + value + "'", e);
        }
    }

    /** Parses a duration with its unit. */
    static Duration duration(String option, String value) {
        Map<String, Duration> units = Map.of(
                "s", Duration.ofSeconds(1),
                "min", Duration.ofMinutes(1),
                "h", Duration.ofHours(1),
                "d", Duration.ofDays(1));
        String unit = value.replaceFirst("^\\d{1,6}", "");
        Duration one = units.get(unit);
        if (one == null || unit.length() == value.length()) {
            throw new BadInputException(
                    option + " must be a number with s, min, h or d, for example 90s, got '" + value + "'");
        }
        return one.multipliedBy(Long.parseLong(value.substring(0, value.length() - unit.length())));
    }
}
