package io.idgen.core.internal.worker;

import io.idgen.core.internal.window.Window;
import io.idgen.core.layout.SnowflakeLayout;

/** What decides which window a fixed worker id has; equal for two that make the same windows. */
public interface WindowPolicy {
    /** A new window from a tick on. */
    Window window(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick);

    /** How many ticks ids may be ahead of the clock. */
    long aheadTicks(SnowflakeLayout layout);
}
