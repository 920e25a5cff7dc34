package io.idgen.cli.compare.verdict;

import io.idgen.cli.compare.result.Conditions;
import io.idgen.cli.compare.result.Environment;
import io.idgen.cli.compare.result.Load;
import io.idgen.cli.compare.result.Measurements;
import io.idgen.cli.compare.result.Strategy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a comparison, in the structure of its JSON, which {@code docs/compare.schema.json} describes. Ids are
 * strings.
 *
 * @param version {@link #VERSION}
 * @param started the time of the start, in UTC
 * @param seconds the duration of the whole comparison
 * @param leftOut what was left out, so that the comparison ended in time
 * @param baseline the differences from an earlier comparison; null if none was given
 */
public record Comparison(
        int version,
        String started,
        double seconds,
        Environment environment,
        Conditions conditions,
        Load load,
        List<String> leftOut,
        List<Strategy> strategies,
        Headline headline,
        List<Advice> advice,
        @Nullable Baseline baseline) {
    /** The version of the structure. It changes if programs that read it must change. */
    public static final int VERSION = 1;

    /**
     * An advice of the verdict.
     *
     * @param need completes "If you need"
     * @param take the names of strategies, or that no difference was measured
     * @param facts the figures that the advice follows from
     * @param chart the chart with these figures
     */
    public record Advice(String need, String take, List<String> facts, Chart chart) {}

    /** The charts of the report; their names are the ids of its sections. */
    public enum Chart {
        THROUGHPUT,
        TRIPS,
        ORDER,
        OUTAGE,
        GAPS,
        INSERTS,
        NUMBERS
    }

    /** Concludes from measurements. */
    public static Comparison of(Measurements measured) {
        return new Comparison(
                VERSION,
                measured.started(),
                measured.seconds(),
                measured.environment(),
                measured.conditions(),
                measured.load(),
                measured.leftOut(),
                measured.strategies(),
                Headline.of(measured.strategies(), measured.load()),
                Verdict.of(
                        measured.strategies(),
                        measured.load(),
                        measured.environment().inProcess()),
                null);
    }

    /** Returns this comparison with its differences from an earlier one. */
    public Comparison since(Comparison before) {
        return new Comparison(
                version,
                started,
                seconds,
                environment,
                conditions,
                load,
                leftOut,
                strategies,
                headline,
                advice,
                Baseline.of(before, this));
    }

    /** Returns whether a strategy generated duplicates. */
    public boolean hasDuplicates() {
        return strategies.stream().anyMatch(strategy -> strategy.duplicates().count() > 0);
    }

    /** Returns whether a strategy failed although the database supports it. */
    public boolean hasFailures() {
        return strategies.stream()
                .anyMatch(strategy -> strategy.trouble() != null || (strategy.failure() != null && !strategy.unfit()));
    }
}
