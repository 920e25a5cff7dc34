package io.idgen.core.segment;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many ids a refill requests.
 *
 * @param first how many the first refill requests
 * @param least how many later ones request at least, or null for as many as the first
 * @param most how many later ones request at most, or null for the usual largest step
 */
record StepRange(
        int first, @Nullable Integer least, @Nullable Integer most) {
    private static final int LARGEST_STEP = 10_000_000;

    StepRange withFirst(int ids) {
        return new StepRange(check(ids), least, most);
    }

    StepRange withLeast(int ids) {
        return new StepRange(first, check(ids), most);
    }

    StepRange withMost(int ids) {
        return new StepRange(first, least, check(ids));
    }

    private static int check(int ids) {
        if (ids < 1 || ids > 1_000_000_000) {
            throw new IllegalArgumentException("a step is 1 to 1000000000 ids, got " + ids);
        }
        return ids;
    }

    int longestRun() {
        return most == null ? Math.max(first, LARGEST_STEP) : most;
    }

    /** Creates a step in this range that outlasts an outage of the given length. */
    AdaptiveStep adaptive(Duration reserve) {
        int smallest = least == null ? first : least;
        if (smallest > first || first > longestRun()) {
            throw new IllegalArgumentException("the step is between the least and the most, got " + smallest + " <= "
                    + first + " <= " + longestRun());
        }
        // after an outage, the next attempt comes only when the pause between two attempts is over
        Duration unnoticed = reserve.isZero() ? reserve : reserve.plus(Refiller.BACK_OFF.longest());
        return new AdaptiveStep(first, smallest, longestRun(), unnoticed);
    }
}
