package io.idgen.core.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Ids over time.
 *
 * @param start the beginning of the first bucket
 * @param bucket how much time is one point
 * @param ids how many ids each bucket has, without gaps; empty if there are none at all. Cannot be changed
 */
public record LoadCurve(Instant start, Duration bucket, List<Long> ids) {

    /** Keeps a copy of the list. */
    public LoadCurve {
        ids = List.copyOf(ids);
    }

    /**
     * When a bucket begins.
     *
     * @param point its index in {@link #ids()}
     * @return the first moment of the bucket
     */
    public Instant startOf(int point) {
        return start.plus(bucket.multipliedBy(point));
    }
}
