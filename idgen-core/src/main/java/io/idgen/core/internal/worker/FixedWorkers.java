package io.idgen.core.internal.worker;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.text.Knob;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.layout.SnowflakeLayout;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Leases of worker ids that a setting or the code has fixed. No one outside is asked; but two generators in this JVM with one
 * worker id, the most copied bug of the field, either share one window, if they are equal in all else, or the second is
 * refused. A fixed generator and one that leases its worker id from a store never have the same: see {@link LeasedIds}.
 *
 * <p>A generator that was forgotten without {@code close()} stops counting when it is garbage. What stays behind is how far it
 * had come, so that a generator opened in the same millisecond begins above it.
 */
public final class FixedWorkers {
    private static final Map<Key, WeakReference<Shared>> IN_USE = new HashMap<>();
    private static final Map<Maker, Memory> MEMORIES = new HashMap<>();

    /** Generators of this JVM that lease a worker id; a forgotten one stops counting when it is garbage. */
    private static final Map<Key, Set<Object>> LEASED = new HashMap<>();

    /** The highest ticks of leased generators that have ended. */
    private static final Map<Maker, Long> LEASED_TICKS = new HashMap<>();

    private FixedWorkers() {}

    /** Whose ids must differ: one worker of one namespace. */
    public record Key(String namespace, int datacenter, int worker) {

        /** The key of a worker id that has the datacenter in its upper bits. */
        public static Key of(String namespace, SnowflakeLayout layout, int workerId) {
            return new Key(namespace, workerId >>> layout.workerBits(), workerId & ((1 << layout.workerBits()) - 1));
        }

        @Override
        public String toString() {
            return "worker id " + worker + (datacenter == 0 ? "" : " of datacenter " + datacenter) + " in namespace '"
                    + namespace + "'";
        }
    }

    /** What must be equal for two generators to share a window. */
    public record Terms(SnowflakeLayout layout, WindowPolicy policy, int startOffsets, TimeSource time) {
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

    /** A worker id under a layout: what ids are made of but for the time. */
    private record Maker(Key key, SnowflakeLayout layout) {}

    /** How far a maker has come, and by which clock; keeps no generator and no clock from the garbage collector. */
    private record Memory(LongSupplier highestWord, WeakReference<Object> clock) {
        static Memory of(LongSupplier highestWord, Terms terms) {
            return new Memory(highestWord, new WeakReference<>(terms.time.identity()));
        }
    }

