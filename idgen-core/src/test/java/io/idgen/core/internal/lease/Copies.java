package io.idgen.core.internal.lease;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;

/** Copies the memory of a {@link LeasedWorker}, as a snapshot of its host does. */
final class Copies {
    private Copies() {}

    /** Copies the memory of a worker that is not in a turn to a fresh one, and plans its next turn. */
    static void copy(LeasedWorker from, LeasedWorker to, SnowflakeLayout layout, long aheadTicks) {
        LeaseKeeper original = from.keeper;
        LeaseKeeper copy = to.keeper;
        Window inUse = original.window;
        Window window = copy(inUse, layout, aheadTicks);
        if (inUse.highest() == Window.SEALED) {
            window.seal();
        }
        copy.lock.lock();
        try {
            copy.state = original.state;
            copy.window = window;
            copy.leased = original.leased;
            copy.clock.reading = original.clock.reading; // both have the same monotonic clock
            copy.clock.follow(window, copy.leased);
            if (copy.state.goesOn() && copy.leased) {
                copy.next.plan(Duration.ZERO, false);
            }
        } finally {
            copy.lock.unlock();
        }
    }

    /** Creates an open window that continues after the last word of another one. */
    static Window copy(Window from, SnowflakeLayout layout, long aheadTicks) {
        long last = from.highestEver();
        long tick = last >> layout.sequenceBits();
        long used = (last & (layout.idsPerTick() - 1)) + 1;
        boolean whole = used == layout.idsPerTick();
        Window to = new RisingWindow(layout, from.workerId, 1, whole ? tick + 1 : tick, aheadTicks);
        if (!whole) {
            to.claim(() -> tick, (int) used);
        }
        to.endAt(from.lastTick());
        return to;
    }

    /** Returns whether a release of its row is still planned. */
    static boolean isReleasing(LeasedWorker worker) {
        return worker.keeper.state.releases() > 0;
    }
}
