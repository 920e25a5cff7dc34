package io.idgen.core;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Leases of worker ids that a setting or the code has fixed. No one outside is asked; but two generators in this JVM with one
 * worker id, the most copied bug of the field, either share one window, if they are equal in all else, or the second is
 * refused.
 *
 * <p>A generator that was forgotten without {@code close()} stops counting when it is garbage. What stays behind for a
 * worker id is its last word, so that a generator opened in the same millisecond as one was closed begins above it.
 */
final class FixedWorkers {
    private static final Map<Key, Entry> ENTRIES = new HashMap<>();

    private FixedWorkers() {}

    /** Whose ids must differ: one worker of one namespace. */
    record Key(String namespace, int datacenter, int worker) {
        @Override
        public String toString() {
            return "worker id " + worker + (datacenter == 0 ? "" : " of datacenter " + datacenter) + " in namespace '"
                    + namespace + "'";
        }
    }

    /** What must be equal for two generators to share a window. */
    record Terms(SnowflakeLayout layout, ClockPolicy policy, TimeSource time) {
        @Override
        public String toString() {
            return layout + ", clock policy " + policy + (time.equals(TimeSource.SYSTEM) ? "" : ", a clock of its own");
        }
    }

    /** One window and how many leases share it; strongly held by the leases alone. */
    private static final class Shared {
        final Terms terms;
        final Window window;
        int leases;

        Shared(Terms terms, Window window) {
            this.terms = terms;
            this.window = window;
        }
    }

    /** Values only, so that neither a generator nor its clock is kept from the garbage collector. */
    private record Entry(SnowflakeLayout layout, boolean systemTime, WeakReference<Shared> shared, long closedAt) {}

    /**
     * Leases a worker id from now on.
     *
     * @param machine the key's datacenter and worker, as the layout packs them
     * @throws ConfigurationException if it is in use in this JVM on other terms
     */
    static WorkerLease lease(Key key, Terms terms, long machine) {
        synchronized (ENTRIES) {
            Entry entry = ENTRIES.get(key);
            Shared shared = entry == null ? null : entry.shared.get();
            if (shared == null) {
                shared = new Shared(terms, new Window(terms.layout, machine, firstTick(entry, terms)));
                ENTRIES.put(key, new Entry(terms.layout, isSystem(terms), new WeakReference<>(shared), Window.SEALED));
            } else if (!shared.terms.equals(terms)) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_IN_USE,
                        key + " is in use in this JVM by a generator with " + shared.terms + ", and wanted by one with "
                                + terms + "; share one generator, close the first, or set another idgen.worker.id or"
                                + " idgen.worker.namespace");
            }
            shared.leases++;
            return new Lease(key, shared);
        }
    }

    /**
     * The first tick that no earlier generator of a right clock can have used. Time is rounded up to a tick, and what a
     * policy allows ids to run ahead is left to the earlier life.
     */
    private static long firstTick(@Nullable Entry entry, Terms terms) {
        SnowflakeLayout layout = terms.layout;
        long from = terms.time.millis() + terms.policy.ahead().toMillis();
        long tick = layout.tickAt(from + layout.tick().toMillis() - 1);
        if (entry == null
                || entry.closedAt == Window.SEALED
                || !entry.systemTime
                || !isSystem(terms)
                || !entry.layout.equals(layout)) {
            return tick;
        }
        return Math.max(tick, (entry.closedAt >>> layout.sequenceBits()) + 1);
    }

    private static boolean isSystem(Terms terms) {
        return terms.time.equals(TimeSource.SYSTEM);
    }

    private static final class Lease implements WorkerLease {
        private final Key key;
        private final Shared shared;
        private boolean closed;

        Lease(Key key, Shared shared) {
            this.key = key;
            this.shared = shared;
        }

        @Override
        public Window window() {
            return shared.window;
        }

        @Override
        public void close() {
            synchronized (ENTRIES) {
                if (closed) {
                    return;
                }
                closed = true;
                if (--shared.leases == 0) {
                    long last = shared.window.seal();
                    ENTRIES.put(
                            key,
                            new Entry(shared.terms.layout, isSystem(shared.terms), new WeakReference<>(null), last));
                }
            }
        }
    }
}
