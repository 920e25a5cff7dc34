package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.window.RisingWindow;
import io.idgen.core.internal.window.Window;
import io.idgen.core.layout.SnowflakeLayout;
import java.util.Optional;

/** Copies the memory of a {@link LeasedWorker}, as a snapshot of its host does. */
final class Copies {
    private Copies() {}

    /** Gives a fresh worker the memory of another one, which is in no turn; its next turn is planned anew. */
    static void copy(LeasedWorker from, LeasedWorker to, SnowflakeLayout layout, long aheadTicks) {
        LeaseKeeper.Memory memory = from.keeper.memory();
        Window window = copy(memory.window(), layout, aheadTicks);
        if (memory.window().highest() == Window.SEALED) {
            window.seal();
        }
        to.keeper.remember(new LeaseKeeper.Memory(memory.state(), window, memory.leased(), memory.clock()));
    }

    /** An open window that goes on after the last word of another one. */
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

    /** Worker id, first and last tick that are leased, and of which no window is made yet. */
    static Optional<long[]> queued(LeasedWorker worker, SnowflakeLayout layout) {
        LeaseState state = worker.keeper.memory().state();
        return Optional.ofNullable(state.holding())
                .filter(holding -> !holding.inUse())
                .map(holding -> new long[] {
                    holding.lease().workerId(),
                    holding.firstTick(),
                    TickScale.of(layout.epoch(), layout.tick(), layout.timeBits())
                                    .tickAt(holding.lease().horizonMillis())
                            - 1
                });
    }

    /** Whether its row is still to be given back. */
    static boolean isReleasing(LeasedWorker worker) {
        return worker.keeper.memory().state().releases() > 0;
    }
}
