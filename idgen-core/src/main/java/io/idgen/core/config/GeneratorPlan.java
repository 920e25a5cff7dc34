package io.idgen.core.config;

import io.idgen.core.internal.lease.WorkerIdSet;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All properties of a snowflake generator. Sources with equal plans share it.
 *
 * @param policy null with a lease
 * @param startOffsets the bound of start offsets, or null for the default of the layout
 * @param datacenter null if any may be leased
 * @param worker null if any that is free may be leased
 * @param lease null if the settings or this host determine the worker id, and it is not leased
 */
record GeneratorPlan(
        SnowflakeLayout layout,
        @Nullable ClockPolicy policy,
        @Nullable Integer startOffsets,
        String namespace,
        @Nullable Integer datacenter,
        @Nullable Integer worker,
        @Nullable Lease lease) {

    /** The store that a worker id is leased from, and the terms of its lease. */
    record Lease(LeaseStoreProvider store, WorkerIdSet reserved, Duration firstLease, Duration moreTicks) {}

    /** Returns the plan of one worker. */
    GeneratorPlan of(LocalFact.Worker one) {
        return new GeneratorPlan(layout, policy, startOffsets, namespace, one.datacenter(), one.worker(), lease);
    }

    // Written out: linking the generated method of a record would delay the first id of a JVM.
    @Override
    public int hashCode() {
        return namespace.hashCode();
    }

    /** Returns a builder with these properties, without clock, listener and lease store. */
    Snowflake.Builder builder() {
        Snowflake.Builder builder = Snowflake.builder().layout(layout).namespace(namespace);
        if (policy != null) {
            builder.clockPolicy(policy);
        }
        if (startOffsets != null) {
            builder.startOffsetBelow(startOffsets);
        }
        if (datacenter != null) {
            builder.datacenterId(datacenter);
        }
        if (worker != null) {
            builder.workerId(worker);
        }
        if (lease != null) {
            builder.reserved(lease.reserved.toString()).acquireTimeout(lease.firstLease, lease.moreTicks);
        }
        return builder;
    }
}
