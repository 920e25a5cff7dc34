package io.idgen.cli.compare;

import io.idgen.cli.measure.Estimate;
import io.idgen.cli.measure.MachineLoad;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
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
record Comparison(
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
    static final int VERSION = 1;

    /**
     * The environment of the comparison.
     *
     * @param inProcess whether the database runs in the process of the comparison, so that a round trip crosses no
     *     network
     */
    record Environment(
            String cpu,
            int processors,
            long heapMegabytes,
            String system,
            String java,
            String database,
            String driver,
            String url,
            boolean inProcess,
            int poolSize,
            String tablePrefix) {}

    /** The conditions of the comparison. Durations are in milliseconds. */
    record Conditions(
            int threads,
            int instances,
            int rows,
            int rounds,
            long seed,
            long fullSpeedMillis,
            long pacedMillis,
            int pacedPerSecond,
            long scalingMillis,
            long outageMillis,
            int outagePerSecond,
            long outagePatienceMillis,
            int idsPerLife,
            int childrenPerParent,
            int parentsPerTransaction,
            String bytesAre,
            Map<String, String> settings) {}

    /**
     * The load of other processes while speeds were measured.
     *
     * @param othersUsed how many processors they used on average; null if it is not known
     * @param limit the number of processors above which the speeds mean nothing
     * @param tooHigh whether they used more than the limit
     * @param text a sentence for people
     */
    record Load(@Nullable Double othersUsed, double limit, boolean tooHigh, String text) {
        // the share of the processors that other processes may use
        private static final double SHARE = 0.1;

        static Load of(MachineLoad load) {
            return of(load.othersUsed(), Runtime.getRuntime().availableProcessors(), load.told());
        }

        /** Returns the load of a machine with this number of processors. */
        static Load of(OptionalDouble othersUsed, int processors, String told) {
            double limit = SHARE * processors;
            boolean tooHigh = othersUsed.orElse(0) > limit;
            String text = tooHigh
                    ? String.format(
                            Locale.ROOT,
                            "%s, more than %.2f: the speeds mean nothing, and there are no verdicts on them; repeat the"
                                    + " comparison on a quiet machine",
                            told,
                            limit)
                    : told;
            return new Load(othersUsed.isPresent() ? othersUsed.getAsDouble() : null, limit, tooHigh, text);
        }

        /** Returns the load of a machine on which the database is a local process that is not visible. */
        static Load hidden() {
            return of(
                    OptionalDouble.empty(),
                    Runtime.getRuntime().availableProcessors(),
                    "the load of other processes is not known, because the process of the database is not visible here");
        }
    }

    /**
     * A speed with its 95 % interval.
     *
     * @param runs the result of each round
     */
    record Speed(double median, double low, double high, List<Double> runs) {
        static Speed of(List<Double> runs) {
            Estimate estimate =
                    Estimate.of(runs.stream().mapToDouble(Double::doubleValue).toArray());
            return new Speed(estimate.median(), estimate.low(), estimate.high(), List.copyOf(runs));
        }

        /** Returns the ratio to another speed of the same rounds. */
        Estimate ratio(Speed other) {
            return Estimate.ofRatio(
                    runs.stream().mapToDouble(Double::doubleValue).toArray(),
                    other.runs.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    /** Ids per second with a number of threads. */
    record Scale(int threads, double perSecond) {}

    /**
     * A decoded id.
     *
     * @param fields the fields from the highest bit
     */
    record Sample(String id, String text, String hex, int bits, List<Field> fields) {}

    /** A field of consecutive bits. */
    record Field(String name, int width, String value) {}

    /**
     * The results of a strategy.
     *
     * @param failure why the strategy has no results; null if it has
     * @param trouble what went wrong, if some results are missing; null if none are
     * @param unfit whether the failure is a limitation of the database, not an error
     */
    record Strategy(
            String name,
            KeyFamily family,
            String what,
            @Nullable String failure,
            @Nullable String trouble,
            boolean unfit,
            @Nullable Speed speed,
            List<Scale> scaling,
            FixedRate.@Nullable Latency latency,
            FixedRate.@Nullable Order order,
            @Nullable Double roundTripsPerThousand,
            DuplicateCheck.Duplicates duplicates,
            Inserts.@Nullable Outcome inserts,
            Restart.@Nullable Outcome restart,
            Outage.@Nullable Outcome outage,
            @Nullable Sample sample) {}

    /**
     * An advice of the verdict.
     *
     * @param need completes "If you need"
     * @param take the names of strategies, or that no difference was measured
     * @param facts the figures that the advice follows from
     * @param chart the chart with these figures
     */
    record Advice(String need, String take, List<String> facts, Chart chart) {}

    /** The charts of the report; their names are the ids of its sections. */
    enum Chart {
        THROUGHPUT,
        TRIPS,
        ORDER,
        OUTAGE,
        GAPS,
        INSERTS,
        NUMBERS
    }

    /** Returns this comparison with its differences from an earlier one. */
    Comparison since(Comparison before) {
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
    boolean hasDuplicates() {
        return strategies.stream().anyMatch(strategy -> strategy.duplicates().count() > 0);
    }

    /** Returns whether a strategy failed although the database supports it. */
    boolean hasFailures() {
        return strategies.stream()
                .anyMatch(strategy -> strategy.trouble() != null || (strategy.failure() != null && !strategy.unfit()));
    }
}
