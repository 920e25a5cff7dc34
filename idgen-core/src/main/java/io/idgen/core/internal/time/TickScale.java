package io.idgen.core.internal.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The arithmetic of ticks in plain numbers. A layout uses it, and so do the clocks that are read for each id: on an instant and a
 * duration, the same arithmetic takes as long as the reading itself.
 *
 * @param epochMillis when tick 0 begins, in milliseconds since 1970
 * @param tickMillis how long a tick is
 * @param lastTick the last tick that the layout can represent
 */
public record TickScale(long epochMillis, long tickMillis, long lastTick) {

    /** The ticks of a layout with this epoch, this unit and this many bits of time. */
    public static TickScale of(Instant epoch, Duration tick, int timeBits) {
        return new TickScale(epoch.toEpochMilli(), tick.toMillis(), (1L << timeBits) - 1);
    }

    /** The tick of a moment; negative before the epoch. */
    public long tickAt(long millis) {
        long since = millis - epochMillis;
        return tickMillis == 1 ? since : Math.floorDiv(since, tickMillis);
    }

    /** The first tick that begins at or after a moment. */
    public long tickFrom(long millis) {
        return tickAt(millis + tickMillis - 1);
    }

    /** The first moment of a tick. */
    public Instant instantOf(long tick) {
        return Instant.ofEpochMilli(epochMillis).plusMillis(tick * tickMillis);
    }
}
