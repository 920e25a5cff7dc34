package io.idgen.core.internal.worker;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.worker.JvmWorkers.Use;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Separates a generator that leases its worker id from the fixed generators of this JVM ({@link FixedWorkers}), which
 * use no store. A worker id is registered before its row is acquired and until its window is sealed. Meanwhile no fixed
 * generator gets it. Safe for many threads.
 */
public final class LeasedIds {
    private final String namespace;
    private final SnowflakeLayout layout;

    /** The registered worker ids, each with the highest tick that this generator used of it. */
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
     * Returns the terms without the worker ids that fixed generators of this JVM use.
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
                                    ? "; reserve fewer, so that some can be leased"
                                    : "; close those generators first, or lease their worker ids too"));
        }
        return terms.without(excluded);
    }

    private IntStream fixed(LeaseStore.Terms terms) {
        if (!JvmWorkers.mayBeTaken(Use.FIXED)) {
            return IntStream.empty(); // the usual case; otherwise each worker id is looked up under a lock of the JVM
        }
        return IntStream.range(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers())
                .filter(workerId -> JvmWorkers.isTaken(key(workerId), Use.FIXED));
    }

    /** Returns why fewer worker ids can be leased than the terms have; begins with a semicolon, or is empty. */
    String exclusions(LeaseStore.Terms terms) {
        long fixed = fixed(terms).count();
        int reserved = terms.excluded().size();
        return (fixed == 0 ? "" : "; generators of this JVM without a lease use " + fixed)
                + (reserved == 0 ? "" : "; idgen.worker.reserved excludes " + reserved);
    }

    /** Registers a worker id; returns false if a fixed generator uses it. */
    public synchronized boolean register(int workerId) {
        if (!JvmWorkers.take(key(workerId), Use.LEASED, this)) {
            return false;
        }
        registered.putIfAbsent(workerId, 0L);
        return true;
    }

    /** Returns the first tick of a registered worker id that no fixed generator of this JVM has used. */
    public long firstTick(int workerId) {
        return FixedWorkers.firstTickAfterFixed(key(workerId), layout);
    }

    /** Records that a window is in use from now on; the one before it is sealed. */
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

    /** Ends the registration of all worker ids except that of the window in use and the given one. */
    public synchronized void keepOnly(@Nullable Integer held) {
        noteTicks();
        registered.entrySet().removeIf(entry -> {
            int workerId = entry.getKey();
            if (isInUse(workerId) || (held != null && held == workerId)) {
                return false;
            }
            JvmWorkers.leave(key(workerId), Use.LEASED, this, layout, entry.getValue());
            return true;
        });
    }

    private boolean isInUse(int workerId) {
        return latest != null && latest.workerId == workerId && latest.highest() != Window.SEALED;
    }
}
