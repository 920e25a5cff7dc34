package io.idgen.test;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
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
    private final Map<String, TreeMap<Integer, Entry>> namespaces = new HashMap<>(); // by worker id

    /** A row. */
    private record Entry(
            int workerId,
            String layout,
            long fence,
            long horizonMillis,
            @Nullable String token,
            long heldUntilMillis) {
        boolean isFree(long nowMillis, @Nullable String ownToken) {
            return heldUntilMillis < nowMillis || (token != null && token.equals(ownToken));
        }

        boolean isHeldBy(Lease lease) {
            return lease.token().equals(token) && lease.fence() == fence;
        }

        boolean isAsIn(Lease lease) {
            return isHeldBy(lease) && lease.horizonMillis() == horizonMillis;
        }

        boolean isAsIn(Row row) {
            return fence == row.fence() && horizonMillis == row.horizonMillis();
        }

        Entry with(long newHorizonMillis, @Nullable String newToken, long untilMillis) {
            return new Entry(workerId, layout, fence, newHorizonMillis, newToken, untilMillis);
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
        Map<Integer, Entry> wanted = rows(terms).subMap(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers());
        long now = clock.millis();
        List<Row> rows = wanted.values().stream()
                .filter(entry -> !terms.excluded().contains(entry.workerId()))
                .filter(entry -> entry.isFree(now, token))
                .sorted(Comparator.comparingLong(Entry::horizonMillis))
                .limit(MOST_CANDIDATES)
                .map(entry -> new Row(
                        entry.workerId(), entry.fence(), entry.horizonMillis(), true, entry.token() != null, 0, null))
                .toList();
        String holders = wanted.values().stream()
                .filter(entry -> entry.token() != null)
                .map(entry ->
                        "worker id " + entry.workerId() + " until " + Instant.ofEpochMilli(entry.heldUntilMillis()))
                .collect(Collectors.joining("; ", "the leases are ", ""));
        return new Candidates(now, rows, rows.isEmpty() ? holders : "");
    }

    /** Returns a namespace with the rows that the terms need. Replaces unused rows of another layout. */
    private TreeMap<Integer, Entry> rows(LeaseTerms terms) {
        String layout = terms.layoutAndTimes();
        TreeMap<Integer, Entry> rows = namespaces.computeIfAbsent(terms.namespace(), name -> new TreeMap<>());
        rows.values().removeIf(entry -> entry.fence() == 0 && !entry.layout().equals(layout));
        for (Entry entry : rows.values()) {
            if (!entry.layout().equals(layout)) {
                throw new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "the worker ids of namespace '" + terms.namespace() + "' belong to layout " + entry.layout()
                                + ", and this generator has " + layout
                                + "; set that layout, or use a store of its own for each layout");
            }
        }
        for (int i = 0; i < terms.workers(); i++) {
            rows.computeIfAbsent(terms.firstWorkerId() + i, id -> new Entry(id, layout, 0, 0, null, 0));
        }
        return rows;
    }

    private Optional<Entry> find(LeaseTerms terms, int workerId) {
        return Optional.ofNullable(namespaces
                        .getOrDefault(terms.namespace(), new TreeMap<>())
                        .get(workerId))
                .filter(entry -> entry.layout().equals(terms.layoutAndTimes()));
    }

    /** Replaces an entry if it meets a condition. */
    private boolean update(LeaseTerms terms, int workerId, Predicate<Entry> condition, UnaryOperator<Entry> change) {
        Optional<Entry> found = find(terms, workerId).filter(condition);
        found.ifPresent(entry ->
                Objects.requireNonNull(namespaces.get(terms.namespace())).put(workerId, change.apply(entry)));
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
        return update(
                terms,
                row.workerId(),
                entry -> entry.isAsIn(row)
                        && entry.isFree(clock.millis(), token)
                        && isWithinWindow(terms, lease.horizonMillis()),
                entry -> new Entry(
                        entry.workerId(),
                        entry.layout(),
                        lease.fence(),
                        lease.horizonMillis(),
                        lease.token(),
                        leaseEnd(terms)));
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
                        new LeaseView(clock.millis(), entry.isHeldBy(lease), entry.horizonMillis(), true, 0, false));
    }

    @Override
    public synchronized boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        return update(
                terms,
                lease.workerId(),
                entry -> entry.isAsIn(lease) && isWithinWindow(terms, horizonMillis),
                entry -> entry.with(horizonMillis, lease.token(), leaseEnd(terms)));
    }

    @Override
    public synchronized boolean renew(LeaseTerms terms, Lease lease) {
        return update(
                terms,
                lease.workerId(),
                entry -> entry.isAsIn(lease),
                entry -> entry.with(lease.horizonMillis(), lease.token(), leaseEnd(terms)));
    }

    @Override
    public synchronized boolean release(LeaseTerms terms, Lease lease, long horizonMillis) {
        return update(
                terms, lease.workerId(), entry -> entry.isAsIn(lease), entry -> entry.with(horizonMillis, null, 0));
    }

    @Override
    public String toString() {
        return "worker ids in memory";
    }
}
