package io.idgen.micrometer;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdgenListener;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.segment.Segment;
import io.idgen.test.InMemoryLeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Sources of both kinds, over a store in memory that can have an outage or refuse. */
final class Sources implements AutoCloseable {
    static final int STEP = 10;

    private final AtomicLong next = new AtomicLong(1);
    volatile boolean away;
    volatile boolean refusing;
    final IdgenEventMetrics events = new IdgenEventMetrics();
    final IdSources all = IdSources.builder()
            .set("idgen.acquire-timeout", "30s")
            .set("idgen.sources.lines.strategy", "memory")
            .resource(LeaseStore.class, leaseStore())
            .resource(IdgenListener.class, events)
            .strategy(new InMemory())
            .source("orders")
            .build();

    IdSource orders() {
        return all.get("orders");
    }

    IdSource lines() {
        return all.get("lines");
    }

    @Override
    public void close() {
        all.close();
    }

    private void reach() {
        if (away) {
            throw new StoreUnavailableException("connection reset");
        }
        if (refusing) {
            throw new AllocationException(ErrorCode.TABLE_MISSING, "no such table");
        }
    }

    private LeaseStore leaseStore() {
        InMemoryLeaseStore memory = new InMemoryLeaseStore(Clock.systemUTC());
        return (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    reach();
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private final class InMemory implements IdStrategy {
        @Override
        public String name() {
            return "memory";
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            return new SourcePlan(
                    Long.MAX_VALUE,
                    () -> context.segments((name, wanted) -> {
                                reach();
                                return new Segment(next.getAndAdd(wanted), wanted, 1);
                            })
                            .step(STEP)
                            .maxStep(STEP)
                            .acquireTimeout(Duration.ofSeconds(30))
                            .build());
        }
    }
}
