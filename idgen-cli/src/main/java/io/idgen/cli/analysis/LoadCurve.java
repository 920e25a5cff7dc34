package io.idgen.cli.analysis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The number of ids over time.
 *
 * @param start the beginning of the first bucket
 * @param bucket the duration of one bucket
 * @param ids the number of ids in each bucket, without gaps; empty if there are no ids. Unmodifiable
 */
public record LoadCurve(Instant start, Duration bucket, List<Long> ids) {

    /** Copies the list. */
    public LoadCurve {
        ids = List.copyOf(ids);
    }

    /**
     * Returns the start of a bucket.
     *
     * @param point its index in {@link #ids()}
     * @return the first moment of the bucket
     */
    public Instant startOf(int point) {
        return start.plus(bucket.multipliedBy(point));
    }
}
