package io.idgen.test.internal;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;

/** Leases worker ids as a process does that has the default settings. */
public final class Leases {
    private static final long AHEAD_MILLIS = 15_000;

    private Leases() {}

    /** Returns terms for the namespace {@code default} and for worker ids from 0 on. */
    public static LeaseTerms terms(int workerIds) {
        return terms("default", 0, workerIds);
    }

    public static LeaseTerms terms(String namespace, int firstWorkerId, int workerIds) {
        return new LeaseTerms(namespace, SnowflakeLayout.IDGEN, firstWorkerId, workerIds);
    }

    /** Returns the lease that a process has after it has acquired a row. */
    public static Lease after(Row row, String token, long horizonMillis) {
        return new Lease(row.workerId(), row.fence() + 1, token, horizonMillis, row.generation(), row.server());
    }

    /** Acquires the first candidate. */
    public static Lease acquire(LeaseStore store, LeaseTerms terms, String token) {
        Candidates candidates = store.candidates(terms, null);
        Row row = candidates.rows().stream().findFirst().orElseThrow(() -> new AssertionError("no worker id is free"));
        Lease lease = after(row, token, candidates.nowMillis() + AHEAD_MILLIS);
        if (!row.sameServer() || !store.acquire(terms, row, null, lease)) {
            throw new AssertionError("the store refuses " + lease + " of " + row);
        }
        return lease;
    }
}
