package io.idgen.jdbc;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.util.Optional;

/** A store that ignores refusals: the fault that tests of leases must detect. */
final class CredulousStore extends DelegatingLeaseStore {
    CredulousStore(LeaseStore store) {
        super(store);
    }

    @Override
    public Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
        return super.look(terms, lease)
                .map(view -> new LeaseView(view.nowMillis(), true, lease.horizonMillis(), true, 0, false));
    }

    @Override
    public boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        super.extend(terms, lease, horizonMillis);
        return true;
    }
}
