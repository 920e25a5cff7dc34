package io.idgen.examples.extensions;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseStore;
import java.io.Serializable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Leases worker ids from a map that all processes share, such as that of a data grid or a coordination service. Every
 * change is one {@code replace(key, old, new)}. The map must be linearizable and must not lose a completed change. So
 * all its servers count as one.
 */
public final class SharedMapLeaseStore implements LeaseStore {
    private static final int MOST_CANDIDATES = 64;
    private static final int HOLDERS_NAMED = 3;

    /**
     * The state of a worker id.
     *
     * @param fence how often it was leased or reserved
     * @param horizonMillis no tick from this time on was ever granted
     * @param longestWindowMillis the longest window that was ever used
     * @param reserved whether no process can lease it
     * @param token the token of the process that has it, or null
     * @param heldUntilMillis until when that process counts as alive
     */
    public record Entry(
            long fence,
            long horizonMillis,
            long longestWindowMillis,
            boolean reserved,
            @Nullable String token,
            long heldUntilMillis)
            implements Serializable {

        private static final Entry UNUSED = new Entry(0, 0, 0, false, null, 0);

        boolean isFree(long nowMillis, @Nullable String ownToken) {
            return !reserved && (heldUntilMillis < nowMillis || (token != null && token.equals(ownToken)));
        }

        boolean isHeldBy(Lease lease) {
            return !reserved && lease.token().equals(token) && lease.fence() == fence;
        }

        boolean isAsIn(Lease lease) {
            return isHeldBy(lease) && lease.horizonMillis() == horizonMillis;
        }
    }

    private final ConcurrentMap<String, Entry> entries;
    private final InstantSource clock;

    /**
     * Creates a store over a map.
     *
     * @param entries shared by all processes
     * @param clock the time of the map's servers, not of this host
     */
    public SharedMapLeaseStore(ConcurrentMap<String, Entry> entries, InstantSource clock) {
        this.entries = entries;
        this.clock = clock;
    }

    // The layout is part of the key, so each layout has its own entries. A namespace keeps its first layout.

    private static String key(Terms terms, int workerId) {
        return terms.namespace() + '/' + terms.layout() + '/' + workerId;
    }

    private void refuseOtherLayout(Terms terms) {
        String layouts = terms.namespace() + "/layout/";
        Entry first = entries.putIfAbsent(
                layouts, new Entry(0, 0, 0, true, terms.layout().toString(), 0));
        if (first != null && !terms.layout().toString().equals(first.token)) {
            throw new AllocationException(
                    ErrorCode.LAYOUT_MISMATCH,
                    "namespace '" + terms.namespace() + "' has layout " + first.token + ", and this process has "
                            + terms.layout() + "; set that layout");
        }
    }

    private static Stream<Integer> workerIds(Terms terms) {
        return IntStream.range(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers())
                .boxed();
    }

    private Optional<Entry> find(Terms terms, int workerId) {
        return Optional.ofNullable(entries.get(key(terms, workerId)));
    }

    private boolean update(Terms terms, int workerId, Predicate<Entry> condition, UnaryOperator<Entry> change) {
        return find(terms, workerId)
                .filter(condition)
                .map(entry -> entries.replace(key(terms, workerId), entry, change.apply(entry)))
                .orElse(false);
    }

    private boolean isWithinWindow(Terms terms, long horizonMillis) {
        return horizonMillis <= clock.millis() + terms.window().toMillis();
    }

    private long leaseEnd(Terms terms) {
        return clock.millis() + terms.lease().toMillis();
    }

