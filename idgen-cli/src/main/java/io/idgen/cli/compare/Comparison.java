package io.idgen.cli.compare;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that was found, in the shape of its JSON. Ids are strings there.
 *
 * @param started the instant, in UTC
 * @param seconds how long everything took
 */
record Comparison(
        String started,
        double seconds,
        Environment environment,
        Conditions conditions,
        List<Strategy> strategies,
        List<Advice> advice) {

    /** Where it ran. */
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

    /** How it ran. Durations are in milliseconds. */
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
     * Ids a second at full speed.
     *
     * @param runs each repeat
     */
    record Speed(double median, double least, double most, List<Double> runs) {}

    /** Ids a second by so many threads. */
    record Scale(int threads, double perSecond) {}

    /**
     * One id taken apart.
     *
     * @param fields from the top
     */
    record Sample(String id, String text, String hex, int bits, List<Field> fields) {}

    /** A run of bits. */
    record Field(String name, int width, String value) {}

    /**
     * One strategy.
     *
     * @param failure why there is nothing more; null if there is
     * @param trouble what went wrong so that something is missing; null if nothing did
     * @param unfit whether that is the database's nature, and no error
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

    /** A sentence of the verdict. */
    record Advice(String when, String take, String because) {}

    /** Whether a strategy gave a key twice. */
    boolean hasDuplicates() {
        return strategies.stream().anyMatch(strategy -> strategy.duplicates().count() > 0);
    }

    /** Whether a strategy that should run could not. */
    boolean hasFailures() {
        return strategies.stream()
                .anyMatch(strategy -> strategy.trouble() != null || (strategy.failure() != null && !strategy.unfit()));
    }
}
