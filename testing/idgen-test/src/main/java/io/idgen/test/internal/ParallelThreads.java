package io.idgen.test.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Threads that meet at a barrier and then run the same task at once, and a check that their ids differ. */
public final class ParallelThreads {
    /** Longer than a task takes on a busy machine. */
    private static final long LIMIT_MINUTES = 5;

    private ParallelThreads() {}

    /** The task of a thread. */
    @FunctionalInterface
    public interface Task<T> {
        /** Runs in the thread with this number, counted from 0. */
        T call(int thread) throws Exception;
    }

    /**
     * Runs a task in many threads at once. Returns the results in the order of the threads, or throws what one of them
     * threw.
     */
    public static <T> List<T> run(int threads, Task<T> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier barrier = new CyclicBarrier(threads);
            List<Callable<T>> tasks = IntStream.range(0, threads)
                    .<Callable<T>>mapToObj(thread -> () -> {
                        barrier.await(LIMIT_MINUTES, TimeUnit.MINUTES);
                        return task.call(thread);
                    })
                    .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> future : pool.invokeAll(tasks, LIMIT_MINUTES, TimeUnit.MINUTES)) {
                results.add(future.get());
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    /** Fails if two of the ids are equal, and reports them. */
    public static void assertDistinct(List<long[]> ids) {
        long[] sorted = ids.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw new AssertionError("id " + sorted[i] + " was given twice, among " + sorted.length + " ids");
            }
        }
    }
}