    @Override
    public Candidates candidates(Terms terms, @Nullable String token) {
        refuseOtherLayout(terms);
        workerIds(terms).forEach(workerId -> entries.putIfAbsent(key(terms, workerId), Entry.UNUSED));
        long now = clock.millis();
        long longestWindow = workerIds(terms)
                .flatMap(workerId -> find(terms, workerId).stream())
                .mapToLong(Entry::longestWindowMillis)
                .max()
                .orElse(0);
        List<Row> rows = workerIds(terms)
                .filter(workerId -> !terms.excluded().contains(workerId))
                .flatMap(workerId -> find(terms, workerId)
                        .filter(entry -> entry.isFree(now, token))
                        .map(entry -> new Row(workerId, entry.fence, entry.horizonMillis, true, entry.token != null))
                        .stream())
                .sorted(Comparator.comparingLong(Row::horizonMillis))
                .limit(MOST_CANDIDATES)
                .toList();
        return new Candidates(now, Candidates.gapMillis(terms.window(), longestWindow), rows);
    }

    @Override
    public boolean acquire(Terms terms, Row row, @Nullable String token, Lease lease) {
        return update(
                terms,
                row.workerId(),
                entry -> entry.fence == row.fence()
                        && entry.horizonMillis == row.horizonMillis()
                        && entry.isFree(clock.millis(), token)
                        && isWithinWindow(terms, lease.horizonMillis()),
                entry -> new Entry(
                        entry.fence + 1,
                        lease.horizonMillis(),
                        Math.max(entry.longestWindowMillis, terms.window().toMillis()),
                        false,
                        lease.token(),
                        leaseEnd(terms)));
    }

    /** {@inheritDoc} This store fences off nothing, because all its servers count as one. */
    @Override
    public boolean fenceOff(Terms terms, Row row, long horizonMillis, long gapMillis) {
        return false;
    }

    @Override
    public Optional<LeaseView> look(Terms terms, Lease lease) {
        return find(terms, lease.workerId())
                .map(entry -> new LeaseView(clock.millis(), entry.isHeldBy(lease), entry.horizonMillis, true));
    }

    @Override
    public boolean extend(Terms terms, Lease lease, long horizonMillis) {
        return update(
                terms,
                lease.workerId(),
                entry -> entry.isAsIn(lease) && isWithinWindow(terms, horizonMillis),
                entry -> held(entry, horizonMillis, lease.token(), leaseEnd(terms)));
    }

    @Override
    public boolean renew(Terms terms, Lease lease) {
        return update(
                terms,
                lease.workerId(),
                entry -> entry.isAsIn(lease),
                entry -> held(entry, entry.horizonMillis, lease.token(), leaseEnd(terms)));
    }

    @Override
    public boolean release(Terms terms, Lease lease, long horizonMillis) {
        return update(
                terms, lease.workerId(), entry -> entry.isAsIn(lease), entry -> held(entry, horizonMillis, null, 0));
    }

    private static Entry held(Entry entry, long horizonMillis, @Nullable String token, long untilMillis) {
        return new Entry(entry.fence, horizonMillis, entry.longestWindowMillis, false, token, untilMillis);
    }

    @Override
    public String holders(Terms terms) {
        return workerIds(terms)
                .flatMap(workerId -> find(terms, workerId).map(entry -> Map.entry(workerId, entry)).stream())
                .sorted(Comparator.comparingLong(entry -> entry.getValue().heldUntilMillis))
                .limit(HOLDERS_NAMED)
                .map(entry -> "worker id " + entry.getKey() + " until "
                        + Instant.ofEpochMilli(entry.getValue().heldUntilMillis))
                .collect(Collectors.joining("; ", "the oldest leases are ", ""));
    }

    @Override
    public Optional<RowState> state(Terms terms, int workerId) {
        return find(terms, workerId)
                .map(entry -> new RowState(
                        clock.millis(),
                        entry.fence,
                        entry.horizonMillis,
                        true,
                        entry.reserved,
                        entry.token,
                        entry.heldUntilMillis,
                        "the process with token " + entry.token));
    }

    @Override
    public boolean reserve(Terms terms, int workerId, RowState seen, @Nullable String token, long horizonMillis) {
        return update(
                terms,
                workerId,
                entry -> entry.fence == seen.fence() && entry.horizonMillis == seen.horizonMillis(),
                entry -> new Entry(
                        entry.fence + 1,
                        horizonMillis,
                        entry.longestWindowMillis,
                        true,
                        token,
                        token == null ? 0 : leaseEnd(terms)));
    }
}
