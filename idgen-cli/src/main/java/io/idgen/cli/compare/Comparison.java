package io.idgen.cli.compare;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of a comparison, in the structure of its JSON. Ids are strings.
 *
 * @param started the time of the start, in UTC
 * @param seconds the duration of the whole comparison
 */
record Comparison(
        String started,
        double seconds,
        Environment environment,
        Conditions conditions,
        List<Strategy> strategies,
        List<Advice> advice) {

    /** The environment of the comparison. */
    record Environment(
            String cpu,
            int processors,
            long heapMegabytes,
            String system,
            String java,
            String database,
            String driver,
            String url,
            int poolSize,
            String tablePrefix) {}

    /** The conditions of the comparison. Durations are in milliseconds. */
    record Conditions(
            int threads,
            int instances,
            int rows,
            int insertRepeats,
            long seed,
            long warmUpMillis,
            long fullSpeedMillis,
            int fullSpeedRepeats,
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
     * Ids per second at full speed.
     *
     * @param runs the result of each repeat
     */
    record Speed(double median, double least, double most, List<Double> runs) {}

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
            Family family,
            String what,
            @Nullable String failure,
            @Nullable String trouble,
            boolean unfit,
            @Nullable Speed speed,
            List<Scale> scaling,
            Pace.@Nullable Latency latency,
            Pace.@Nullable Order order,
            @Nullable Double roundTripsPerThousand,
            Ledger.Duplicates duplicates,
            Inserts.@Nullable Outcome inserts,
            Restart.@Nullable Outcome restart,
            Outage.@Nullable Outcome outage,
            @Nullable Sample sample) {}

    /** An advice of the verdict. */
    record Advice(String when, String take, String because) {}

    /** Whether a strategy generated duplicates. */
    boolean hasDuplicates() {
        return strategies.stream().anyMatch(strategy -> strategy.duplicates().count() > 0);
    }

    /** Whether a strategy failed that should run on this database. */
    boolean hasFailures() {
        return strategies.stream()
                .anyMatch(strategy -> strategy.trouble() != null || (strategy.failure() != null && !strategy.unfit()));
    }
}
