package io.idgen.jdbc;

import io.idgen.core.lease.LeaseStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store that passes each statement on to another one. Tests override what they change. */
class DelegatingLeaseStore implements LeaseStore {
    private final LeaseStore store;

    DelegatingLeaseStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public Candidates candidates(Terms terms, @Nullable String token) {
        return store.candidates(terms, token);
    }

    @Override
    public boolean acquire(Terms terms, Row row, @Nullable String token, Lease lease) {
        return store.acquire(terms, row, token, lease);
    }

    @Override
    public boolean fenceOff(Terms terms, Row row, long horizonMillis, long gapMillis) {
        return store.fenceOff(terms, row, horizonMillis, gapMillis);
    }

    @Override
    public Optional<LeaseView> look(Terms terms, Lease lease) {
        return store.look(terms, lease);
    }

    @Override
    public boolean raise(Terms terms, Lease lease, long seenMillis) {
        return store.raise(terms, lease, seenMillis);
    }

    @Override
    public boolean heal(Terms terms, Lease lease) {
        return store.heal(terms, lease);
    }

    @Override
    public boolean extend(Terms terms, Lease lease, long horizonMillis) {
        return store.extend(terms, lease, horizonMillis);
    }

    @Override
    public boolean renew(Terms terms, Lease lease) {
        return store.renew(terms, lease);
    }

    @Override
    public boolean release(Terms terms, Lease lease, long horizonMillis) {
        return store.release(terms, lease, horizonMillis);
    }

    @Override
    public String holders(Terms terms) {
        return store.holders(terms);
    }
}
