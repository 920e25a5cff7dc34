package io.idgen.cli.compare.result;

import org.jspecify.annotations.Nullable;

/**
 * A kind of key with everything that was measured. What is null was not measured.
 *
 * @param example a key, as people write it
 * @param problem why measurements are missing; null if nothing failed
 */
public record Kind(
        String name,
        Family family,
        String what,
        @Nullable String example,
        int keyBytes,
        @Nullable String problem,
        Duplicates duplicates,
        @Nullable Speed speed,
        @Nullable Latency latency,
        @Nullable Rows rows,
        @Nullable Outage outage,
        @Nullable Crash crash) {

    /**
     * Durations of calls at a fixed rate, in microseconds.
     *
     * @param perSecond the requested rate
     * @param roundTripsPerThousand round trips to the database per 1,000 keys, after the first key of each instance
     */
    public record Latency(
            int perSecond, long calls, double p50, double p99, double p999, double max, double roundTripsPerThousand) {}

    /**
     * Inserts of parents with children, in rows per second.
     *
     * @param hibernate null without Hibernate on the class path
     * @param indexBytes the size of the indexes; in H2, MariaDB and MySQL with the rows
     */
    public record Rows(long rows, Speed jdbc, @Nullable Speed hibernate, long indexBytes) {}

    /**
     * An outage of the database, or of Redis.
     *
     * @param given how many keys were generated during the outage
     * @param wanted how many were requested
     * @param failed how many calls failed
     * @param recoveredMillis the time from the end of the outage to the next key; -1 if there was none within 10 s
     */
    public record Outage(long given, long wanted, long failed, double recoveredMillis) {

        /** Returns whether keys were available throughout. A call that waits through the outage gives no key. */
        public boolean isSurvived() {
            return failed == 0 && 2 * given >= wanted;
        }
    }

    /**
     * A process that crashed, and the next one.
     *
     * @param lost how many keys between the two are lost; null if keys are not consecutive numbers
     */
    public record Crash(@Nullable Long lost) {}
}
