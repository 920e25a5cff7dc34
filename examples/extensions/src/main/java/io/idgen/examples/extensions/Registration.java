package io.idgen.examples.extensions;

import io.idgen.core.config.IdSources;
import io.idgen.core.lease.LeaseStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentMap;

/** Registers each extension in one line. */
final class Registration {
    private Registration() {}

    static IdSources strategy(SharedCounterStrategy.Counter counter) {
        return IdSources.builder()
                .strategy(new SharedCounterStrategy(counter))
                .set("idgen.strategy", "shared-counter")
                .source("orders")
                .build();
    }

    static IdSources leaseStore(ConcurrentMap<String, SharedMapLeaseStore.Entry> map, InstantSource clock) {
        return IdSources.builder()
                .resource(LeaseStore.class, new SharedMapLeaseStore(map, clock))
                .source("orders")
                .build();
    }

    static IdSources assigner(Path settings) {
        return IdSources.builder().file(settings).source("orders").build();
    }
}
