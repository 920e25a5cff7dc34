package io.idgen.core.snowflake;

import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.worker.WindowPolicy;
import io.idgen.core.layout.SnowflakeLayout;

/** Creates the windows of a clock policy. */
record PolicyWindows(ClockPolicy policy) implements WindowPolicy {
    @Override
    public Window window(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick) {
        return policy.window(layout, workerId, startOffsets, firstTick);
    }

    @Override
    public long aheadTicks(SnowflakeLayout layout) {
        return policy.aheadTicks(layout);
    }

    @Override
    public String toString() {
        return policy.toString();
    }
}
