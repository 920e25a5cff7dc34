package io.idgen.core.internal.lease;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time of a lease store in ticks: its last reading, and the monotonic clock since then. The host's wall clock is
 * not read.
 *
 * <p>Ids follow this time, unless they would have to wait for it or might use up the window before the store answers
 * again. Then the clock is held: it stays at the last tick that was used, so that all its sequences are used
 * before the next one. Safe for many threads.
 */
final class StoreClock {
    private static final StoreReading NO_READING = new StoreReading(0, 0);

    private final TimeSource time;
    private final SnowflakeLayout layout;
    private final TickScale scale;
    private final long aheadTicks;
    private final Duration longestSilence;

    volatile StoreReading reading = NO_READING;
    private volatile boolean held;

    /** The store's time at a moment of the monotonic clock. */
    record StoreReading(long millis, long nanos) {
        long millisAt(long nowNanos) {
            return millis + (nowNanos - nanos) / 1_000_000;
        }

        long nanosToNextMilli(long nowNanos) {
            return 1_000_000 - (nowNanos - nanos) % 1_000_000;
        }
    }

    /**
     * Creates a clock without a reading.
     *
     * @param aheadTicks how far ids may run ahead of this clock
     * @param longestSilence after how long without a reading the clock is held
     */
    StoreClock(TimeSource time, SnowflakeLayout layout, long aheadTicks, Duration longestSilence) {
        this.time = time;
        this.layout = layout;
        this.scale = LayoutTime.ticks(layout);
        this.aheadTicks = aheadTicks;
        this.longestSilence = longestSilence;
    }

    /** Sets the clock to a reading of the store's time. The reading is older than now by less than the round trip. */
    void setTo(long storeMillis) {
        reading = new StoreReading(storeMillis, time.nanoTime());
    }

    /** The store's time in milliseconds since 1970. */
    long millis() {
        return reading.millisAt(time.nanoTime());
    }

    /** The tick of the store's time. */
    long storeTick() {
        return scale.tickAt(millis());
    }

    /**
     * Returns the tick for the next id of a window.
     *
     * @throws IdUnavailableException if the layout has no tick for this time
     */
    long tick(Window window) {
        if (held) {
            return window.highestTick();
        }
        long tick = storeTick();
        if (tick > scale.lastTick()) {
            throw LayoutTime.exhausted(layout, millis());
        }
        return Math.min(tick, window.lastTick());
    }

    /** Returns by how much the time in the next id of a window is behind the store's. */
    Duration lag(Window window) {
        if (!held) {
            return Duration.ZERO;
        }
        return layout.tick().multipliedBy(Math.max(0, storeTick() - window.highestTick()));
    }

    /** Returns how long it takes until a tick begins. */
    long nanosUntil(long tick) {
        StoreReading now = reading;
        long nanos = time.nanoTime();
        return IssueClock.parkNanos(scale, now.millisAt(nanos), tick, now.nanosToNextMilli(nanos));
    }

    /**
     * Decides whether ids follow the time. They do not if the window is ahead of it, for example after the time stepped
     * back, or if the store has been silent for long.
     *
     * @param leased whether there are ticks to use at all
     */
    void follow(Window window, boolean leased) {
        long silentNanos = time.nanoTime() - reading.nanos;
        long waited = held ? 0 : aheadTicks; // calls wait for a small step back, but not once ids have left the time
        boolean ahead = storeTick() + aheadTicks + waited < window.highestTick();
        held = leased && (ahead || silentNanos > longestSilence.toNanos());
    }

    /** Returns the store's time; null before the first reading. */
    @Nullable
    Instant time() {
        return reading == NO_READING ? null : Instant.ofEpochMilli(millis());
    }

    boolean isHeld() {
        return held;
    }
}
