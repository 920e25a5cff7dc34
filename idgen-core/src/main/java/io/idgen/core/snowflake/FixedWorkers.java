package io.idgen.core.snowflake;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.lease.JvmWorkers;
import io.idgen.core.internal.lease.JvmWorkers.Use;
import io.idgen.core.internal.lease.LayoutTime;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.lease.WorkerKey;
import io.idgen.core.internal.lease.WorkerLease;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.layout.SnowflakeLayout;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Registers generators that use a fixed worker id, from a setting or from code, without a lease in a store. Two
 * generators of this JVM with one worker id would generate equal ids. If they are equal in everything else, they share
 * one window; otherwise the second is refused. A fixed generator and one that leases its worker id never have the same
 * one: see {@link JvmWorkers}.
 *
 * <p>A generator that was never closed stops counting when it is garbage-collected. {@link JvmWorkers}
 * remembers the highest tick it used, so that a generator opened in the same millisecond begins above it.
 */
final class FixedWorkers {
    private static final Map<WorkerKey, WeakReference<SharedWindow>> IN_USE = new HashMap<>();

    private FixedWorkers() {}

    /** The properties that must be equal for two generators to share a window. */
    record GeneratorTerms(SnowflakeLayout layout, ClockPolicy policy, int startOffsets, TimeSource time) {
        @Override
        public String toString() {
            return layout + ", clock policy " + policy
                    + (startOffsets == Window.startOffsets(layout) ? "" : ", start offsets below " + startOffsets)
                    + (time.equals(CautiousTime.SYSTEM) ? "" : ", a clock of its own");
        }
    }

    /** One window and the number of leases that share it. Only these leases hold it strongly. */
    private static final class SharedWindow {
        final GeneratorTerms terms;
        final Window window;
        int leases;

        SharedWindow(GeneratorTerms terms, Window window) {
            this.terms = terms;
            this.window = window;
        }
    }

