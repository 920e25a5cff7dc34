package io.idgen.core.internal.worker;

import io.idgen.core.internal.window.Window;
import io.idgen.core.layout.SnowflakeLayout;

/** Creates the windows of a fixed worker id. Two policies are equal if they create the same windows. */
public interface WindowPolicy {
    /** Creates a window that begins at a tick. */
    Window window(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick);

    /** Returns how many ticks ids may be ahead of the clock. */
    long aheadTicks(SnowflakeLayout layout);
}
