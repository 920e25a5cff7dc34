package io.idgen.benchmarks.insert;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The result of a contender in a time slice. All threads insert until the time is over, and finish their current
 * transaction.
 *
 * @param perSecond committed transactions per second of all threads
 * @param transactions the number of committed transactions
 * @param failures the number of failed transactions
 * @param longest the longest transaction, committed or not
 * @param failure the first failure; null if there was none
 */
record Slice(
        double perSecond,
        long transactions,
        long failures,
        Duration longest,
        @Nullable RuntimeException failure) {

    static Slice of(Unit unit, ExecutorService threads, int count, Duration time) {
        List<Future<Slice>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(() -> ofOneThread(unit, time)));
        }
        return running.stream().map(Slice::result).reduce(Slice::plus).orElseThrow();
    }

    private static Slice ofOneThread(Unit unit, Duration time) {
        long transactions = 0;
        long failures = 0;
        long longest = 0;
        RuntimeException failure = null;
        long start = System.nanoTime();
        long now = start;
        while (now - start < time.toNanos()) {
            try {
                unit.insert();
                transactions++;
            } catch (RuntimeException e) {
                failures++;
                failure = failure == null ? e : failure;
            }
            long end = System.nanoTime();
            longest = Math.max(longest, end - now);
            now = end;
        }
        double seconds = (now - start) / 1e9;
        return new Slice(transactions / seconds, transactions, failures, Duration.ofNanos(longest), failure);
    }

    Slice plus(Slice other) {
        return new Slice(
                perSecond + other.perSecond,
                transactions + other.transactions,
                failures + other.failures,
                longest.compareTo(other.longest) > 0 ? longest : other.longest,
                failure == null ? other.failure : failure);
    }

    private static Slice result(Future<Slice> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it measures", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a thread of the benchmark ended", e);
        }
    }
}
