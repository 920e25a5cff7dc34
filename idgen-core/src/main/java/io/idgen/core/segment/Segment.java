package io.idgen.core.segment;

/**
 * A run of ids that this process alone owns: {@code first}, {@code first + stride}, … , {@code count} of them.
 *
 * @param first the first id, above 0
 * @param count how many, at least 1
 * @param stride the distance between two neighbours, at least 1
 */
public record Segment(long first, int count, int stride) {

    /** Refuses runs that are empty, not positive, or reach beyond the largest {@code long}. */
    public Segment {
        if (first < 1) {
            throw new IllegalArgumentException("first must be above 0, got " + first);
        }
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, got " + count);
        }
        if (stride < 1) {
            throw new IllegalArgumentException("stride must be at least 1, got " + stride);
        }
        if ((Long.MAX_VALUE - first) / stride < count - 1) {
            throw new IllegalArgumentException(
                    count + " ids from " + first + " in steps of " + stride + " reach beyond " + Long.MAX_VALUE);
        }
    }

    /**
     * The last id of the run.
     *
     * @return {@code first + (count - 1) * stride}
     */
    public long last() {
        return id(count - 1L);
    }

    long id(long index) {
        return first + index * stride;
    }
}
