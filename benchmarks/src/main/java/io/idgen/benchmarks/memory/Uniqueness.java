package io.idgen.benchmarks.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * Checks that the measured configurations of idgen generate no duplicates; speed with duplicates would be worthless.
 */
final class Uniqueness {
    private static final int THREADS = 8;

    private Uniqueness() {}

    /** Returns a line for each configuration of idgen among the subjects. */
    static List<String> check(Collection<Subject> subjects, int count) {
        List<String> lines = new ArrayList<>(List.of(""));
        for (Subject subject : subjects) {
            if (subject.isOurs()) {
                lines.add(check(subject, count));
            }
        }
        return lines;
    }

    private static String check(Subject subject, int count) {
        long[] ids = ids(subject, count);
        Arrays.parallelSort(ids);
        for (int i = 1; i < ids.length; i++) {
            if (ids[i] == ids[i - 1]) {
                throw new IllegalStateException(subject.title + " generated " + ids[i] + " twice");
            }
        }
        return String.format(
                Locale.ROOT, "- %s: %,d ids of %d threads are all different.", subject.title, ids.length, THREADS);
    }

    private static long[] ids(Subject subject, int count) {
        LongSupplier source = Objects.requireNonNull(subject.make().longs());
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<long[]>> parts = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                parts.add(threads.submit(() -> {
                    long[] part = new long[count / THREADS];
                    start.await();
                    for (int i = 0; i < part.length; i++) {
                        part[i] = source.getAsLong();
                    }
                    return part;
                }));
            }
            long[] all = new long[count / THREADS * THREADS];
            int filled = 0;
            for (Future<long[]> part : parts) {
                System.arraycopy(part.get(), 0, all, filled, count / THREADS);
                filled += count / THREADS;
            }
            return all;
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(subject.title, e);
        } finally {
            threads.shutdownNow();
        }
    }
}
