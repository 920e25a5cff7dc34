package io.idgen.core.internal.worker;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.window.Window;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a generator that leases its worker id apart from the fixed generators of this JVM ({@link FixedWorkers}), which ask no
 * store. A worker id is registered from before its row is taken until its window is sealed; meanwhile no fixed generator
 * gets it. Safe for many threads.
 */
public final class LeasedIds {
    private final String namespace;
    private final SnowflakeLayout layout;

    /** The worker ids that are registered, each with the highest tick that was used of it. */
    private final Map<Integer, Long> registered = new HashMap<>();

    private @Nullable Window latest;

    public LeasedIds(String namespace, SnowflakeLayout layout) {
        this.namespace = namespace;
        this.layout = layout;
    }

    private FixedWorkers.Key key(int workerId) {
        return FixedWorkers.Key.of(namespace, layout, workerId);
    }

    /**
     * The terms without the worker ids that a fixed generator of this JVM has.
     *
     * @throws ConfigurationException if no worker id is left
     */
    public LeaseStore.Terms without(LeaseStore.Terms terms) {
        Set<Integer> excluded = new HashSet<>(terms.excluded());
        fixed(terms).forEach(excluded::add);
        if (excluded.size() == terms.workers()) {
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_IN_USE,
                    (terms.workers() == 1
                                    ? key(terms.firstWorkerId()) + " cannot be leased"
                                    : "none of the " + terms.workers() + " worker ids of namespace '" + namespace
                                            + "' can be leased")
                            + exclusions(terms)
                            + (terms.excluded().size() == terms.workers()
                                    ? "; leave some to be leased"
                                    : "; close those generators first, or lease their worker ids too"));
        }
        return terms.without(excluded);
    }

    private IntStream fixed(LeaseStore.Terms terms) {
        return IntStream.range(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers())
                .filter(workerId -> FixedWorkers.isFixed(key(workerId)));
    }

    /** Why fewer worker ids can be leased than the terms have; begins with a semicolon, or is empty. */
    String exclusions(LeaseStore.Terms terms) {
        long fixed = fixed(terms).count();
        int reserved = terms.excluded().size();
        return (fixed == 0 ? "" : "; generators of this JVM that do not lease their worker ids have taken " + fixed)
                + (reserved == 0 ? "" : "; idgen.worker.reserved leaves out " + reserved);
    }

    /** Registers a worker id; false if a fixed generator has it. */
    public synchronized boolean register(int workerId) {
        if (!FixedWorkers.beginLease(key(workerId), this)) {
            return false;
        }
        registered.putIfAbsent(workerId, 0L);
        return true;
    }

    /** The first tick of a registered worker id that no fixed generator of this JVM has used. */
    public long firstTick(int workerId) {
        return FixedWorkers.firstTickAfterFixed(key(workerId), layout);
    }

    /** A window is in use from now on, and the one before is sealed. */
    public synchronized void uses(Window window) {
        noteTicks();
        latest = window;
    }

    private void noteTicks() {
        Window window = latest;
        if (window != null) {
            registered.computeIfPresent(
                    (int) window.workerId, (workerId, tick) -> Math.max(tick, window.highestTick()));
        }
    }

    /** Ends the registration of all worker ids but that of the window in use, and the given one. */
    public synchronized void keepOnly(@Nullable Integer held) {
        noteTicks();
        registered.entrySet().removeIf(entry -> {
            int workerId = entry.getKey();
            if (isInUse(workerId) || (held != null && held == workerId)) {
                return false;
            }
            FixedWorkers.endLease(key(workerId), this, layout, entry.getValue());
            return true;
        });
    }

    private boolean isInUse(int workerId) {
        return latest != null && latest.workerId == workerId && latest.highest() != Window.SEALED;
    }
}
