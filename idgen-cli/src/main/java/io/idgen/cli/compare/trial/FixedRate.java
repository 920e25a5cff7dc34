package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.KeyOrder;
import io.idgen.cli.compare.result.Latency;
import io.idgen.cli.measure.MeasuringThreads;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Generates keys at a fixed rate, from a cold start. Measures latencies, stalls and the order of the keys. HdrHistogram
 * corrects the latencies for coordinated omission: it adds the calls that a slow call prevented.
 */
final class FixedRate implements IdgenListener {
    private static final int BUCKETS = 60;
    private static final int POINTS = 240;
    private static final int SHARDS = 8;
    private static final long STALL_NANOS = 1_000_000;
    private static final double[] PERCENTILES = {
        0, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 97, 98, 99, 99.5, 99.75, 99.9, 99.95, 99.99, 99.999,
        100
    };

    // parks until this long before a call is due, and then spins, because parking is not exact
    private static final long SPIN_NANOS = 150_000;

    private final KeyFamily family;
    private final int threads;
    private final Duration duration;
    private final long intervalNanos;
    private final List<Latency.Mark> marks = new CopyOnWriteArrayList<>();
    private volatile long startNanos = System.nanoTime();

    /**
     * The result of a run.
     *
     * @param keys all keys, including the first key of each instance
     * @param roundTripsPerThousand round trips per 1,000 keys, after the first key of each instance
     */
    record Outcome(Latency latency, KeyOrder order, List<long[]> keys, double roundTripsPerThousand) {}

    FixedRate(KeyFamily family, int threads, int ratePerSecond, Duration duration) {
        this.family = family;
        this.threads = threads;
        this.duration = duration;
        this.intervalNanos = threads * 1_000_000_000L / ratePerSecond;
    }

    @Override
    public void onEvent(IdgenEvent event) {
        marks.add(new Latency.Mark(
                (System.nanoTime() - startNanos) / 1e6, event.kind().name(), event.text()));
    }

