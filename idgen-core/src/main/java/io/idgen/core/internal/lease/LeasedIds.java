package io.idgen.core.internal.lease;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.JvmWorkers.Use;
import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Separates a generator that leases its worker id from the fixed generators of this JVM, which
 * use no store. A worker id is registered before its row is acquired and until its window is sealed. Meanwhile no fixed
 * generator gets it. Safe for many threads.
 */
final class LeasedIds {
    private final LeaseTerms terms;
    private final SnowflakeLayout layout;

    /** The registered worker ids, each with the highest tick that this generator used of it. */
    private final Map<Integer, Long> registered = new HashMap<>();

    /** The worker ids that could not be registered, because a fixed generator uses them. */
    private final Set<Integer> fixed = new HashSet<>();

    private @Nullable Window latest;

    LeasedIds(LeaseTerms terms) {
        this.terms = terms;
        this.layout = terms.layout();
    }

    private WorkerKey key(int workerId) {
        return WorkerKey.of(terms.namespace(), layout, workerId);
    }

    /**
     * Returns the terms without the worker ids that could not be registered and are still used by fixed generators.
     *
     * @throws ConfigurationException if no worker id is left
     */
    synchronized LeaseTerms withoutFixed() {
        fixed.removeIf(workerId -> !JvmWorkers.isTaken(key(workerId), Use.FIXED));
        Set<Integer> excluded = new HashSet<>(terms.excluded());
        excluded.addAll(fixed);
        int reserved = terms.excluded().size();
        if (excluded.size() == terms.workers()) {
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_IN_USE,
                    (terms.workers() == 1
                                    ? key(terms.firstWorkerId()) + " cannot be leased"
                                    : "none of the " + terms.workers() + " worker ids of namespace '"
                                            + terms.namespace() + "' can be leased")
                            + (fixed.isEmpty() ? "" : "; generators of this JVM without a lease use " + fixed.size())
                            + (reserved == 0 ? "" : "; idgen.worker.reserved excludes " + reserved)
                            + (reserved == terms.workers()
                                    ? "; reserve fewer, so that some can be leased"
                                    : "; close those generators first, or lease their worker ids too"));
        }
        return terms.without(excluded);
    }

    /**
     * Registers the worker id of an acquisition.
     *
     * @return the acquisition, which begins above all ticks of fixed generators; null if one of them uses the worker
     *     id, or has used the whole window
     */
    synchronized @Nullable Acquire register(Acquire acquire) {
        int workerId = acquire.lease().workerId();
        if (!JvmWorkers.take(key(workerId), Use.LEASED, this)) {
            fixed.add(workerId);
            return null;
        }
        registered.putIfAbsent(workerId, 0L);
        long firstTick = JvmWorkers.firstTickAfterFixed(key(workerId), layout);
        Acquire later = acquire.startingAt(LayoutTime.ticks(layout).instantOf(firstTick));
        return later.startMillis() < later.lease().horizonMillis() ? later : null;
    }

    /** Records that a window is in use from now on; the one before it is sealed. */
    synchronized void uses(Window window) {
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

    /** Ends the registration of all worker ids except those of the window in use and of a held row. */
    synchronized void keepOnly(@Nullable Holding held) {
        noteTicks();
        registered.entrySet().removeIf(entry -> {
            int workerId = entry.getKey();
            if (isInUse(workerId) || (held != null && held.lease().workerId() == workerId)) {
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
