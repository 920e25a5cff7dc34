package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.window.LayoutTime;
import io.idgen.core.internal.window.RisingWindow;
import io.idgen.core.internal.window.StripedWindow;
import io.idgen.core.internal.window.Window;
import io.idgen.core.layout.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * The window in use, and its replacement by the window of a newly acquired row. Reading it takes no lock; changing it
 * needs the lock of its {@link LeaseKeeper}.
 */
final class LeaseWindow {
    private final LeaseProtocol protocol;
    private final SnowflakeLayout layout;
    private final TickScale scale;
    private final int startOffsets;
    private final long aheadTicks;

    volatile Window current;

    LeaseWindow(LeaseProtocol protocol, SnowflakeLayout layout, int startOffsets, long aheadTicks) {
        this.protocol = protocol;
        this.layout = layout;
        this.scale = LayoutTime.ticks(layout);
        this.startOffsets = startOffsets;
        this.aheadTicks = aheadTicks;
        this.current = new RisingWindow(layout, 0, 1, 0, aheadTicks);
        this.current.seal(); // there is no window yet
    }

    /** The window in use; sealed if there is none. */
    Window current() {
        return current;
    }

    boolean hasIds() {
        return hasIds(current);
    }

    static boolean hasIds(Window window) {
        long highest = window.highest();
        return highest != Window.SEALED && !window.isUsedUp(highest);
    }

    /**
     * Starts to use the ticks of the held row, if their time has begun or the window in use has no id left.
     *
     * @return the new state; null if the window in use stays
     */
    @Nullable
    LeaseState openQueued(LeaseState state, long nowMillis) {
        Window old = current;
        if (!protocol.isDue(state, old.highestTick(), !hasIds(old), scale.tickAt(nowMillis))) {
            return null;
        }
        old.seal(); // no thread can claim from it any more, so its last tick is final
        LeaseProtocol.Opening opening = protocol.opening(state, old.highestTick());
        if (opening == null) {
            return null;
        }
        Window window = StripedWindow.ifWide(layout, opening.workerId(), startOffsets, opening.firstTick(), aheadTicks);
        window.endAt(opening.endTick() - 1);
        current = window;
        return protocol.opened(state);
    }

    /** Extends the window in use to the end of its row. */
    void extendTo(LeaseState.Holding holding) {
        current.endAt(protocol.endTick(holding) - 1);
    }

    void seal() {
        current.seal();
    }
}
