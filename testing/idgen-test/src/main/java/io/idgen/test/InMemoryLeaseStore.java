package io.idgen.test;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
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
    private final Map<String, TreeMap<Integer, LeaseEntry>> namespaces = new HashMap<>();

    /** The horizons of entries that are created later, for namespaces that had another layout. */
    private final Map<String, Long> lowest = new HashMap<>();

    private int server = 1;

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
    public synchronized Candidates candidates(Terms terms, @Nullable String token) {
        Map<Integer, LeaseEntry> entries = entriesOf(terms);
        long now = clock.millis();
        long longestWindow = entries.values().stream()
                .mapToLong(LeaseEntry::longestWindowMillis)
                .max()
                .orElse(0);
        List<Row> rows = entries.values().stream()
                .filter(entry -> isOf(terms, entry) && !terms.excluded().contains(entry.workerId()))
                .filter(entry -> entry.isFree(now, token))
                .sorted(Comparator.comparingLong(LeaseEntry::horizonMillis).thenComparingInt(LeaseEntry::workerId))
                .limit(MOST_CANDIDATES)
                .map(entry -> new Row(
                        entry.workerId(),
                        entry.fence(),
                        entry.horizonMillis(),
                        entry.server() == server,
                        entry.token() != null))
                .toList();
        return new Candidates(now, Candidates.gapMillis(terms.window(), longestWindow), rows);
    }

    /**
     * Returns the entries of a namespace; creates those that the terms need. Replaces unused entries of another layout.
     */
    private Map<Integer, LeaseEntry> entriesOf(Terms terms) {
        TreeMap<Integer, LeaseEntry> entries = namespaces.computeIfAbsent(terms.namespace(), name -> new TreeMap<>());
        String layout = terms.layout().toString();
        if (entries.values().stream().anyMatch(entry -> !entry.layout().equals(layout))) {
            if (entries.values().stream().anyMatch(LeaseEntry::wasUsed)) {
                throw new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "the worker ids of namespace '" + terms.namespace() + "' belong to layout "
                                + entries.firstEntry().getValue().layout() + ", and this generator has " + layout
                                + "; set that layout, or use a store of its own for each layout");
            }
            entries.clear();
        }
        for (int i = 0; i < terms.workers(); i++) {
            entries.computeIfAbsent(
                    terms.firstWorkerId() + i,
                    workerId ->
                            LeaseEntry.unused(workerId, layout, lowest.getOrDefault(terms.namespace(), 0L), server));
        }
        return entries;
    }

    private static boolean isOf(Terms terms, LeaseEntry entry) {
        return entry.layout().equals(terms.layout().toString())
                && entry.workerId() >= terms.firstWorkerId()
                && entry.workerId() < terms.firstWorkerId() + terms.workers();
    }

    private Optional<LeaseEntry> find(Terms terms, int workerId) {
        return Optional.ofNullable(namespaces.get(terms.namespace()))
                .map(entries -> entries.get(workerId))
                .filter(entry -> isOf(terms, entry));
    }

    /** Replaces an entry if it meets a condition. */
    private boolean update(
            Terms terms, int workerId, Predicate<LeaseEntry> condition, UnaryOperator<LeaseEntry> change) {
        Optional<LeaseEntry> found = find(terms, workerId).filter(condition);
        found.ifPresent(entry ->
                Objects.requireNonNull(namespaces.get(terms.namespace())).put(workerId, change.apply(entry)));
        return found.isPresent();
    }

    private boolean isWithinWindow(Terms terms, long horizonMillis) {
        return horizonMillis <= clock.millis() + terms.window().toMillis();
    }

    private long leaseEnd(Terms terms) {
        return clock.millis() + terms.lease().toMillis();
    }

    @Override
    public synchronized boolean acquire(Terms terms, Row row, @Nullable String token, Lease lease) {
        return update(
                terms,
                row.workerId(),
                entry -> entry.isAsIn(row)
                        && entry.isFree(clock.millis(), token)
                        && entry.server() == server
                        && isWithinWindow(terms, lease.horizonMillis()),
                entry -> entry.leased(lease, terms.window().toMillis(), server, leaseEnd(terms)));
    }

    @Override
    public synchronized boolean fenceOff(Terms terms, Row row, long horizonMillis, long gapMillis) {
        return update(
                terms,
                row.workerId(),
                entry -> entry.isAsIn(row) && entry.server() != server && horizonMillis >= clock.millis() + gapMillis,
                entry -> entry.set(horizonMillis, server, false));
    }

    @Override
    public synchronized Optional<LeaseView> look(Terms terms, Lease lease) {
        return find(terms, lease.workerId())
                .map(entry -> new LeaseView(
                        clock.millis(), entry.isHeldBy(lease), entry.horizonMillis(), entry.server() == server));
    }

    @Override
    public synchronized boolean extend(Terms terms, Lease lease, long horizonMillis) {
        return update(
                terms,
                lease.workerId(),
                entry -> entry.isAsIn(lease) && entry.server() == server && isWithinWindow(terms, horizonMillis),
                entry -> entry.withHorizon(horizonMillis).heldBy(lease.token(), leaseEnd(terms)));
    }

    @Override
    public synchronized boolean renew(Terms terms, Lease lease) {
        return update(
                terms,
                lease.workerId(),
                entry -> entry.isAsIn(lease),
                entry -> entry.heldBy(lease.token(), leaseEnd(terms)));
    }

    @Override
    public synchronized boolean release(Terms terms, Lease lease, long horizonMillis) {
        return update(
                terms,
                lease.workerId(),
                entry -> entry.isAsIn(lease),
                entry -> entry.withHorizon(horizonMillis).heldBy(null, 0));
    }

    @Override
    public synchronized String holders(Terms terms) {
        return namespaces.getOrDefault(terms.namespace(), new TreeMap<>()).values().stream()
                .filter(entry -> isOf(terms, entry))
                .sorted(Comparator.comparing(LeaseEntry::reserved).thenComparingLong(LeaseEntry::heldUntilMillis))
                .limit(HOLDERS_NAMED)
                .map(entry -> "worker id " + entry.workerId()
                        + (entry.reserved()
                                ? ", reserved for " + HOLDER
                                : ", by " + HOLDER + " until " + Instant.ofEpochMilli(entry.heldUntilMillis())))
                .collect(Collectors.joining("; ", "the oldest leases are ", ""));
    }

    @Override
    public synchronized Optional<RowState> state(Terms terms, int workerId) {
        return find(terms, workerId).map(this::stateOf);
    }

    private RowState stateOf(LeaseEntry entry) {
        return new RowState(
                clock.millis(),
                entry.fence(),
                entry.horizonMillis(),
                entry.server() == server,
                entry.reserved(),
                entry.token(),
                entry.heldUntilMillis(),
                HOLDER);
    }

    @Override
    public synchronized boolean reserve(
            Terms terms, int workerId, RowState seen, @Nullable String token, long horizonMillis) {
        return update(
                terms,
                workerId,
                entry -> entry.fence() == seen.fence()
                        && entry.horizonMillis() == seen.horizonMillis()
                        && (entry.server() == server || (entry.reserved() && isHolder(entry, seen, token))),
                entry -> entry.reservedFor(token, horizonMillis, server, token == null ? 0 : leaseEnd(terms)));
    }

    /**
     * Returns whether the calling process holds the row. A process that leaves the row passes no token; it has seen the
     * row.
     */
    private static boolean isHolder(LeaseEntry entry, RowState seen, @Nullable String token) {
        return entry.token() != null && entry.token().equals(token == null ? seen.token() : token);
    }

    @Override
    public Optional<LeaseAdmin> admin() {
        return Optional.of(new Admin());
    }

    /** The rows for the doctor and repairs. */
    private final class Admin implements LeaseAdmin {
        @Override
        public List<Namespace> namespaces(String known) {
            synchronized (InMemoryLeaseStore.this) {
                return namespaces.entrySet().stream()
                        .map(each -> namespace(each.getKey(), each.getValue().values()))
                        .toList();
            }
        }

        private Namespace namespace(String name, Collection<LeaseEntry> entries) {
            return new Namespace(
                    name,
                    "memory",
                    true,
                    entries.stream().map(LeaseEntry::layout).findFirst().orElse(""),
                    "",
                    clock.instant(),
                    Duration.ofMillis(entries.stream()
                            .mapToLong(LeaseEntry::longestWindowMillis)
                            .max()
                            .orElse(0)),
                    entries.stream()
                            .map(each -> new Worker(each.workerId(), stateOf(each)))
                            .toList());
        }

        @Override
        public boolean change(List<Change> changes) {
            synchronized (InMemoryLeaseStore.this) {
                if (!changes.stream().allMatch(this::isAsSeen)) {
                    return false;
                }
                for (Change each : changes) {
                    Objects.requireNonNull(namespaces.get(each.namespace()))
                            .computeIfPresent(
                                    each.seen().id(),
                                    (id, entry) -> entry.set(
                                            each.horizonMillis(),
                                            each.forgetsServer() ? 0 : entry.server(),
                                            each.reserved()));
                }
                return true;
            }
        }

        private boolean isAsSeen(Change change) {
            LeaseEntry entry = namespaces
                    .getOrDefault(change.namespace(), new TreeMap<>())
                    .get(change.seen().id());
            RowState seen = change.seen().row();
            return entry != null
                    && entry.fence() == seen.fence()
                    && entry.horizonMillis() == seen.horizonMillis()
                    && entry.heldUntilMillis() == seen.heldUntilMillis()
                    && Objects.equals(entry.token(), seen.token());
        }

        private boolean isAsSeen(Namespace seen) {
            return namespaces.getOrDefault(seen.name(), new TreeMap<>()).size()
                            == seen.workers().size()
                    && seen.workers().stream()
                            .allMatch(each -> isAsSeen(
                                    new Change(seen.name(), each, each.row().horizonMillis(), false, false)));
        }

        @Override
        public boolean changeLayout(Namespace seen, SnowflakeLayout layout, long lowestMillis) {
            synchronized (InMemoryLeaseStore.this) {
                if (!isAsSeen(seen)) {
                    return false;
                }
                lowest.put(seen.name(), lowestMillis);
                Objects.requireNonNull(namespaces.get(seen.name()))
                        .replaceAll((id, entry) -> entry.inLayout(layout.toString(), lowestMillis));
                return true;
            }
        }

        @Override
        public boolean remove(List<Namespace> seen) {
            synchronized (InMemoryLeaseStore.this) {
                if (!seen.stream().allMatch(this::isAsSeen)) {
                    return false;
                }
                for (Namespace each : seen) {
                    namespaces.remove(each.name());
                    lowest.remove(each.name());
                }
                return true;
            }
        }

        @Override
        public List<Finding> findings(String known, InstantSource hostClock) {
            return List.of();
        }

        @Override
        public String toString() {
            return "memory";
        }
    }

    @Override
    public String toString() {
        return "worker ids in memory";
    }
}
