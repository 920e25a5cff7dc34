package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.layout.SnowflakeLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;

/**
 * Serialises threads that wait for the next tick, which avoids a thundering herd. The first thread sleeps until the
 * tick begins; the others wait behind it for their turn.
 *
 * <p>Once per tick, the next thread backs off so that the first can use the tick without contention. Under full load
 * the first thread uses up the tick at the speed of a single thread, and the queue sleeps until the next one. Otherwise
 * ids are left, and the other threads take theirs as they wake up.
 */
public final class TickQueue {
    /** A thread generates the 4,096 ids of the default layout's tick in about a quarter of that tick. */
    private static final long NANOS_PER_ID = 61;

    private final TimeSource time;
    private final Window.Ticks clock;
    private final LongUnaryOperator nanosUntil;
    private final long aloneNanos;
    private final ReentrantLock turn = new ReentrantLock();

    private final AtomicLong waits = new AtomicLong();

    private long leftAlone = -1; // the last tick in which a thread backed off; guarded by the turn

    /**
     * Creates an empty queue.
     *
     * @param layout determines the length of a tick and its number of ids
     * @param time used to sleep
     * @param clock reads the current tick
     * @param nanosUntil returns the nanoseconds until a tick begins
     */
    public TickQueue(SnowflakeLayout layout, TimeSource time, Window.Ticks clock, LongUnaryOperator nanosUntil) {
        this.time = time;
        this.clock = clock;
        this.nanosUntil = nanosUntil;
        this.aloneNanos = aloneNanos(layout);
    }

    /**
     * Returns how long the first thread has a tick to itself: until it has used it up, at most a quarter of the tick.
     */
    static long aloneNanos(SnowflakeLayout layout) {
        return Math.min(layout.idsPerTick() * NANOS_PER_ID, layout.tick().toNanos() / 4);
    }

    /** Counts a call that begins to wait because all ids of a tick are used; it may sleep several times. */
    public void countWait() {
        waits.incrementAndGet();
    }

    /** Returns how many calls {@link #countWait} has counted. */
    public long waits() {
        return waits.get();
    }

    /**
     * Sleeps until a tick begins, an earlier id is available, the time is over, or the thread is interrupted. An
     * interrupt stays set.
     */
    public void sleep(Window window, long tick, long longestNanos) {
        if (turn.tryLock()) {
            try {
                park(nanosUntil.applyAsLong(tick), longestNanos);
            } finally {
                turn.unlock();
            }
            return;
        }
        try {
            if (!turn.tryLock(longestNanos, TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            long now = clock.now();
            if (!window.isFull(now) && leftAlone != now) {
                leftAlone = now;
                park(aloneNanos, longestNanos);
            }
            if (window.isFull(clock.now())) {
                park(
                        nanosUntil.applyAsLong(Math.max(tick, window.highestTick() - window.aheadTicks() + 1)),
                        longestNanos);
            }
        } finally {
            turn.unlock();
        }
    }

    private void park(long nanos, long longestNanos) {
        time.park(Math.min(nanos, longestNanos));
    }
}
