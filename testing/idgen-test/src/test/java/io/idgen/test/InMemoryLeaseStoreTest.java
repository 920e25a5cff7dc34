package io.idgen.test;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import java.time.Duration;

class InMemoryLeaseStoreTest extends LeaseStoreContract {
    private final ManualClock clock = new ManualClock("2026-01-01T00:00:00Z");
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(clock);

    @Override
    protected LeaseStore open() {
        return store;
    }

    @Override
    protected void expire(Lease lease) {
        clock.advance(Duration.ofSeconds(31));
    }
}
