package io.idgen.core.internal.window;

import io.idgen.core.internal.time.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;

/**
 * Calls that wait for a tick to begin, one behind the other. The first sleeps until then. All at once, they would race for the
 * ids of that tick, each getting in the others' way, and most would come too late for the last.
 *
 * <p>So who wakes up behind another leaves it alone with the tick for a while, once in each tick. If threads want more than a
 * tick has, that one will have used it up, as fast as a single thread, and the queue sleeps on; if they do not, those behind then
 * come as they wake up.
 */
public final class TickQueue {
    /** Long enough for a thread to use up the 4,096 ids of the default layout's tick, and not much of that tick. */
    static final long ALONE_NANOS = 250_000;

    private final TimeSource time;
    private final Window.Ticks clock;
    private final LongUnaryOperator nanosUntil;
    private final ReentrantLock turn = new ReentrantLock();

    private long leftAlone = -1; // the last tick that was; guarded by the turn

    /**
     * A queue that nobody stands in.
     *
     * @param time what a call sleeps by
     * @param clock the ticks that it waits for
     * @param nanosUntil how long until a tick begins
     */
    public TickQueue(TimeSource time, Window.Ticks clock, LongUnaryOperator nanosUntil) {
        this.time = time;
        this.clock = clock;
        this.nanosUntil = nanosUntil;
    }

    /** Sleeps until a tick, unless there are ids before it; at most as long as said, or until an interrupt, which stays set. */
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
                park(ALONE_NANOS, longestNanos);
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
