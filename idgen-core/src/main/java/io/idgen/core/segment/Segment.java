package io.idgen.core.segment;

/**
 * A segment: {@code count} ids that only this process owns, {@code first}, {@code first + stride}, and so on.
 * Immutable.
 *
 * @param first the first id, above 0
 * @param count how many ids, at least 1
 * @param stride the distance between two neighbouring ids, at least 1
 */
public record Segment(long first, int count, int stride) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the segment is empty, has ids below 1, or ends above {@link Long#MAX_VALUE}
     */
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
     * Returns the last id.
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
