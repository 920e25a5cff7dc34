package io.idgen.test;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Stores leases of worker ids in the memory of one JVM. Generators that share a store get different worker ids, by the
 * same protocol as with a database. The store uses the clock that you pass: advance a {@link ManualClock} to let leases
 * expire.
 *
 * <p>For tests only: other processes, and this one after a restart, do not see the leases. Safe for many threads; each
 * call is atomic and never waits.
 */
public final class InMemoryLeaseStore implements LeaseStore {
    private static final int MOST_CANDIDATES = 64;

    private final InstantSource clock;
    private final Map<String, OneLayout> namespaces = new HashMap<>();

    /** The rows of one layout, by worker id. */
    private record OneLayout(String layout, SortedMap<Integer, Entry> rows) {}

    /** A row. */
    private static final class Entry {
        private long fence;
        private long horizonMillis;
        private @Nullable String token;
        private long heldUntilMillis;

        boolean isFree(long nowMillis, @Nullable String ownToken) {
            return heldUntilMillis < nowMillis || (token != null && token.equals(ownToken));
        }

        boolean isHeldBy(Lease lease) {
            return lease.token().equals(token) && lease.fence() == fence;
        }

        void grant(long newHorizonMillis, @Nullable String newToken, long untilMillis) {
            horizonMillis = newHorizonMillis;
            token = newToken;
            heldUntilMillis = untilMillis;
        }
    }

    /**
     * Creates a store without any namespace. The first generator of a namespace creates its worker ids.
     *
     * @param clock the store's own time
     */
    public InMemoryLeaseStore(InstantSource clock) {
        this.clock = Objects.requireNonNull(clock);
    }

    @Override
    public synchronized Candidates candidates(LeaseTerms terms, @Nullable String token) {
        SortedMap<Integer, Entry> wanted =
                rows(terms).subMap(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers());
        long now = clock.millis();
        List<Row> rows = new ArrayList<>();
        StringJoiner holders = new StringJoiner("; ", "the leases are ", "");
        wanted.forEach((id, entry) -> {
            if (entry.isFree(now, token) && !terms.excluded().contains(id)) {
                rows.add(new Row(id, entry.fence, entry.horizonMillis, true, entry.token != null, 0, null));
            }
            if (entry.token != null) {
                holders.add("worker id " + id + " until " + Instant.ofEpochMilli(entry.heldUntilMillis));
            }
        });
        rows.sort(Comparator.comparingLong(Row::horizonMillis));
        return new Candidates(
                now, rows.subList(0, Math.min(rows.size(), MOST_CANDIDATES)), rows.isEmpty() ? holders.toString() : "");
    }

    /** Returns a namespace with the rows that the terms need. */
    private SortedMap<Integer, Entry> rows(LeaseTerms terms) {
        String layout = terms.layoutAndTimes();
        OneLayout namespace =
                namespaces.computeIfAbsent(terms.namespace(), name -> new OneLayout(layout, new TreeMap<>()));
        if (!namespace.layout.equals(layout)) {
            throw terms.otherLayout("this store", namespace.layout);
        }
        for (int i = 0; i < terms.workers(); i++) {
            namespace.rows.computeIfAbsent(terms.firstWorkerId() + i, id -> new Entry());
        }
        return namespace.rows;
    }

    private Optional<Entry> find(LeaseTerms terms, int workerId) {
        return Optional.ofNullable(namespaces.get(terms.namespace()))
                .filter(found -> found.layout.equals(terms.layoutAndTimes()))
                .map(found -> found.rows.get(workerId));
    }

    /** Sets the horizon of a lease's row, if it is as in the lease, which then is renewed or released. */
    private boolean update(LeaseTerms terms, Lease lease, long horizonMillis, boolean renewed) {
        Optional<Entry> found = find(terms, lease.workerId())
                .filter(entry -> entry.isHeldBy(lease) && entry.horizonMillis == lease.horizonMillis());
        found.ifPresent(
                entry -> entry.grant(horizonMillis, renewed ? lease.token() : null, renewed ? leaseEnd(terms) : 0));
        return found.isPresent();
    }

    private boolean isWithinWindow(LeaseTerms terms, long horizonMillis) {
        return horizonMillis <= clock.millis() + terms.window().toMillis();
    }

    private long leaseEnd(LeaseTerms terms) {
        return clock.millis() + terms.lease().toMillis();
    }

    @Override
    public synchronized boolean acquire(LeaseTerms terms, Row row, @Nullable String token, Lease lease) {
        Optional<Entry> found = find(terms, row.workerId())
                .filter(entry -> entry.fence == row.fence()
                        && entry.horizonMillis == row.horizonMillis()
                        && entry.isFree(clock.millis(), token)
                        && isWithinWindow(terms, lease.horizonMillis()));
        found.ifPresent(entry -> {
            entry.fence = lease.fence();
            entry.grant(lease.horizonMillis(), lease.token(), leaseEnd(terms));
        });
        return found.isPresent();
    }

    /** Returns false: no other server takes over the memory of a process. */
    @Override
    public boolean fenceOff(LeaseTerms terms, Row row, long horizonMillis) {
        return false;
    }

    @Override
    public synchronized Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
        return find(terms, lease.workerId())
                .map(entry ->
                        new LeaseView(clock.millis(), entry.isHeldBy(lease), entry.horizonMillis, true, 0, false));
    }

    @Override
    public synchronized boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        return isWithinWindow(terms, horizonMillis) && update(terms, lease, horizonMillis, true);
    }

    @Override
    public synchronized boolean renew(LeaseTerms terms, Lease lease) {
        return update(terms, lease, lease.horizonMillis(), true);
    }

    @Override
    public synchronized boolean release(LeaseTerms terms, Lease lease, long horizonMillis) {
        return update(terms, lease, horizonMillis, false);
    }

    @Override
    public String toString() {
        return "worker ids in memory";
    }
}
