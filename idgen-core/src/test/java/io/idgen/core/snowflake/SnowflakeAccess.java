package io.idgen.core.snowflake;

import io.idgen.core.internal.lease.IssueClock;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.lease.WorkerLease;
import io.idgen.core.layout.SnowflakeLayout;

/** Gives tests of other packages access to package-private members. */
public final class SnowflakeAccess {
    private SnowflakeAccess() {}

    /** Creates a generator with a given lease. */
    public static Snowflake snowflake(String namespace, SnowflakeLayout layout, WorkerLease lease, IssueClock clock) {
        return new Snowflake(namespace, layout, lease, clock);
    }

    /** Creates the window of a policy. */
    public static Window window(
            ClockPolicy policy, SnowflakeLayout layout, long workerId, int startOffsets, long firstTick) {
        return policy.window(layout, workerId, startOffsets, firstTick);
    }

    /** Returns how many ticks ids may be ahead of the clock under a policy. */
    public static long aheadTicks(ClockPolicy policy, SnowflakeLayout layout) {
        return policy.aheadTicks(layout);
    }
}
