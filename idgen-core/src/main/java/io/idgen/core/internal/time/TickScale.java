package io.idgen.core.internal.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The arithmetic of ticks, on plain numbers. Layouts use it, and clocks that are read for each id: with {@code Instant}
 * and {@code Duration} the arithmetic would take as long as reading the clock.
 *
 * @param epochMillis the beginning of tick 0, in milliseconds since 1970-01-01T00:00Z
 * @param tickMillis the length of a tick in milliseconds
 * @param lastTick the last tick that the layout can represent
 */
public record TickScale(long epochMillis, long tickMillis, long lastTick) {

    /** The ticks of a layout. */
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

    /** The first moment of a tick, in milliseconds since 1970-01-01T00:00Z. */
    public long millisOf(long tick) {
        return epochMillis + tick * tickMillis;
    }
}
