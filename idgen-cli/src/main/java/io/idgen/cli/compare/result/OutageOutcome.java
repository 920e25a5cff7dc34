package io.idgen.cli.compare.result;

import io.idgen.cli.measure.DuplicateCheck;
import java.util.OptionalLong;

/**
 * How a strategy fared in an outage of the database.
 *
 * @param seconds the duration of the outage
 * @param given how many ids were generated during the outage
 * @param wanted how many ids were requested during the outage
 * @param failed how many calls failed during the outage
 * @param servedSeconds how long ids were available; {@code seconds} if no call failed and most ids were generated
 * @param recoveredMillis the time from the end of the outage to the next id; 0 if ids were available throughout, -1
 *     if there was none within 10 s
 * @param error the first failure; empty if there was none
 * @param duplicates the duplicates among the ids
 */
public record OutageOutcome(
        double seconds,
        long given,
        long wanted,
        long failed,
        double servedSeconds,
        double recoveredMillis,
        String error,
        DuplicateCheck.Duplicates duplicates) {

    /**
     * Returns whether no call failed and most ids were generated. A call that waits for the whole outage does not
     * fail, but generates no id. On a busy machine, some calls are late.
     */
    public boolean neverCeased() {
        return given > 0 && isMost(given, wanted) && servedSeconds >= seconds;
    }

    private static boolean isMost(long given, long wanted) {
        return 2 * given >= wanted;
    }

    /**
     * Returns when the last id before the strategy stopped was generated; empty if it did not stop. A call that
     * waits until the end of the outage does not fail, but the number of ids shows that it waited.
     *
     * @param beforeFailureNanos when the last id before the first failure was generated; empty if no call failed
     * @param inOutageNanos when the last id in the outage was generated
     */
    public static OptionalLong ceased(OptionalLong beforeFailureNanos, long given, long wanted, long inOutageNanos) {
        return beforeFailureNanos.isPresent() || given == 0 || isMost(given, wanted)
                ? beforeFailureNanos
                : OptionalLong.of(inOutageNanos);
    }

    /**
     * Returns how long ids were available.
     *
     * @param given how many ids were generated during the outage
     * @param cutNanos when it began
     * @param lastNanos when the last id before the strategy stopped was generated; empty if it did not stop
     */
    public static double servedSeconds(double seconds, long given, long cutNanos, OptionalLong lastNanos) {
        if (given == 0 || (lastNanos.isPresent() && lastNanos.getAsLong() <= cutNanos)) {
            return 0;
        }
        return lastNanos.isEmpty() ? seconds : Math.min(seconds, (lastNanos.getAsLong() - cutNanos) / 1e9);
    }
}
