package io.idgen.cli;

import io.idgen.cli.analysis.LoadCurve;
import io.idgen.cli.analysis.StreamAnalysis;
import io.idgen.cli.analysis.StreamAnalyzer;
import io.idgen.cli.analysis.WorkerActivity;
import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.core.layout.SnowflakeLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
            names = "--bucket",
            paramLabel = "<millis>",
            description = "The time per point of the load curve. The default is the shortest time that gives at most "
                    + StreamAnalyzer.MOST_POINTS + " points.")
    private @Nullable Long bucketMillis;

    @Option(
            names = "--skip-bad-lines",
            description = "Skip lines that are not a decimal number, such as a header, and print how many there were.")
    private boolean skipsBadLines;

    private long badLines;
    private String firstBadLine = "";

    @Override
    public Integer call() {
        SnowflakeLayout chosen = layout.orDefault();
        StreamAnalysis analysis = read(
                bucketMillis == null
                        ? new StreamAnalyzer(chosen, idgen.clock())
                        : new StreamAnalyzer(chosen, idgen.clock(), Duration.ofMillis(bucketMillis)));
        if (badLines > 0) {
            output.hint(badLines + (badLines == 1 ? " line" : " lines") + " skipped: " + firstBadLine);
        }
        if (analysis.ids() == 0) {
            throw none(analysis);
        }
        if (output.isJson()) {
            output.json(AnalysisJson.of(analysis));
        } else {
            output.print(analysis.toString());
            output.print(curves(analysis));
        }
        boolean clean = analysis.duplicates().count() == 0 && analysis.outside().count() == 0;
        return clean ? ExitCodes.OK : ExitCodes.FOUND;
    }

    private StreamAnalysis read(StreamAnalyzer analyzer) {
        boolean fromFile = !file.equals("-");
        String name = fromFile ? file : "standard input";
        try (InputStream in = fromFile ? Files.newInputStream(Path.of(file)) : idgen.in()) {
            return analyzer.analyze(
                    new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1)), name, this::badLine);
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

    /** Returns the load curves of all ids and of the busiest workers, each scaled to its own peak. */
    private static String curves(StreamAnalysis analysis) {
        String workers = analysis.workers().stream()
                .sorted(Comparator.comparingLong(WorkerActivity::ids).reversed())
                .limit(MOST_CURVES)
                .map(worker -> curve("(" + worker.datacenter() + "," + worker.worker() + ")", worker.load())
                        + String.format(
                                Locale.ROOT,
                                ", ticks filled to %.1f %%",
                                100 * worker.saturation().highestShare()))
                .collect(Collectors.joining("\n"));
        Instant from = analysis.load().start();
        Instant to = analysis.load().startOf(analysis.load().ids().size());
        return "\nload over time, from " + from + " to " + to + ":\n" + curve("all", analysis.load()) + "\n" + workers;
    }

    private static String curve(String name, LoadCurve load) {
        List<Long> sums = sums(load.ids());
        long most = Math.max(1, Collections.max(sums));
        String points = sums.stream()
                .map(sum -> {
                    long level = sum == 0 ? 0 : Math.max(1, sum * (RAMP.length() - 1) / most);
                    return RAMP.substring((int) level, (int) level + 1);
                })
                .collect(Collectors.joining());
        long all = load.ids().stream().mapToLong(Long::longValue).sum();
        return String.format(Locale.ROOT, "%10s |%s| %d ids", name, points, all);
    }

    /** Adds the counts up to at most {@value #CURVE_WIDTH} points. */
    private static List<Long> sums(List<Long> ids) {
        int width = Math.min(CURVE_WIDTH, Math.max(1, ids.size()));
        long[] sums = new long[width];
        for (int i = 0; i < ids.size(); i++) {
            sums[(int) ((long) i * width / ids.size())] += ids.get(i);
        }
        return Arrays.stream(sums).boxed().toList();
    }
}
