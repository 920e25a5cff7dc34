package io.idgen.core.inspect;

import java.time.Duration;

/**
 * How far a stream is from rising: ids that are smaller than one before them. In a stream in order of insertion they are what
 * makes a primary key's index take rows in its middle.
 *
 * @param count how many ids are smaller than the largest before them; an equal one is not
 * @param ids how many ids there are
 * @param largestStepBack the longest time from such an id to the largest before it; zero if all are within one tick
 */
public record Inversions(long count, long ids, Duration largestStepBack) {

    /**
     * The share of inversions among all ids.
     *
     * @return 0 to 1; 0 if there are no ids
     */
    public double share() {
        return ids == 0 ? 0 : (double) count / ids;
    }
}
