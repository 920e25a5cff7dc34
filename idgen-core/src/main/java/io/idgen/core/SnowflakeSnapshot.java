package io.idgen.core;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A snowflake generator at one moment. It does not count its ids: a counter would cost more than the id, which is one
 * atomic step.
 *
 * @param namespace within which the worker id is unique
 * @param datacenterId of the worker id, 0 if the layout has none; null if there is no worker id at this moment
 * @param workerId within the datacenter; null if there is none at this moment, as before the first lease
 * @param time the time of the clock that ids follow: the store's under a lease, else this host's; null before the
 *     store's first answer
 * @param lag by how much the time in the next id is behind {@code time}; above zero only under a lease whose store is
 *     silent or whose clock stepped back. Ids then do not follow the time, so that the rest of the window lasts. They
 *     catch up when the store answers again
 * @param leasedUntil when the lease of the worker id ends unless it is renewed, by the store's clock; null if there is
 *     none
 * @param horizon the time in the last id of the window, exclusive, unless a renewal moves it; null without a lease
 * @param layoutEnd the last moment for which the layout has ids
 * @param hasIds as {@link SourceSnapshot#hasIds} says
 * @param ended as {@link SourceSnapshot#ended} says
 * @param refused as {@link SourceSnapshot#refused} says
 * @param waits calls that waited for a worker id or for more of its window; not those that waited for the next tick
 * @param tickWaits how often calls waited for the next tick, since all ids of one were used; a batch counts once per
 *     tick for which it waited. Grows only under a load that is close to the rate of the layout
 * @param outage as {@link SourceSnapshot#outage} says
 * @param failures as {@link SourceSnapshot#failures} says
 */
public record SnowflakeSnapshot(
        String namespace,
        @Nullable Integer datacenterId,
        @Nullable Integer workerId,
        @Nullable Instant time,
        Duration lag,
        @Nullable Instant leasedUntil,
        @Nullable Instant horizon,
        Instant layoutEnd,
        boolean hasIds,
        @Nullable ErrorCode ended,
        @Nullable ErrorCode refused,
        Waits waits,
        long tickWaits,
        @Nullable Outage outage,
        long failures)
        implements SourceSnapshot {

    /**
     * Returns how long the lease lasts unless it is renewed.
     *
     * @return zero if it has ended; null if there is none
     */
    public @Nullable Duration leaseLeft() {
        return left(leasedUntil, Duration.ZERO);
    }

    /**
     * Returns how long ids last if the store does not answer and they follow the time.
     *
     * @return zero if none are left; null without a lease
     */
    public @Nullable Duration windowLeft() {
        return left(horizon, lag);
    }

    private @Nullable Duration left(@Nullable Instant end, Duration behind) {
        if (end == null || time == null) {
            return null;
        }
        Duration left = Duration.between(time, end).plus(behind);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
