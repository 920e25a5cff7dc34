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
    private static final int HOLDERS_NAMED = 3;
    private static final String HOLDER = "process " + ProcessHandle.current().pid();

    private final InstantSource clock;
    private final Map<String, Namespace> namespaces = new HashMap<>();
    private int server = 1;

    /** The rows of a namespace by their worker ids. */
    private static final class Namespace {
        final TreeMap<Integer, Entry> entries = new TreeMap<>();
        final String layout;

        Namespace(String layout) {
            this.layout = layout;
        }

        boolean isOf(LeaseTerms terms) {
            return layout.equals(terms.layoutAndTimes());
        }
    }

    /** A row. */
    private record Entry(
            int workerId,
            long fence,
            long horizonMillis,
            int server,
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
            return new Entry(workerId, fence, newHorizonMillis, server, newToken, untilMillis);
        }

        Entry next(int byServer) {
            return new Entry(workerId, fence + 1, horizonMillis, byServer, token, heldUntilMillis);
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

    /**
     * Lets another server answer from now on, as after a failover without lost commits. Worker ids that were granted
     * before can be leased again after they are fenced off.
     */
    public synchronized void failOver() {
        server++;
    }

    @Override
    public synchronized Candidates candidates(LeaseTerms terms, @Nullable String token) {
        Namespace namespace = namespaceOf(terms);
        long now = clock.millis();
        List<Row> rows = entries(namespace, terms).values().stream()
                .filter(entry -> !terms.excluded().contains(entry.workerId()))
                .filter(entry -> entry.isFree(now, token))
                .sorted(Comparator.comparingLong(Entry::horizonMillis).thenComparingInt(Entry::workerId))
                .limit(MOST_CANDIDATES)
                .map(entry -> new Row(
                        entry.workerId(),
                        entry.fence(),
                        entry.horizonMillis(),
                        entry.server() == server,
                        entry.token() != null,
                        0,
                        null))
                .toList();
        return new Candidates(now, rows, rows.isEmpty() ? holders(terms) : "");
    }

    /** Returns a namespace with the rows that the terms need. Replaces an unused one of another layout. */
    private Namespace namespaceOf(LeaseTerms terms) {
        String layout = terms.layoutAndTimes();
        Namespace found = namespaces.get(terms.namespace());
        if (found != null && !found.isOf(terms)) {
            if (found.entries.values().stream().anyMatch(entry -> entry.fence() > 0)) {
                throw new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "the worker ids of namespace '" + terms.namespace() + "' belong to layout " + found.layout
                                + ", and this generator has " + layout
                                + "; set that layout, or use a store of its own for each layout");
            }
            namespaces.remove(terms.namespace());
        }
        Namespace namespace = namespaces.computeIfAbsent(terms.namespace(), name -> new Namespace(layout));
        for (int i = 0; i < terms.workers(); i++) {
            namespace.entries.computeIfAbsent(
                    terms.firstWorkerId() + i, workerId -> new Entry(workerId, 0, 0, server, null, 0));
        }
        return namespace;
    }

    private static Map<Integer, Entry> entries(@Nullable Namespace namespace, LeaseTerms terms) {
        return namespace == null || !namespace.isOf(terms)
                ? Map.of()
                : namespace.entries.subMap(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers());
    }

    private Optional<Entry> find(LeaseTerms terms, int workerId) {
        return Optional.ofNullable(
                entries(namespaces.get(terms.namespace()), terms).get(workerId));
    }

    /** Replaces an entry if it meets a condition. */
    private boolean update(LeaseTerms terms, int workerId, Predicate<Entry> condition, UnaryOperator<Entry> change) {
        Optional<Entry> found = find(terms, workerId).filter(condition);
        found.ifPresent(entry -> Objects.requireNonNull(namespaces.get(terms.namespace()))
                .entries
                .put(workerId, change.apply(entry)));
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
                        && entry.server() == server
                        && isWithinWindow(terms, lease.horizonMillis()),
                entry -> entry.next(server).with(lease.horizonMillis(), lease.token(), leaseEnd(terms)));
    }

    @Override
    public synchronized boolean fenceOff(LeaseTerms terms, Row row, long horizonMillis) {
        return update(
                terms,
                row.workerId(),
                entry -> entry.isAsIn(row)
                        && entry.server() != server
                        && horizonMillis >= clock.millis() + terms.gapMillis(),
                entry -> entry.next(server).with(horizonMillis, null, 0));
    }

    @Override
    public synchronized Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
        return find(terms, lease.workerId())
                .map(entry -> new LeaseView(
                        clock.millis(),
                        entry.isHeldBy(lease),
                        entry.horizonMillis(),
                        entry.server() == server,
                        0,
                        false));
    }

    @Override
    public synchronized boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        return update(
                terms,
                lease.workerId(),
                entry -> entry.isAsIn(lease) && entry.server() == server && isWithinWindow(terms, horizonMillis),
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

    private String holders(LeaseTerms terms) {
        return entries(namespaces.get(terms.namespace()), terms).values().stream()
                .filter(entry -> entry.token() != null)
                .sorted(Comparator.comparingLong(Entry::heldUntilMillis))
                .limit(HOLDERS_NAMED)
                .map(entry -> "worker id " + entry.workerId() + ", by " + HOLDER + " until "
                        + Instant.ofEpochMilli(entry.heldUntilMillis()))
                .collect(Collectors.joining("; ", "the oldest leases are ", ""));
    }

    @Override
    public String toString() {
        return "worker ids in memory";
    }
}