    /**
     * Leases a worker id from now on.
     *
     * @param workerId the key's datacenter and worker, as the layout packs them
     * @param advice names what to change
     * @throws ConfigurationException if it is in use in this JVM on other terms, or by a generator that leases it
     */
    public static WorkerLease lease(Key key, Terms terms, long workerId, Function<Knob, String> advice) {
        synchronized (IN_USE) {
            if (!LEASED.getOrDefault(key, Set.of()).isEmpty()) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_IN_USE,
                        key + " is leased by a generator of this JVM, so it cannot be taken without a lease; close that"
                                + " generator first, lease this one's worker id too, or give this one another worker id");
            }
            Shared shared = inUse(key);
            if (shared == null) {
                Maker maker = new Maker(key, terms.layout);
                long firstTick = Math.max(firstTick(MEMORIES.get(maker), terms), firstTickAfterLeases(maker, terms));
                shared = new Shared(terms, terms.policy.window(terms.layout, workerId, terms.startOffsets, firstTick));
                IN_USE.put(key, new WeakReference<>(shared));
                MEMORIES.put(maker, Memory.of(shared.window::highestEver, terms));
            } else if (!shared.terms.equals(terms)) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_IN_USE,
                        key + " is in use in this JVM by a generator with " + shared.terms + ", and wanted by one with "
                                + terms + "; share one generator, close the first, or set another "
                                + advice.apply(Knob.WORKER_ID));
            }
            shared.leases++;
            return new Lease(key, shared);
        }
    }

    private static @Nullable Shared inUse(Key key) {
        WeakReference<Shared> inUse = IN_USE.get(key);
        return inUse == null ? null : inUse.get();
    }

    /** Whether a fixed generator has a worker id. */
    static boolean isFixed(Key key) {
        synchronized (IN_USE) {
            return inUse(key) != null;
        }
    }

    /** Registers a generator that leases a worker id from now on; false if a fixed generator has it. */
    static boolean beginLease(Key key, Object generator) {
        synchronized (IN_USE) {
            if (inUse(key) != null) {
                return false;
            }
            LEASED.computeIfAbsent(key, any -> Collections.newSetFromMap(new WeakHashMap<>()))
                    .add(generator);
            return true;
        }
    }

    /** Ends {@link #beginLease}; no tick above the given one was used. */
    static void endLease(Key key, Object generator, SnowflakeLayout layout, long highestTick) {
        synchronized (IN_USE) {
            LEASED_TICKS.merge(new Maker(key, layout), highestTick, Math::max);
            Set<Object> generators = LEASED.getOrDefault(key, Set.of());
            generators.remove(generator);
            if (generators.isEmpty()) {
                LEASED.remove(key);
            }
        }
    }

    /** The first tick above all that fixed generators on this host's clock have used; 0 if there was none. */
    static long firstTickAfterFixed(Key key, SnowflakeLayout layout) {
        synchronized (IN_USE) {
            Memory memory = MEMORIES.get(new Maker(key, layout));
            return memory == null || !CautiousTime.SYSTEM.identity().equals(memory.clock.get())
                    ? 0
                    : (memory.highestWord.getAsLong() >>> layout.sequenceBits()) + 1;
        }
    }

    /**
     * The first tick that no earlier generator of a right clock can have used. Time is rounded up to a tick, and what a
     * policy allows ids to run ahead is left to the earlier life.
     */
    private static long firstTick(@Nullable Memory memory, Terms terms) {
        SnowflakeLayout layout = terms.layout;
        TickScale scale = TickScale.of(layout.epoch(), layout.tick(), layout.timeBits());
        long tick = scale.tickFrom(terms.time.millis()) + terms.policy.aheadTicks(layout);
        if (memory == null || !terms.time.identity().equals(memory.clock.get())) {
            return tick;
        }
        return Math.max(tick, (memory.highestWord.getAsLong() >>> layout.sequenceBits()) + 1);
    }

    private static long firstTickAfterLeases(Maker maker, Terms terms) {
        return terms.time.equals(CautiousTime.SYSTEM) ? LEASED_TICKS.getOrDefault(maker, -1L) + 1 : 0;
    }

    private static final class Lease implements WorkerLease {
        private final Key key;
        private final Shared shared;
        private volatile boolean closed; // written under the lock

        Lease(Key key, Shared shared) {
            this.key = key;
            this.shared = shared;
        }

        @Override
        public Window window() {
            return shared.window;
        }

        @Override
        public SnowflakeSnapshot snapshot() {
            return new SnowflakeSnapshot(
                    key.namespace,
                    key.datacenter,
                    key.worker,
                    Instant.ofEpochMilli(shared.terms.time.millis()),
                    Duration.ZERO,
                    null,
                    null,
                    shared.terms.layout.end(),
                    !closed,
                    closed ? ErrorCode.SOURCE_CLOSED : null,
                    SourceSnapshot.Waits.NONE,
                    null,
                    0);
        }

        @Override
        public void close() {
            synchronized (IN_USE) {
                if (closed) {
                    return;
                }
                closed = true;
                if (--shared.leases == 0) {
                    shared.window.seal();
                    IN_USE.remove(key);
                    long highest =
                            shared.window.highestEver(); // all that is kept of a window, which may be a large ring
                    MEMORIES.put(new Maker(key, shared.terms.layout), Memory.of(() -> highest, shared.terms));
                }
            }
        }
    }
}
