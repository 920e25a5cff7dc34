package io.idgen.cli.compare.verdict;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.compare.result.InsertOutcome;
import io.idgen.cli.compare.result.OutageOutcome;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.compare.result.Texts;
import io.idgen.cli.measure.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An earlier comparison, and what has changed since.
 *
 * @param started the start of the earlier comparison
 * @param conditions the conditions that differ between the runs and can explain different figures
 * @param changes the figures of both comparisons
 * @param agreement whether the two comparisons agree
 */
public record Baseline(String started, List<String> conditions, List<Change> changes, Agreement agreement) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    // two processes on a quiet machine differ by less than that
    private static final double NOTEWORTHY = 1.1;
    // chance decides how many ids of a block remain when an outage begins
    private static final double SHARE_OF_OUTAGE = 0.1;

    /**
     * A figure of both comparisons.
     *
     * @param figure the name of the figure, with its unit
     * @param result whether it has changed
     * @param text the change in words
     */
    public record Change(String strategy, String figure, Span before, Span after, Result result, String text) {
        /** Returns whether the intervals overlap; without intervals, whether the values differ by at most a tenth. */
        boolean agrees() {
            return before.isInterval() || after.isInterval() ? before.overlaps(after) : result == Result.SAME;
        }
    }

    /** A figure with its interval; both bounds are the figure if it has none. */
    public record Span(double value, double low, double high) {
        static Span of(double value) {
            return new Span(value, value, value);
        }

        static Span of(Speed speed) {
            return new Span(speed.median(), speed.low(), speed.high());
        }

        private boolean isInterval() {
            return low < high;
        }

        private boolean overlaps(Span other) {
            return low <= other.high && other.low <= high;
        }
    }

    /** Whether a figure has changed. */
    public enum Result {
        BETTER,
        WORSE,
        SAME,
        NOT_COMPARABLE
    }

    /** Reads the JSON of an earlier comparison. */
    public static Comparison read(Path file) {
        try {
            JsonNode json = JSON.readTree(Files.readString(file));
            if (json.path("version").asInt(0) != Comparison.VERSION) {
                throw new BadInputException("--baseline " + file + " must be the output of compare --json of version "
                        + Comparison.VERSION + ", got version "
                        + json.path("version").asString("none"));
            }
            return JSON.treeToValue(json, Comparison.class);
        } catch (IOException e) {
            throw new BadInputException("--baseline " + file + " cannot be read (" + e + ")", e);
        } catch (JacksonException e) {
            throw new BadInputException(
                    "--baseline " + file + " must be the output of compare --json (" + e.getOriginalMessage() + ")", e);
        }
    }

    /** Compares with an earlier comparison. */
    static Baseline of(Comparison before, Comparison after) {
        List<Change> changes = new ArrayList<>();
        for (Strategy now : after.strategies()) {
            before.strategies().stream()
                    .filter(old -> old.name().equals(now.name()) && old.failure() == null && now.failure() == null)
                    .forEach(old -> {
                        boolean speeds = Stream.of(before, after)
                                .noneMatch(comparison -> comparison.load().tooHigh());
                        speed(changes, now.name(), "ids/s", old.speed(), now.speed(), speeds);
                        speed(
                                changes,
                                now.name(),
                                "rows/s",
                                old.inserts() == null ? null : old.inserts().speed(),
                                now.inserts() == null ? null : now.inserts().speed(),
                                speeds);
                        count(
                                changes,
                                now.name(),
                                "SQL round trips per 1,000 ids",
                                old.roundTripsPerThousand(),
                                now.roundTripsPerThousand());
                        available(changes, now.name(), old.outage(), now.outage());
                        indexSize(changes, now.name(), old.inserts(), now.inserts());
                    });
        }
        return new Baseline(before.started(), conditions(before, after), changes, Agreement.of(before, after, changes));
    }

    private static List<String> conditions(Comparison before, Comparison after) {
        List<String> differences = new ArrayList<>();
        differ(
                differences,
                "database",
                before.environment().database(),
                after.environment().database());
        differ(
                differences,
                "processor",
                before.environment().cpu(),
                after.environment().cpu());
        differ(
                differences,
                "Java",
                before.environment().java(),
                after.environment().java());
        differ(
                differences,
                "threads",
                before.conditions().threads(),
                after.conditions().threads());
        differ(
                differences,
                "instances",
                before.conditions().instances(),
                after.conditions().instances());
        differ(
                differences,
                "rows",
                before.conditions().rows(),
                after.conditions().rows());
        differ(
                differences,
                "milliseconds at full speed",
                before.conditions().fullSpeedMillis(),
                after.conditions().fullSpeedMillis());
        differ(
                differences,
                "settings",
                before.conditions().settings(),
                after.conditions().settings());
        return differences;
    }

    private static void differ(List<String> differences, String name, Object before, Object after) {
        if (!before.equals(after)) {
            differences.add(name + ": " + before + " before, " + after + " now");
        }
    }

    private static void speed(
            List<Change> changes,
            String strategy,
            String figure,
            @Nullable Speed before,
            @Nullable Speed after,
            boolean isQuiet) {
        if (before != null && after != null) {
            boolean enough = Math.min(before.runs().size(), after.runs().size()) >= Estimate.ENOUGH;
            changes.add(
                    isQuiet && enough
                            ? change(strategy, figure, Span.of(before), Span.of(after), true, 0)
                            : new Change(
                                    strategy,
                                    figure,
                                    Span.of(before),
                                    Span.of(after),
                                    Result.NOT_COMPARABLE,
                                    isQuiet
                                            ? "not comparable: too few rounds for an interval"
                                            : "not comparable: other processes kept the machine too busy"));
        }
    }

    /** A figure for which a lower value is better. */
    private static void count(
            List<Change> changes, String strategy, String figure, @Nullable Double before, @Nullable Double after) {
        if (before != null && after != null) {
            changes.add(change(strategy, figure, Span.of(before), Span.of(after), false, 0));
        }
    }

    private static void available(
            List<Change> changes, String strategy, @Nullable OutageOutcome before, @Nullable OutageOutcome after) {
        if (before != null && after != null) {
            changes.add(change(
                    strategy,
                    "available during outage, s",
                    Span.of(before.servedSeconds()),
                    Span.of(after.servedSeconds()),
                    true,
                    SHARE_OF_OUTAGE * Math.min(before.seconds(), after.seconds())));
        }
    }

    private static void indexSize(
            List<Change> changes, String strategy, @Nullable InsertOutcome before, @Nullable InsertOutcome after) {
        if (before != null && after != null) {
            String figure = "index size, bytes";
            Span was = Span.of(before.indexBytes());
            Span is = Span.of(after.indexBytes());
            changes.add(
                    before.rows() == after.rows()
                            ? change(strategy, figure, was, is, false, 0)
                            : new Change(
                                    strategy,
                                    figure,
                                    was,
                                    is,
                                    Result.NOT_COMPARABLE,
                                    "not comparable: another number of rows was inserted"));
        }
    }

    /**
     * Judges a figure.
     *
     * @param chance by how much it differs by chance
     */
    private static Change change(
            String strategy, String figure, Span before, Span after, boolean moreIsBetter, double chance) {
        boolean more = after.low() > before.high() + chance && after.value() > NOTEWORTHY * before.value();
        boolean less = before.low() > after.high() + chance && before.value() > NOTEWORTHY * after.value();
        String text = !more && !less
                ? Verdict.NO_DIFFERENCE
                : before.value() == 0
                        ? "0 before"
                        : String.format(Locale.ROOT, "%.2f times", after.value() / before.value());
        Result result = !more && !less ? Result.SAME : more == moreIsBetter ? Result.BETTER : Result.WORSE;
        return new Change(strategy, figure, before, after, result, text);
    }

    /** Returns the changes, for a terminal. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("Since " + started + ":");
        conditions.forEach(condition -> lines.add("  other conditions: " + condition));
        changes.stream()
                .filter(change -> change.result() != Result.SAME)
                .forEach(change -> lines.add("  " + change.strategy() + ", " + change.figure() + ": "
                        + Texts.rate(change.before().value()) + " -> "
                        + Texts.rate(change.after().value()) + " ("
                        + (change.result() == Result.NOT_COMPARABLE
                                ? change.text()
                                : change.text() + ", " + change.result().name().toLowerCase(Locale.ROOT))
                        + ")"));
        long same = changes.stream()
                .filter(change -> change.result() == Result.SAME)
                .count();
        lines.add("  no difference measured in " + same + " of " + changes.size() + " figures");
        agreement.lines().forEach(line -> lines.add("  " + line));
        return String.join("\n", lines);
    }
}
