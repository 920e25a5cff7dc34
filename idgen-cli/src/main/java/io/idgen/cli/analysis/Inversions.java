package io.idgen.cli.analysis;

import java.time.Duration;

/**
 * Counts the ids of a stream that are smaller than an earlier one. In insertion order, each inversion inserts into the
 * middle of the primary key's index.
 *
 * @param count how many ids are smaller than the largest id before them; equal ids do not count
 * @param ids how many ids there are
 * @param largestStepBack the longest time from such an id to the largest id before it; zero if all are within one tick
 */
public record Inversions(long count, long ids, Duration largestStepBack) {

    /**
     * Returns the proportion of inversions among all ids.
     *
     * @return 0 to 1; 0 if there are no ids
     */
    public double share() {
        return ids == 0 ? 0 : (double) count / ids;
    }
}