    /** Generates the first key of each instance, then keys at the fixed rate. */
    Outcome run(List<Keys> instances, CountingPool pool) {
        long[] firsts = new long[instances.size() * family.words()];
        long coldNanos = System.nanoTime();
        instances.get(0).next(firsts, 0);
        double firstMicros = (System.nanoTime() - coldNanos) / 1e3;
        for (int i = 1; i < instances.size(); i++) {
            instances.get(i).next(firsts, i * family.words());
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
        List<long[]> keys = new ArrayList<>();
        keys.add(firsts);
        walkers.forEach(walker -> keys.add(Arrays.copyOf(walker.keys, walker.count * family.words())));
        long given = walkers.stream().mapToLong(walker -> walker.count).sum();
        return new Outcome(
                latency(walkers, firstMicros),
                order(walkers),
                keys,
                (pool.roundTrips() - tripsBefore) * 1000.0 / given);
    }

    private Latency latency(List<Walker> walkers, double firstMicros) {
        Histogram all = new Histogram(3);
        walkers.forEach(walker -> all.add(walker.histogram));
        double bucketNanos = (double) duration.toNanos() / BUCKETS;
        double[] slowest = new double[BUCKETS];
        long stalls = 0;
        long calls = 0;
        for (Walker walker : walkers) {
            calls += walker.count;
            for (int i = 0; i < walker.count; i++) {
                long took = walker.tookNanos[i];
                int bucket = (int) Math.min(BUCKETS - 1, (walker.endedNanos[i] - startNanos) / bucketNanos);
                slowest[bucket] = Math.max(slowest[bucket], took / 1e3);
                stalls += took > STALL_NANOS ? 1 : 0;
            }
        }
        List<Latency.Stretch> timeline = IntStream.range(0, BUCKETS)
                .mapToObj(i -> new Latency.Stretch(i * bucketNanos / 1e6, slowest[i]))
                .toList();
        return new Latency(
                (int) Math.round(threads * 1e9 / intervalNanos),
                calls,
                firstMicros,
                micros(all, 50),
                micros(all, 99),
                micros(all, 99.9),
                all.getMaxValue() / 1e3,
                stalls,
                Arrays.stream(PERCENTILES)
                        .mapToObj(percent -> new Latency.Percentile(percent, micros(all, percent)))
                        .toList(),
                timeline,
                List.copyOf(marks));
    }

    private static double micros(Histogram histogram, double percent) {
        return histogram.getValueAtPercentile(percent) / 1e3;
    }

    /** A key with the time at which its call returned, and its instance. */
    private record Issued(long nanos, Keys by, long high, long low) {}

    private static Comparator<Issued> bySize(KeyFamily family) {
        Comparator<Issued> byHigh = family == KeyFamily.UUID
                ? Comparator.comparing(Issued::high, Long::compareUnsigned)
                : Comparator.comparingLong(Issued::high);
        return byHigh.thenComparing(Issued::low, Long::compareUnsigned);
    }

    private KeyOrder order(List<Walker> walkers) {
        List<Issued> issued = new ArrayList<>();
        Long[] shards = new Long[SHARDS];
        Arrays.fill(shards, 0L);
        for (Walker walker : walkers) {
            for (int i = 0; i < walker.count; i++) {
                int at = i * family.words();
                long low = family.words() == 2 ? walker.keys[at + 1] : 0;
                issued.add(new Issued(walker.endedNanos[i], walker.source, walker.keys[at], low));
                shards[(int) ((family.words() == 2 ? low : walker.keys[at]) & (SHARDS - 1))]++;
            }
        }
        issued.sort(Comparator.comparingLong(Issued::nanos));
        long inversions = inversions(issued);
        long within = issued.stream().collect(Collectors.groupingBy(Issued::by)).values().stream()
                .mapToLong(this::inversions)
                .sum();
        return new KeyOrder(
                issued.size(),
                inversions,
                (double) inversions / issued.size(),
                (double) within / issued.size(),
                (double) Collections.max(List.of(shards)) * SHARDS / issued.size(),
                ranks(issued.subList(0, Math.min(POINTS, issued.size()))));
    }

    private long inversions(List<Issued> inOrder) {
        long inversions = 0;
        Comparator<Issued> bySize = bySize(family);
        Issued largest = inOrder.get(0);
        for (Issued key : inOrder) {
            if (bySize.compare(key, largest) < 0) {
                inversions++;
            } else {
                largest = key;
            }
        }
        return inversions;
    }

    private List<Integer> ranks(List<Issued> some) {
        Integer[] bySize = IntStream.range(0, some.size()).boxed().toArray(Integer[]::new);
        Arrays.sort(bySize, Comparator.comparing(some::get, bySize(family)));
        int[] ranks = new int[bySize.length];
        for (int rank = 0; rank < bySize.length; rank++) {
            ranks[bySize[rank]] = rank;
        }
        List<Integer> marked = new ArrayList<>();
        int highest = -1;
        for (int rank : ranks) {
            marked.add(rank < highest ? -1 - rank : rank);
            highest = Math.max(highest, rank);
        }
        return marked;
    }

    private final class Walker implements Runnable {
        private final Keys source;
        private final int number;
        private final Histogram histogram = new Histogram(3);
        private final long[] keys;
        private final long[] endedNanos;
        private final long[] tookNanos;
        private int count;

        Walker(Keys source, int number) {
            this.source = source;
            this.number = number;
            int room = (int) (duration.toNanos() / intervalNanos) + 1;
            keys = new long[room * family.words()];
            endedNanos = new long[room];
            tookNanos = new long[room];
        }

        @Override
        public void run() {
            long end = startNanos + duration.toNanos();
            long due = startNanos + intervalNanos * number / threads;
            while (due < end && count < tookNanos.length) {
                awaitNanos(due);
                long before = System.nanoTime();
                source.next(keys, count * family.words());
                long after = System.nanoTime();
                histogram.recordValueWithExpectedInterval(after - before, intervalNanos);
                tookNanos[count] = after - before;
                endedNanos[count] = after;
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
