package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.layout.SnowflakeLayout;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The worker ids that are in use in this JVM, also by other copies of this class: an application server loads idgen
 * once per web application.
 *
 * <p>The copies share the system properties, where each one lists the worker ids that its generators use. They contain
 * only text, because programs print and store system properties. So a copy cannot detect that another one was discarded
 * with generators that nobody closed: their worker ids stay in use until the JVM ends.
 */
public final class JvmWorkers {
    /** Begins the names of the properties. Not below {@code idgen.}, where they would be settings. */
    private static final String PREFIX = "io.idgen.core.worker-ids.";

    /** All copies of this class synchronize on the same object, because the JVM interns constants. */
    public static final Object LOCK = PREFIX;

    /** Names this copy of the class by a random number of the JVM. */
    private static final String THIS =
            Long.toHexString(ThreadLocalRandom.current().nextLong());

    /** The generators of this copy. One that was never closed stops counting when it is garbage-collected. */
    private static final Map<String, Set<Object>> OURS = new HashMap<>();

    private static final Map<String, Memory> MEMORIES = new HashMap<>();

    private JvmWorkers() {}

    /** The highest word of a fixed generator, and the clock it used, which may be garbage-collected. */
    private record Memory(LongSupplier highestWord, WeakReference<Object> clock) {}

    /** Whether a worker id is used without a lease, or with one. */
    public enum Use {
        FIXED,
        LEASED;

        private String of(WorkerKey key) {
            return of("worker id " + key.workerId() + " in namespace '" + key.namespace() + "'");
        }

        private String of(String what) {
            return PREFIX + this + " " + what;
        }
    }

    /**
     * Registers a generator that uses a worker id, unless another one of this JVM uses it without a lease.
     *
     * @return whether it is registered
     */
    public static boolean take(WorkerKey key, Use use, Object generator) {
        synchronized (LOCK) {
            if (isTaken(key, Use.FIXED)) {
                return false;
            }
            String name = use.of(key);
            OURS.computeIfAbsent(name, any -> Collections.newSetFromMap(new WeakHashMap<>()))
                    .add(generator);
            Set<String> copies = copies(name);
            copies.add(THIS);
            System.setProperty(name, String.join(" ", copies));
            return true;
        }
    }

    /** Returns whether a generator of this JVM uses a worker id in this way. */
    public static boolean isTaken(WorkerKey key, Use use) {
        synchronized (LOCK) {
            String name = use.of(key);
            return !Set.of(THIS).containsAll(copies(name)) || anyOf(OURS.getOrDefault(name, Set.of()));
        }
    }

    /** Returns whether any is not garbage. {@code isEmpty} counts those that were collected a moment ago. */
    private static boolean anyOf(Set<Object> generators) {
        return generators.iterator().hasNext();
    }

    /** Returns the copies of this class whose generators have a worker id. */
    private static Set<String> copies(String name) {
        String value = System.getProperty(name);
        return value == null ? new TreeSet<>() : new TreeSet<>(Set.of(value.split(" ")));
    }

    /** Ends {@link #take}; the generator used no tick of this host's clock above the given one. */
    public static void leave(WorkerKey key, Use use, Object generator, SnowflakeLayout layout, long highestTick) {
        synchronized (LOCK) {
            String name = use.of(key);
            Set<Object> ours = OURS.getOrDefault(name, Set.of());
            ours.remove(generator);
            if (!anyOf(ours)) {
                OURS.remove(name);
                Set<String> copies = copies(name);
                copies.remove(THIS);
                if (copies.isEmpty()) {
                    System.clearProperty(name);
                } else {
                    System.setProperty(name, String.join(" ", copies));
                }
            }
            long firstTick = Math.max(firstTick(key, use, layout), highestTick + 1);
            System.setProperty(use.of(firstTickOf(key, layout)), String.valueOf(firstTick));
        }
    }

    /** Returns the first tick above all that generators used which have left; 0 if there was none. */
    public static long firstTick(WorkerKey key, Use use, SnowflakeLayout layout) {
        synchronized (LOCK) {
            return Long.parseLong(System.getProperty(use.of(firstTickOf(key, layout)), "0"));
        }
    }

    /** Remembers the highest word of a fixed generator of this copy, also after it is garbage-collected. */
    public static void remember(WorkerKey key, SnowflakeLayout layout, LongSupplier highestWord, Object clock) {
        synchronized (LOCK) {
            MEMORIES.put(firstTickOf(key, layout), new Memory(highestWord, new WeakReference<>(clock)));
        }
    }

    /** Returns the first tick above all that fixed generators of this copy used by this clock; 0 if there was none. */
    public static long firstTickInMemory(WorkerKey key, SnowflakeLayout layout, Object clock) {
        synchronized (LOCK) {
            Memory memory = MEMORIES.get(firstTickOf(key, layout));
            return memory == null || !clock.equals(memory.clock.get())
                    ? 0
                    : (memory.highestWord.getAsLong() >>> layout.sequenceBits()) + 1;
        }
    }

    /** Returns the first tick above all that fixed generators used by this host's clock; 0 if there was none. */
    static long firstTickAfterFixed(WorkerKey key, SnowflakeLayout layout) {
        return Math.max(
                firstTick(key, Use.FIXED, layout), firstTickInMemory(key, layout, CautiousTime.SYSTEM.identity()));
    }

    private static String firstTickOf(WorkerKey key, SnowflakeLayout layout) {
        return "first tick of worker id " + key.workerId() + " in namespace '" + key.namespace() + "', layout " + layout
                + " from " + layout.epoch().toEpochMilli();
    }
}
