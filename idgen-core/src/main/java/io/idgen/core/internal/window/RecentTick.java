package io.idgen.core.internal.window;

import io.idgen.core.IdGenerationException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A cached tick, refreshed by a daemon thread once per tick. The thread starts with the first call and ends after
 * {@value #UNWANTED_TICKS} ticks without a call.
 *
 * <p>The cached tick lags if that thread is late, so it is only for callers that can use a tick of the past.
 */
public final class RecentTick {
    private static final long NONE = -1;

    /** The thread ends after this many ticks without a call: few, since each of them costs a wake-up. */
    private static final int UNWANTED_TICKS = 10;

    private final Window.Ticks clock;
    private final Runnable parkForTick;
    private final AtomicBoolean kept = new AtomicBoolean();
    private volatile long tick = NONE;
    private volatile boolean wanted;

    /**
     * Creates a cache without a thread.
     *
     * @param clock reads the current tick
     * @param parkForTick sleeps until about the beginning of the next tick
     */
    public RecentTick(Window.Ticks clock, Runnable parkForTick) {
        this.clock = clock;
        this.parkForTick = parkForTick;
    }

    /** Returns the cached tick, or reads the clock if there is none yet. */
    public long tick() {
        if (!wanted) {
            wanted = true; // written only on a change: each write would invalidate the cache line of other cores
        }
        long known = tick;
        if (known != NONE) {
            return known;
        }
        if (!kept.get() && kept.compareAndSet(false, true)) {
            begin();
        }
        return clock.now();
    }

    private void begin() {
        Thread thread = new Thread(null, this::keep, "idgen-clock", 0, false);
        thread.setDaemon(true);
        // not the first caller's loader, which this thread would keep from the garbage collector
        thread.setContextClassLoader(RecentTick.class.getClassLoader());
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            // the host allows no more threads: callers read the clock themselves
        }
    }

    /**
     * Refreshes the cache until calls stop, or the clock has no tick any more; callers then get its exception
     * themselves.
     */
    private void keep() {
        try {
            for (int unwanted = 0; unwanted < UNWANTED_TICKS; unwanted = wanted ? 0 : unwanted + 1) {
                wanted = false;
                tick = clock.now();
                parkForTick.run();
            }
        } catch (IdGenerationException e) {
            // as above
        } finally {
            tick = NONE;
            kept.set(false);
        }
    }
}
