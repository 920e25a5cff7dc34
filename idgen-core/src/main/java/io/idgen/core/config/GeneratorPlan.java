package io.idgen.core.config;

import io.idgen.core.internal.worker.WorkerIdSet;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** All properties of a snowflake generator. Sources with equal plans share it. */
sealed interface GeneratorPlan {

    SnowflakeLayout layout();

    String namespace();

    /** Returns a builder with these properties, without clock, listener and lease store. */
    Snowflake.Builder builder();

    /** A generator whose worker id the settings or this host determine. */
    record Fixed(
            SnowflakeLayout layout,
            ClockPolicy policy,
            @Nullable Integer startOffsets,
            String namespace,
            int datacenter,
            int worker)
            implements GeneratorPlan {
        // Written out in both plans: linking the generated method of a record would delay the first id of a JVM.
        @Override
        public int hashCode() {
            return 31 * worker + namespace.hashCode();
        }

        @Override
        public Snowflake.Builder builder() {
            return withStartOffsets(startOffsets)
                    .layout(layout)
                    .clockPolicy(policy)
                    .namespace(namespace)
                    .datacenterId(datacenter)
                    .workerId(worker);
        }
    }

    /** A generator that leases its worker id: a given one, or any that is free. */
    record Leased(
            SnowflakeLayout layout,
            @Nullable Integer startOffsets,
            String namespace,
            @Nullable Integer datacenter,
            @Nullable Integer worker,
            WorkerIdSet reserved,
            Times times,
            String assigner)
            implements GeneratorPlan {
        @Override
        public int hashCode() {
            return namespace.hashCode();
        }

        @Override
        public Snowflake.Builder builder() {
            Snowflake.Builder builder = withStartOffsets(startOffsets)
                    .layout(layout)
                    .namespace(namespace)
                    .reserved(reserved.toString())
                    .lease(times.lease, times.window, times.renew)
                    .acquireTimeout(times.firstLease, times.moreTicks);
            if (datacenter != null) {
                builder.datacenterId(datacenter);
            }
            if (worker != null) {
                builder.workerId(worker);
            }
            return times.keepHorizon ? builder.keepHorizon() : builder;
        }
    }

    /** The times of a lease. */
    record Times(
            Duration lease,
            Duration window,
            Duration renew,
            Duration firstLease,
            Duration moreTicks,
            boolean keepHorizon) {}

    private static Snowflake.Builder withStartOffsets(@Nullable Integer bound) {
        Snowflake.Builder builder = Snowflake.builder();
        return bound == null ? builder : builder.startOffsetBelow(bound);
    }
}
