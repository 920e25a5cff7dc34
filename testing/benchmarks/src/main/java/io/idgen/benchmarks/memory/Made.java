package io.idgen.benchmarks.memory;

import io.idgen.core.IdSource;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A generator, called by {@code longs}, or by {@code objects} if its users get objects.
 *
 * @param longs returns an id as a number; null if the ids are objects
 * @param objects returns an id as an object; null if the ids are numbers
 * @param batches returns many ids
 */
record Made(@Nullable LongSupplier longs, @Nullable Supplier<?> objects, IntFunction<?> batches) {

    /** Returns a generator of numbers, with one call per id also for batches. */
    static Made of(LongSupplier longs) {
        return new Made(longs, null, count -> {
            long[] ids = new long[count];
            for (int i = 0; i < count; i++) {
                ids[i] = longs.getAsLong();
            }
            return ids;
        });
    }

    static Made of(IdSource source) {
        return new Made(source::nextId, null, source::nextIds);
    }

    /** Returns a generator whose batches fill one array of each thread. */
    static Made into(IdSource source) {
        ThreadLocal<long[]> arrays = ThreadLocal.withInitial(() -> new long[IdBenchmark.BATCH]);
        return new Made(source::nextId, null, count -> {
            long[] into = arrays.get();
            source.nextIds(into, 0, count);
            return into;
        });
    }

    static Made objects(Supplier<?> objects) {
        return new Made(null, objects, count -> {
            Object[] ids = new Object[count];
            for (int i = 0; i < count; i++) {
                ids[i] = objects.get();
            }
            return ids;
        });
    }
}
