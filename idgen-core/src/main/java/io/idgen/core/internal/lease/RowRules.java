package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.TickScale;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;

/** The rules on the row of a worker id that leases and backfills share, as pure functions. */
class RowRules {
    private static final Duration FENCING_MARGIN = Duration.ofSeconds(1);

    private final TickScale scale;
    private final Duration fencingMargin;

    RowRules(SnowflakeLayout layout) {
        this(layout, FENCING_MARGIN);
    }

    /**
     * Creates the rules for a layout.
     *
     * @param fencingMargin how far above the gap a row of another server is advanced, so that a slow statement is not
     *     refused
     */
    RowRules(SnowflakeLayout layout, Duration fencingMargin) {
        this.scale = TickScale.of(layout.epoch(), layout.tick(), layout.timeBits());
        this.fencingMargin = fencingMargin;
    }

    /** Returns the ticks of the layout. */
    TickScale scale() {
        return scale;
    }

    /**
     * Returns the horizon that fences off a row of another server: above all ticks that the server granted and lost. It
     * adds nothing to a horizon that is far ahead already. Otherwise two servers that answer in turn would raise it
     * without end.
     */
    long fencedOffMillis(long horizonMillis, long nowMillis, long gapMillis) {
        return up(Math.max(horizonMillis, nowMillis + gapMillis + fencingMargin.toMillis()));
    }

    /** Returns the horizon of a row that its holder leaves: after its last used tick, but not below its first one. */
    long leftMillis(long horizonMillis, long firstTick, long highestTick) {
        return Math.min(horizonMillis, scale.millisOf(Math.max(firstTick, highestTick + 1)));
    }

    /** Returns the next boundary of a tick. */
    long up(long millis) {
        return scale.millisOf(scale.tickFrom(millis));
    }

    /** Returns the last boundary of a tick, at most the end of the layout. */
    long down(long millis) {
        return scale.millisOf(Math.min(scale.tickAt(millis), scale.lastTick() + 1));
    }
}
