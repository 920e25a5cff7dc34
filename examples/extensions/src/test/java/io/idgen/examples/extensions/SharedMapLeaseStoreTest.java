package io.idgen.examples.extensions;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.test.LeaseStoreContract;
import io.idgen.test.ManualClock;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

class SharedMapLeaseStoreTest extends LeaseStoreContract {
    private final ManualClock clock = new ManualClock("2026-01-01T00:00:00Z");

    @Override
    protected LeaseStore open() {
        return new SharedMapLeaseStore(new ConcurrentHashMap<>(), clock);
    }

    @Override
    protected void expire(Lease lease) {
        clock.advance(Duration.ofSeconds(31));
    }
}
