package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Latency;
import io.idgen.cli.measure.MeasuringThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Generates keys at a fixed rate. HdrHistogram corrects the latencies for coordinated omission: it adds the calls that a
 * slow call prevented.
 */
final class FixedRate {
    private static final double[] PERCENTILES = {
        0, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 97, 98, 99, 99.5, 99.75, 99.9, 99.95, 99.99
    };

    // parks until this long before a call is due, and then spins, because parking is not exact
    private static final long SPIN_NANOS = 150_000;

    private final int words;
    private final int threads;
    private final int perSecond;
    private final Duration duration;
    private final long intervalNanos;
    private final List<long[]> keys = new ArrayList<>();
    private volatile long startNanos;

    FixedRate(int words, int threads, int perSecond, Duration duration) {
        this.words = words;
        this.threads = threads;
        this.perSecond = perSecond;
        this.duration = duration;
        this.intervalNanos = threads * 1_000_000_000L / perSecond;
    }

    /** Generates the first key of each instance, which is not measured, then keys at the fixed rate. */
    Latency run(List<Keys> instances, CountingPool pool) {
        for (Keys instance : instances) {
            long[] first = new long[words];
            instance.next(first, 0);
            keys.add(first);
        }
        long tripsBefore = pool.roundTrips();
        startNanos = System.nanoTime();
        List<Walker> walkers = IntStream.range(0, threads)
                .mapToObj(i -> new Walker(instances.get(i % instances.size()), i))
                .toList();
        try (MeasuringThreads running = new MeasuringThreads(walkers)) {
            running.await(duration.plusSeconds(5));
            running.join();
        }
        Histogram all = new Histogram(3);
        long calls = 0;
        for (Walker walker : walkers) {
            all.add(walker.histogram);
            calls += walker.count;
            keys.add(Arrays.copyOf(walker.keys, walker.count * words));
        }
        return new Latency(
                perSecond,
                calls,
                micros(all, 50),
                micros(all, 99),
                micros(all, 99.9),
                all.getMaxValue() / 1e3,
                Arrays.stream(PERCENTILES)
                        .mapToObj(percent -> new Latency.Percentile(percent, micros(all, percent)))
                        .toList(),
                (pool.roundTrips() - tripsBefore) * 1000.0 / calls);
    }

    /** Returns all keys, including the first of each instance. */
    List<long[]> keys() {
        return keys;
    }

    private static double micros(Histogram histogram, double percent) {
        return histogram.getValueAtPercentile(percent) / 1e3;
    }

    private final class Walker implements Runnable {
        private final Keys source;
        private final int number;
        private final Histogram histogram = new Histogram(3);
        private final long[] keys = new long[((int) (duration.toNanos() / intervalNanos) + 1) * words];
        private int count;

        Walker(Keys source, int number) {
            this.source = source;
            this.number = number;
        }

        @Override
        public void run() {
            long end = startNanos + duration.toNanos();
            long due = startNanos + intervalNanos * number / threads;
            while (due < end && count * words < keys.length) {
                awaitNanos(due);
                long before = System.nanoTime();
                source.next(keys, count * words);
                long after = System.nanoTime();
                histogram.recordValueWithExpectedInterval(after - before, intervalNanos);
                count++;
                // skips the calls that were due in the meantime; the histogram counts them
                due += intervalNanos * Math.max(1, (after - due + intervalNanos - 1) / intervalNanos);
            }
        }
    }

    private static void awaitNanos(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
