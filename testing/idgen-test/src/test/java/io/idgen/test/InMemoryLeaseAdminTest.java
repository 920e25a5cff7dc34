package io.idgen.test;

import io.idgen.core.lease.LeaseStore;
import java.time.InstantSource;

class InMemoryLeaseAdminTest extends LeaseAdminContract {
    @Override
    protected LeaseStore open() {
        return new InMemoryLeaseStore(InstantSource.system());
    }
}