    /**
     * Takes a worker id from now on.
     *
     * @param workerId the key's datacenter and worker, as the layout packs them
     * @throws ConfigurationException if a generator of this JVM uses the worker id with other terms, or leases it
     */
    static WorkerLease lease(WorkerKey key, GeneratorTerms terms, long workerId) {
        synchronized (JvmWorkers.LOCK) {
            if (JvmWorkers.isTaken(key, Use.LEASED)) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_IN_USE,
                        key + " is leased by a generator of this JVM, so it cannot be used without a lease; close that"
                                + " generator first, lease this one's worker id too, choose another worker id, or restart"
                                + " the JVM if its application is gone");
            }
            SharedWindow shared = inUse(key);
            if (shared == null) {
                refuseEqualIds(key, terms.layout);
                shared = new SharedWindow(terms, open(key, terms, workerId));
                if (!JvmWorkers.take(key, Use.FIXED, shared)) {
                    throw new ConfigurationException(
                            ErrorCode.WORKER_ID_IN_USE,
                            key + " is in use in this JVM by another application, which has loaded idgen itself; set"
                                    + " another worker id in one of them (idgen.worker.id, or"
                                    + " Snowflake.Builder.workerId), close the generators of the other one, or restart the JVM if it is gone");
                }
                IN_USE.put(key, new WeakReference<>(shared));
            } else if (!shared.terms.equals(terms)) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_IN_USE,
                        key + " is in use in this JVM by a generator with " + shared.terms
                                + ", and requested by one with "
                                + terms
                                + "; share one generator, close the first, or set another worker id (idgen.worker.id, or"
                                + " Snowflake.Builder.workerId)");
            }
            shared.leases++;
            return new FixedLease(key, shared);
        }
    }

    /**
     * Refuses a worker id whose bits below the time can be those of a generator with another layout, although the
     * numbers differ, because the sequences of the two have different widths.
     */
    private static void refuseEqualIds(WorkerKey key, SnowflakeLayout layout) {
        for (WorkerKey other : IN_USE.keySet()) {
            SharedWindow shared = inUse(other);
            if (shared != null
                    && other.namespace().equals(key.namespace())
                    && haveEqualBits(key, layout, other, shared.terms.layout)) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_IN_USE,
                        key + " under " + layout + " has the bits of " + other.text() + " under " + shared.terms.layout
                                + ", which is in use in this JVM; give both generators one layout, close the first, or"
                                + " set another worker id (idgen.worker.id, or Snowflake.Builder.workerId)");
            }
        }
    }

    private static boolean haveEqualBits(WorkerKey one, SnowflakeLayout layout, WorkerKey other, SnowflakeLayout its) {
        long workerBits = workerBits(layout) & workerBits(its);
        long different = layout.largestId(one.workerId()) ^ its.largestId(other.workerId());
        return bitsBelowTime(layout) == bitsBelowTime(its) && (different & workerBits) == 0;
    }

    private static int bitsBelowTime(SnowflakeLayout layout) {
        return layout.datacenterBits() + layout.workerBits() + layout.sequenceBits();
    }

    /** Returns a mask of the bits of an id in which its worker id is. */
    private static long workerBits(SnowflakeLayout layout) {
        return ~layout.largestId(0) & ((1L << bitsBelowTime(layout)) - 1);
    }

    /** Opens a window above all ticks of this maker. */
    private static Window open(WorkerKey key, GeneratorTerms terms, long workerId) {
        long firstTick = Math.max(
                firstTick(terms),
                Math.max(
                        JvmWorkers.firstTickInMemory(key, terms.layout, terms.time.identity()),
                        firstTickInJvm(key, terms)));
        Window window = terms.policy.window(terms.layout, workerId, terms.startOffsets, firstTick);
        JvmWorkers.remember(key, terms.layout, window::highestEver, terms.time.identity());
        return window;
    }

    private static @Nullable SharedWindow inUse(WorkerKey key) {
        WeakReference<SharedWindow> inUse = IN_USE.get(key);
        return inUse == null ? null : inUse.get();
    }

    /**
     * Returns the first tick that no earlier generator with a correct clock can have used. If ticks are longer than a
     * millisecond, it is the next one to begin, because an earlier process may have ended in the current tick. Adds how
     * far the policy lets ids run ahead, because an earlier generator may have done so.
     */
    private static long firstTick(GeneratorTerms terms) {
        SnowflakeLayout layout = terms.layout;
        TickScale scale = LayoutTime.ticks(layout);
        long now = scale.tickAt(terms.time.millis());
        return (scale.tickMillis() == 1 ? now : now + 1) + terms.policy.aheadTicks(layout);
    }

    /** Returns the first tick above those of leases of this JVM, and of its other applications. */
    private static long firstTickInJvm(WorkerKey key, GeneratorTerms terms) {
        return terms.time.equals(CautiousTime.SYSTEM)
                ? Math.max(
                        JvmWorkers.firstTick(key, Use.LEASED, terms.layout),
                        JvmWorkers.firstTick(key, Use.FIXED, terms.layout))
                : 0;
    }

    private static final class FixedLease implements WorkerLease {
        private final WorkerKey key;
        private final SharedWindow shared;
        private volatile boolean closed; // written under the lock

        FixedLease(WorkerKey key, SharedWindow shared) {
            this.key = key;
            this.shared = shared;
        }

        @Override
        public Window window() {
            return shared.window;
        }

        @Override
        public SnowflakeSnapshot snapshot(long tickWaits) {
            return new SnowflakeSnapshot(
                    key.namespace(),
                    key.datacenter(),
                    key.worker(),
                    Instant.ofEpochMilli(shared.terms.time.millis()),
                    Duration.ZERO,
                    null,
                    null,
                    shared.terms.layout.end(),
                    !closed,
                    closed ? ErrorCode.SOURCE_CLOSED : null,
                    null,
                    SourceSnapshot.Waits.NONE,
                    tickWaits,
                    null,
                    0);
        }

        @Override
        public CompletableFuture<?> close() {
            synchronized (JvmWorkers.LOCK) {
                if (!closed) {
                    closed = true;
                    leave();
                }
            }
            return CompletableFuture.completedFuture(null);
        }

        private void leave() {
            if (--shared.leases == 0) {
                shared.window.seal();
                IN_USE.remove(key);
                // The memory keeps only this number, because the window may be a large ring.
                long highest = shared.window.highestEver();
                JvmWorkers.remember(key, shared.terms.layout, () -> highest, shared.terms.time.identity());
                boolean hostsClock = shared.terms.time.equals(CautiousTime.SYSTEM);
                JvmWorkers.leave(
                        key, Use.FIXED, shared, shared.terms.layout, hostsClock ? shared.window.highestTick() : -1);
            }
        }
    }
}
