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
    record Terms(SnowflakeLayout layout, ClockPolicy policy, int startOffsets, TimeSource time) {
        @Override
        public String toString() {
            return layout + ", clock policy " + policy
                    + (startOffsets == 1 ? "" : ", start offsets below " + startOffsets)
                    + (time.equals(CautiousTime.SYSTEM) ? "" : ", a clock of its own");
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

    /**
     * What is known of a worker id. Keeps neither a generator nor its clock from the garbage collector.
     *
     * @param closedAt the last word before the last lease ended, {@link Window#SEALED} while there is one
     */
    private record Entry(
            SnowflakeLayout layout, WeakReference<Object> clock, WeakReference<Shared> shared, long closedAt) {

        static Entry of(Shared shared) {
            return new Entry(shared.terms.layout, clockOf(shared), new WeakReference<>(shared), Window.SEALED);
        }

        static Entry closed(Shared shared, long last) {
            return new Entry(shared.terms.layout, clockOf(shared), new WeakReference<>(null), last);
        }

        private static WeakReference<Object> clockOf(Shared shared) {
            return new WeakReference<>(shared.terms.time.identity());
        }

        /** Whether ids made on these terms may be the same as those of the generator that was closed. */
        boolean mayRepeatOn(Terms terms) {
            return closedAt != Window.SEALED
                    && layout.equals(terms.layout)
                    && terms.time.identity().equals(clock.get());
        }
    }

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
                shared = new Shared(
                        terms, terms.policy.window(terms.layout, machine, terms.startOffsets, firstTick(entry, terms)));
                ENTRIES.put(key, Entry.of(shared));
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
        long tick = layout.tickFrom(terms.time.millis()) + terms.policy.aheadTicks(layout);
        return entry != null && entry.mayRepeatOn(terms)
                ? Math.max(tick, (entry.closedAt >>> layout.sequenceBits()) + 1)
                : tick;
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
                    ENTRIES.put(key, Entry.closed(shared, last));
                }
            }
        }
    }
}
