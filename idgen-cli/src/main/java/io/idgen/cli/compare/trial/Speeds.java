package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.contender.Opening.Phase;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Keys without inserts: at full speed, and at a fixed rate. */
final class Speeds {
    // the memory for the keys of one kind at full speed, in words of 8 bytes
    private static final int ROOM = 900_000;

    // parks until this long before a call is due, and then spins, because parking is not exact
    private static final long SPIN_NANOS = 150_000;

    private final Trials trials;
    private final Plan plan;
    private volatile boolean over;

    Speeds(Trials trials) {
        this.trials = trials;
        this.plan = trials.plan;
    }

    /** Measures the full speed in rounds. All contenders are open meanwhile. */
    void fullSpeed() {
        trials.open(
                trials.fit(),
                Phase.SPEED,
                Plan.INSTANCES,
                pool -> trials.rounds(this::race, (each, speed) -> each.speed = speed));
    }

    /** Returns the keys per second of all threads together. Keeps the first keys of each. */
    private double race(Measured each) {
        over = false;
        int room = ROOM / Plan.ROUNDS / plan.threads();
        List<Runner> runners = IntStream.range(0, plan.threads())
                .mapToObj(i -> new Runner(each.instances.get(i % each.instances.size()), each.words, room))
                .toList();
        List<Runnable> tasks = new ArrayList<>(runners);
        tasks.add(() -> {
            CountingPool.park(plan.duration());
            over = true;
        });
        Trials.runAll(tasks);
        runners.forEach(runner -> each.keys.add(runner.kept()));
        return runners.stream().mapToDouble(runner -> runner.perSecond).sum();
    }

    /** Draws keys as fast as possible. Keeps the first ones. */
    private final class Runner implements Runnable {
        private final Keys source;
        private final int words;
        private final long[] keys;
        private long given;
        private double perSecond;

        Runner(Keys source, int words, int room) {
            this.source = source;
            this.words = words;
            this.keys = new long[room / words * words];
        }

        @Override
        public void run() {
            long[] into = keys;
            int at = 0;
            long before = System.nanoTime();
            do {
                source.next(into, at);
                given++;
                at += words;
                if (at == into.length) { // the next keys count, but are not kept
                    into = into == keys ? new long[1024 * words] : into;
                    at = 0;
                }
            } while (!over);
            perSecond = given * 1e9 / (System.nanoTime() - before);
        }

        long[] kept() {
            return Arrays.copyOf(keys, (int) Math.min(keys.length, given * words));
        }
    }

    /** Measures the latencies, from a cold start. */
    void fixedRate() {
        for (Measured each : trials.fit()) {
            trials.open(
                    List.of(each),
                    Phase.RATE,
                    Plan.INSTANCES,
                    pool -> trials.attempt(each, () -> each.latency = latency(each, pool)));
        }
    }

    private Kind.Latency latency(Measured each, CountingPool pool) {
        // half of the full speed, otherwise the latencies would be those of a queue
        double rate = Math.min(Plan.RATE, Trials.known(each.speed).median() / 2);
        int perSecond = Math.max(plan.threads(), (int) rate);
        each.instances.forEach(instance -> each.draw(instance, 1));
        long tripsBefore = pool.roundTrips();
        long interval = plan.threads() * 1_000_000_000L / perSecond;
        long start = System.nanoTime();
        long end = start + plan.atFixedRate().toNanos();
        List<Walker> walkers = IntStream.range(0, plan.threads())
                .mapToObj(i -> new Walker(
                        each.instances.get(i % each.instances.size()),
                        each.words,
                        start + interval * i / plan.threads(),
                        end,
                        interval))
                .toList();
        Trials.runAll(walkers);
        Histogram all = new Histogram(3);
        for (Walker walker : walkers) {
            all.add(walker.histogram);
            each.keys.add(Arrays.copyOf(walker.keys, walker.count * each.words));
        }
        long calls = walkers.stream().mapToLong(walker -> walker.count).sum();
        return new Kind.Latency(
                perSecond,
                calls,
                all.getValueAtPercentile(50) / 1e3,
                all.getValueAtPercentile(99) / 1e3,
                all.getValueAtPercentile(99.9) / 1e3,
                all.getMaxValue() / 1e3,
                (pool.roundTrips() - tripsBefore) * 1000.0 / calls);
    }

    /** Draws a key in each interval. */
    private static final class Walker implements Runnable {
        private final Keys source;
        private final int words;
        private final long firstDue;
        private final long end;
        private final long interval;
        private final Histogram histogram = new Histogram(3);
        private final long[] keys;
        private int count;

        Walker(Keys source, int words, long firstDue, long end, long interval) {
            this.source = source;
            this.words = words;
            this.firstDue = firstDue;
            this.end = end;
            this.interval = interval;
            this.keys = new long[((int) ((end - firstDue) / interval) + 1) * words];
        }

        @Override
        public void run() {
            long due = firstDue;
            while (due < end && count * words < keys.length) {
                awaitNanos(due);
                long before = System.nanoTime();
                source.next(keys, count * words);
                long after = System.nanoTime();
                histogram.recordValueWithExpectedInterval(after - before, interval);
                count++;
                // skips the calls that were due in the meantime; the histogram counts them
                due += interval * Math.max(1, (after - due + interval - 1) / interval);
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
