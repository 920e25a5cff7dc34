package io.idgen.core.snowflake;

import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.lease.IssueClock;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.internal.time.TimeSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A clock whose {@linkplain #recently recent} tick is cached. A daemon thread refreshes it once per tick. The thread
 * starts with the first call for the recent tick and ends after {@value #UNWANTED_TICKS} ticks without one.
 *
 * <p>The cached tick lags if that thread is late, until a caller reads the clock. All other methods are those of the
 * clock behind it.
 */
final class CachedTick implements IssueClock {
    private static final long NONE = -1;

    /** The thread ends after this many ticks without a call: few, since each of them costs a wake-up. */
    private static final int UNWANTED_TICKS = 10;

    /** After this many ticks, a call tries again to start the thread, if the host has refused one. */
    static final int REFUSED_TICKS = 1000;

    private final IssueClock clock;
    private final TimeSource time;
    private final AtomicBoolean kept = new AtomicBoolean();
    private final AtomicLong tick = new AtomicLong(NONE);
    private volatile boolean wanted;
    private volatile long refusedUntil = NONE;

    /**
     * Creates a clock without a thread.
     *
     * @param clock a clock that moves by itself
     * @param time in which the thread sleeps
     */
    CachedTick(IssueClock clock, TimeSource time) {
        this.clock = clock;
        this.time = time;
    }

    /** Reads the clock, and refreshes the cached tick if the thread is late. */
    @Override
    public long now() {
        long now = clock.now();
        long known = tick.get();
        if (known != NONE && known < now) {
            tick.compareAndSet(known, now); // not if the thread has ended meanwhile: no thread would refresh the tick
        }
        return now;
    }

    /** Returns the cached tick, or reads the clock if there is none yet. */
    @Override
    public long recently() {
        if (!wanted) {
            wanted = true; // written only on a change: each write would invalidate the cache line of other cores
        }
        long known = tick.get();
        if (known != NONE) {
            return known;
        }
        long now = clock.now();
        if (!kept.get() && now >= refusedUntil && kept.compareAndSet(false, true)) {
            begin(now);
        }
        return now;
    }

    private void begin(long now) {
        try {
            DaemonThreads.daemon(this::keep, "idgen-clock").start();
        } catch (OutOfMemoryError e) {
            refusedUntil = now + REFUSED_TICKS; // the host allows no more threads: callers read the clock themselves
            kept.set(false);
        }
    }

    /**
     * Refreshes the cache until calls stop, or the clock has no tick any more. Callers then get the clock's exception.
     */
    private void keep() {
        try {
            for (int unwanted = 0; unwanted < UNWANTED_TICKS; unwanted = wanted ? 0 : unwanted + 1) {
                wanted = false;
                long now = clock.now();
                tick.set(now);
                time.park(clock.nanosUntil(now + 1));
            }
        } catch (IdGenerationException e) {
            // callers get this exception from the clock
        } finally {
            tick.set(NONE);
            kept.set(false);
        }
    }

    @Override
    public @Nullable Wait pause(@Nullable Wait before, Window window) {
        return clock.pause(before, window);
    }

    @Override
    public long nanosUntil(long next) {
        return clock.nanosUntil(next);
    }

    @Override
    public long tickWaits() {
        return clock.tickWaits();
    }
}
