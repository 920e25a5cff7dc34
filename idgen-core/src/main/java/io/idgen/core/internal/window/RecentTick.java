package io.idgen.core.internal.window;

import io.idgen.core.IdGenerationException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a clock said a moment ago, kept at hand by a thread that reads it once in each tick. There is one only while somebody asks:
 * it ends after some ticks in which nobody did.
 *
 * <p>If that thread is late, so is its tick. Who asks must not mind.
 */
public final class RecentTick {
    private static final long NONE = -1;

    /** After so many ticks that nobody asked in it ends: few, since a thread that wakes up for nothing is a nuisance. */
    private static final int UNWANTED_TICKS = 10;

    private final Window.Ticks clock;
    private final Runnable parkForTick;
    private final AtomicBoolean kept = new AtomicBoolean();
    private volatile long tick = NONE;
    private volatile boolean wanted;

    /**
     * One that nobody has asked.
     *
     * @param clock what it reads
     * @param parkForTick sleeps until about when the clock's next tick begins
     */
    public RecentTick(Window.Ticks clock, Runnable parkForTick) {
        this.clock = clock;
        this.parkForTick = parkForTick;
    }

    /** The clock's last known tick, or what it says now if that is not known yet. */
    public long tick() {
        if (!wanted) {
            wanted = true; // not written each time: who asks from another core would wait for it
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
            // the host gives this process no more threads: callers go on reading the clock
        }
    }

    /** Reads the clock tick by tick, until nobody wants to know, or it has no tick any more, which callers then hear from itself. */
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
