package io.idgen.cli;

import io.idgen.cli.analysis.IdLines;
import io.idgen.cli.analysis.StreamAnalysis;
import io.idgen.cli.analysis.StreamAnalysis.Evenness;
import io.idgen.cli.analysis.StreamAnalysis.Saturation;
import io.idgen.cli.analysis.StreamAnalysis.Worker;
import io.idgen.cli.analysis.StreamAnalyzer;
import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.core.internal.text.Durations;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Analyzes a file of ids. */
@Command(
        name = "analyze",
        description =
                "Analyzes ids, one decimal number per line: load over time and per worker, how full the busiest ticks"
                        + " are, order, duplicates, distribution over shards. Exit code 1 if there are duplicates, or"
                        + " numbers that cannot be ids of the layout.")
final class Analyze implements Callable<Integer> {
    private static final int CURVE_WIDTH = 60;
    private static final int MOST_CURVES = 16;
    private static final int MOST_NAMED = 8;
    private static final String RAMP = " .:-=+*#%@";

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Parameters(paramLabel = "<file>", description = "A file with the ids, or - for standard input.")
    private String file = "-";

    @Option(
            names = "--skip-bad-lines",
            description = "Skip lines that are not a decimal number, such as a header, and print how many there were.")
    private boolean skipsBadLines;

    private long badLines;
    private String firstBadLine = "";

    @Override
    public Integer call() {
        StreamAnalysis analysis = read(new StreamAnalyzer(layout.orDefault(), idgen.clock()));
        if (badLines > 0) {
            output.hint(badLines + (badLines == 1 ? " line" : " lines") + " skipped: " + firstBadLine);
        }
        if (analysis.ids() == 0) {
            throw none(analysis);
        }
        if (output.isJson()) {
            output.json(analysis);
        } else {
            output.print(text(analysis));
        }
        boolean clean = analysis.duplicates().count() == 0 && analysis.outside().count() == 0;
        return clean ? ExitCodes.OK : ExitCodes.FOUND;
    }

    private StreamAnalysis read(StreamAnalyzer analyzer) {
        boolean fromFile = !file.equals("-");
        // Latin-1 maps each byte to a character, so a line with anything but digits is refused in any encoding
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                fromFile ? Files.newInputStream(Path.of(file)) : idgen.in(), StandardCharsets.ISO_8859_1))) {
            IdLines.forEach(in, fromFile ? file : "standard input", analyzer::add, this::badLine);
            return analyzer.result();
        } catch (NoSuchFileException e) {
            throw new BadInputException("there is no file " + e.getFile() + "; name a file with one id per line", e);
        } catch (IOException e) {
            throw new BadInputException(
                    "cannot read " + file + " (" + e.getMessage() + "); name a file that this user may read", e);
        }
    }

    private void badLine(IllegalArgumentException bad) {
        if (!skipsBadLines) {
            throw new BadInputException(
                    bad.getMessage() + "; --skip-bad-lines leaves out and counts such lines, as a header", bad);
        }
        if (badLines == 0) {
            firstBadLine = String.valueOf(bad.getMessage());
        }
        badLines++;
    }

    private BadInputException none(StreamAnalysis analysis) {
        String where = file.equals("-") ? "standard input" : file;
        return new BadInputException(
                analysis.outside().count() == 0
                        ? where + " contains no ids; write one per line, as SELECT id FROM orders prints them"
                        : "none of the " + analysis.outside().count() + " numbers in " + where + ", such as "
                                + analysis.outside().first().get(0) + ", can be an id of layout "
                                + analysis.layout() + " yet; set their layout with --layout and --epoch");
    }

    private static String text(StreamAnalysis analysis) {
        Saturation saturation = analysis.saturation();
        return String.join(
                "\n",
                analysis.ids() + " ids of layout " + analysis.layout() + ", from " + analysis.first() + " to "
                        + analysis.last(),
                "load: at most " + Collections.max(analysis.load().ids()) + " ids in "
                        + Durations.text(Duration.ofMillis(analysis.load().bucketMillis())),
                "workers: " + workers(analysis),
                "sequence: highest " + saturation.highestSequence() + " of 0 to " + (saturation.idsPerTick() - 1) + ", "
                        + saturation.idsNearTheTop() + " ids in the top 1 %, at most " + saturation.mostInOneTick()
                        + " ids of one worker in one tick",
                String.format(
                        Locale.ROOT,
                        "inversions: %d (%.4f %%), largest step back %s",
                        analysis.inversions().count(),
                        100 * analysis.inversions().share(),
                        Durations.text(Duration.ofMillis(analysis.inversions().largestStepBackMillis()))),
                "duplicates: " + analysis.duplicates().count()
                        + (analysis.cause().isEmpty() ? "" : ". " + analysis.cause()),
                "outside: " + analysis.outside().count()
                        + analysis.outside().first().stream()
                                .findFirst()
                                .map(", such as "::concat)
                                .orElse(""),
                "evenness: ids in the fullest shard, divided by the average: "
                        + analysis.evenness().stream()
                                .filter(each -> Integer.bitCount(each.shards()) == 1)
                                .map(Analyze::skew)
                                .collect(Collectors.joining(", "))
                        + "; worst "
                        + analysis.evenness().stream()
                                .max(Comparator.comparingDouble(Evenness::fullestOverFairShare))
                                .map(Analyze::skew)
                                .orElseThrow(),
                "",
                "load over time, from " + analysis.load().start() + ":",
                curve("all", analysis.load().ids()),
                busiest(analysis, MOST_CURVES)
                        .map(worker -> curve("(" + worker.datacenter() + "," + worker.worker() + ")", worker.load())
                                + String.format(
                                        Locale.ROOT,
                                        ", ticks filled to %.1f %%",
                                        100 * worker.saturation().highestShare()))
                        .collect(Collectors.joining("\n")));
    }

    private static String skew(Evenness evenness) {
        return String.format(Locale.ROOT, "%.2f of %d", evenness.fullestOverFairShare(), evenness.shards());
    }

    private static Stream<Worker> busiest(StreamAnalysis analysis, int most) {
        return analysis.workers().stream()
                .sorted(Comparator.comparingLong(Worker::ids).reversed())
                .limit(most);
    }

    private static String workers(StreamAnalysis analysis) {
        int count = analysis.workers().size();
        return count + ": "
                + busiest(analysis, MOST_NAMED)
                        .map(worker -> "(" + worker.datacenter() + "," + worker.worker() + ") " + worker.ids())
                        .collect(Collectors.joining(", "))
                + (count > MOST_NAMED ? ", ..." : "")
                + (analysis.otherWorkersIds() == 0 ? "" : "; further workers " + analysis.otherWorkersIds());
    }

    /** Returns a load curve of at most {@value #CURVE_WIDTH} points, scaled to its own peak. */
    private static String curve(String name, List<Long> ids) {
        long[] sums = new long[Math.min(CURVE_WIDTH, ids.size())];
        for (int i = 0; i < ids.size(); i++) {
            sums[(int) ((long) i * sums.length / ids.size())] += ids.get(i);
        }
        long most = Math.max(1, Arrays.stream(sums).max().orElse(1));
        StringBuilder points = new StringBuilder();
        for (long sum : sums) {
            points.append(RAMP.charAt(sum == 0 ? 0 : (int) Math.max(1, sum * (RAMP.length() - 1) / most)));
        }
        return String.format(
                Locale.ROOT,
                "%10s |%s| %d ids",
                name,
                points,
                Arrays.stream(sums).sum());
    }
}
