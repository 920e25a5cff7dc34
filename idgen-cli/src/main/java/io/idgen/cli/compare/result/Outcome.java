package io.idgen.cli.compare.result;

import org.jspecify.annotations.Nullable;

/** What an outage of the store and a crash of the process do. */
public final class Outcome {
    private Outcome() {}

    /**
     * An outage of the database, or of Redis.
     *
     * @param given how many keys were generated during the outage
     * @param wanted how many were requested
     * @param failed how many calls failed
     * @param recoveredMillis the time from the end of the outage to the next key; -1 if there was none within 10 s
     * @param error the first failure; empty if there was none
     */
    public record Outage(long given, long wanted, long failed, double recoveredMillis, String error) {

        /** Returns whether keys were available throughout. A call that waits through the outage gives no key. */
        public boolean isSurvived() {
            return failed == 0 && 2 * given >= wanted;
        }

        /** Returns the share of the requested keys. */
        public double share() {
            return Math.min(1.0, (double) given / Math.max(1, wanted));
        }
    }

    /**
     * A process that crashed, and the next one.
     *
     * @param lost how many keys between the two are lost; null if keys are not consecutive numbers
     * @param restartMillis how long the next process takes for its first keys
     */
    public record Crash(@Nullable Long lost, double restartMillis) {}
}
