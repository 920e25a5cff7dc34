package io.idgen.cli.compare.verdict;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.compare.result.Conditions;
import io.idgen.cli.compare.result.Environment;
import io.idgen.cli.compare.result.InsertOutcome;
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
        boolean isQuiet = Stream.of(before, after)
                .noneMatch(comparison -> comparison.load().tooHigh());
        for (Strategy now : after.strategies()) {
            before.strategies().stream()
                    .filter(old -> old.name().equals(now.name()) && old.failure() == null && now.failure() == null)
                    .flatMap(old -> changes(old, now, isQuiet))
                    .forEach(changes::add);
        }
        return new Baseline(before.started(), conditions(before, after), changes, Agreement.of(before, after, changes));
    }

    private static List<String> conditions(Comparison before, Comparison after) {
        List<String> differences = new ArrayList<>();
        Environment was = before.environment();
        Environment is = after.environment();
        differ(differences, "database", was.database(), is.database());
        differ(differences, "processor", was.cpu(), is.cpu());
        differ(differences, "Java", was.java(), is.java());
        Conditions then = before.conditions();
        Conditions now = after.conditions();
        differ(differences, "threads", then.threads(), now.threads());
        differ(differences, "instances", then.instances(), now.instances());
        differ(differences, "rows", then.rows(), now.rows());
        differ(differences, "milliseconds at full speed", then.fullSpeedMillis(), now.fullSpeedMillis());
        differ(differences, "settings", then.settings(), now.settings());
        return differences;
    }

    private static void differ(List<String> differences, String name, Object before, Object after) {
        if (!before.equals(after)) {
            differences.add(name + ": " + before + " before, " + after + " now");
        }
    }

    private static Stream<Change> changes(Strategy old, Strategy now, boolean isQuiet) {
        List<Change> changes = new ArrayList<>();
        String name = now.name();
        if (old.speed() != null && now.speed() != null) {
            changes.add(speed(name, "ids/s", old.speed(), now.speed(), isQuiet));
        }
        InsertOutcome inserted = old.inserts();
        InsertOutcome inserts = now.inserts();
        if (inserted != null && inserts != null) {
            changes.add(speed(name, "rows/s", inserted.speed(), inserts.speed(), isQuiet));
        }
        if (old.roundTripsPerThousand() != null && now.roundTripsPerThousand() != null) {
            Span was = Span.of(old.roundTripsPerThousand());
            Span is = Span.of(now.roundTripsPerThousand());
            changes.add(change(name, "SQL round trips per 1,000 ids", was, is, false, 0));
        }
        if (old.outage() != null && now.outage() != null) {
            Span was = Span.of(old.outage().servedSeconds());
            Span is = Span.of(now.outage().servedSeconds());
            double chance = SHARE_OF_OUTAGE
                    * Math.min(old.outage().seconds(), now.outage().seconds());
            changes.add(change(name, "available during outage, s", was, is, true, chance));
        }
        if (inserted != null && inserts != null) {
            String figure = "index size, bytes";
            Span was = Span.of(inserted.indexBytes());
            Span is = Span.of(inserts.indexBytes());
            changes.add(
                    inserted.rows() == inserts.rows()
                            ? change(name, figure, was, is, false, 0)
                            : notComparable(name, figure, was, is, "another number of rows was inserted"));
        }
        return changes.stream();
    }

    private static Change speed(String strategy, String figure, Speed before, Speed after, boolean isQuiet) {
        Span was = Span.of(before);
        Span is = Span.of(after);
        if (!isQuiet) {
            return notComparable(strategy, figure, was, is, "other processes kept the machine too busy");
        }
        return Math.min(before.runs().size(), after.runs().size()) < Estimate.ENOUGH
                ? notComparable(strategy, figure, was, is, "too few rounds for an interval")
                : change(strategy, figure, was, is, true, 0);
    }

    private static Change notComparable(String strategy, String figure, Span before, Span after, String reason) {
        return new Change(strategy, figure, before, after, Result.NOT_COMPARABLE, "not comparable: " + reason);
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
