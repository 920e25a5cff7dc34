package io.idgen.jdbc;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store that passes each statement on to another one. Tests override what they change. */
class DelegatingLeaseStore implements LeaseStore {
    private final LeaseStore store;

    DelegatingLeaseStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public Candidates candidates(LeaseTerms terms, @Nullable String token) {
        return store.candidates(terms, token);
    }

    @Override
    public boolean acquire(LeaseTerms terms, Row row, @Nullable String token, Lease lease) {
        return store.acquire(terms, row, token, lease);
    }

    @Override
    public boolean fenceOff(LeaseTerms terms, Row row, long horizonMillis) {
        return store.fenceOff(terms, row, horizonMillis);
    }

    @Override
    public Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
        return store.look(terms, lease);
    }

    @Override
    public boolean raise(LeaseTerms terms, Lease lease, long seenMillis) {
        return store.raise(terms, lease, seenMillis);
    }

    @Override
    public boolean heal(LeaseTerms terms, Lease lease) {
        return store.heal(terms, lease);
    }

    @Override
    public boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        return store.extend(terms, lease, horizonMillis);
    }

    @Override
    public boolean renew(LeaseTerms terms, Lease lease) {
        return store.renew(terms, lease);
    }

    @Override
    public boolean release(LeaseTerms terms, Lease lease, long horizonMillis) {
        return store.release(terms, lease, horizonMillis);
    }
}
