package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.contender.Opening.Phase;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.result.Speed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Keys without inserts: at full speed, with one thread and more, and at a fixed rate. */
final class Speeds {
    // the memory for the keys of one kind at full speed, in words of 8 bytes
    private static final int ROOM = 900_000;

    final Map<Contender, Speed> speeds = new HashMap<>();
    final Map<Contender, List<Kind.Scale>> scaling = new HashMap<>();
    final Map<Contender, Kind.Latency> latencies = new HashMap<>();
    private final Trials trials;
    private final Plan plan;

    Speeds(Trials trials) {
        this.trials = trials;
        this.plan = trials.plan;
    }

    /** Measures the full speed in rounds, then once with each number of threads. All kinds are open meanwhile. */
    void fullSpeed(List<Contender> all) {
        Map<Contender, List<long[]>> kept = new HashMap<>();
        try (CountingPool pool = trials.pool();
                Trials.Open open = trials.open(all, pool, Phase.SPEED, Plan.INSTANCES)) {
            speeds.putAll(trials.rounds(all, contender -> {
                int room = ROOM / Plan.ROUNDS / plan.threads();
                List<long[]> keys = kept.computeIfAbsent(contender, any -> new ArrayList<>());
                return race(contender, open.of(contender), plan.threads(), plan.duration(), room, keys);
            }));
            trials.fit(all).forEach(contender -> trials.check(contender, kept.getOrDefault(contender, List.of())));
            for (int threads = 1; threads <= 2 * plan.threads(); threads *= 2) {
                for (Contender contender : trials.fit(all)) {
                    int count = threads;
                    Duration half = plan.duration().dividedBy(2);
                    trials.attempt(
                                    contender,
                                    () -> race(contender, open.of(contender), count, half, 0, new ArrayList<>()))
                            .ifPresent(speed -> scaling.computeIfAbsent(contender, any -> new ArrayList<>())
                                    .add(new Kind.Scale(count, speed)));
                }
            }
        }
    }

    /**
     * Generates keys at full speed, and returns keys per second.
     *
     * @param room how many words of each thread are kept
     * @param kept receives the first keys of each thread
     */
    private double race(
            Contender contender, List<Keys> instances, int threads, Duration time, int room, List<long[]> kept) {
        AtomicBoolean over = new AtomicBoolean();
        List<Runner> runners = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Keys source = instances.get(i % instances.size());
            runners.add(new Runner(over, source, contender.family().words(), room));
        }
        List<Runnable> tasks = new ArrayList<>(runners);
        tasks.add(() -> {
            CountingPool.park(time);
            over.set(true);
        });
        Trials.runAll(tasks);
        runners.forEach(runner -> kept.add(runner.kept()));
        return runners.stream().mapToDouble(runner -> runner.perSecond).sum();
    }

    private static final class Runner implements Runnable {
        private static final int SCRATCH = 1024;

        private final AtomicBoolean over;
        private final Keys source;
        private final int words;
        private final long[] keys;
        private long given;
        private double perSecond;

        Runner(AtomicBoolean over, Keys source, int words, int room) {
            this.over = over;
            this.source = source;
            this.words = words;
            this.keys = new long[room / words * words];
        }

        @Override
        public void run() {
            long[] scratch = new long[SCRATCH * words];
            long[] into = keys.length > 0 ? keys : scratch;
            int at = 0;
            long before = System.nanoTime();
            do {
                source.next(into, at);
                given++;
                at += words;
                if (at == into.length) { // the next keys count, but are not kept
                    into = scratch;
                    at = 0;
                }
            } while (!over.get());
            perSecond = given * 1e9 / (System.nanoTime() - before);
        }

        long[] kept() {
            return Arrays.copyOf(keys, (int) Math.min(keys.length, given * words));
        }
    }

    /** Measures latencies from a cold start, one kind after the other. */
    void fixedRate(List<Contender> all) {
        for (Contender contender : trials.fit(all)) {
            // half of the full speed, otherwise the latencies would be those of a queue
            double rate = Math.min(Plan.RATE, Trials.known(speeds, contender).median() / 2);
            try (CountingPool pool = trials.pool();
                    Trials.Open open = trials.open(List.of(contender), pool, Phase.RATE, Plan.INSTANCES)) {
                trials.attempt(contender, () -> {
                            FixedRate paced = new FixedRate(
                                    contender.family().words(),
                                    plan.threads(),
                                    Math.max(plan.threads(), (int) rate),
                                    plan.atFixedRate());
                            Kind.Latency latency = paced.run(open.of(contender), pool);
                            trials.check(contender, paced.keys());
                            return latency;
                        })
                        .ifPresent(latency -> latencies.put(contender, latency));
            }
        }
    }

    /**
     * Generates keys at a fixed rate. HdrHistogram corrects the latencies for coordinated omission: it adds the calls
     * that a slow call prevented.
     */
    private static final class FixedRate {
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
        Kind.Latency run(List<Keys> instances, CountingPool pool) {
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
            Trials.runAll(walkers);
            Histogram all = new Histogram(3);
            long calls = 0;
            for (Walker walker : walkers) {
                all.add(walker.histogram);
                calls += walker.count;
                keys.add(Arrays.copyOf(walker.keys, walker.count * words));
            }
            return new Kind.Latency(
                    perSecond,
                    calls,
                    micros(all, 50),
                    micros(all, 99),
                    micros(all, 99.9),
                    all.getMaxValue() / 1e3,
                    Arrays.stream(PERCENTILES)
                            .mapToObj(percent -> new Kind.Percentile(percent, micros(all, percent)))
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
}
