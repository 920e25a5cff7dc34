package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.contender.Opening;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Kind;
import io.idgen.core.IdGenerationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Simulates an outage of the database and of Redis, at the same time for all kinds. One thread per kind requests keys
 * at a low rate before, during and after the outage.
 */
final class Outages {
    private static final Duration BEFORE = Duration.ofMillis(800);
    private static final Duration AFTER = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Trials trials;
    private volatile long cutNanos = Long.MAX_VALUE;
    private volatile long mendedNanos = Long.MAX_VALUE;
    private volatile boolean over;

    Outages(Trials trials) {
        this.trials = trials;
    }

    /** Runs the outage. */
    void run() {
        List<Measured> all = trials.fit();
        // otherwise, a kind that waits in the pool would not fail, and would seem to survive
        try (CountingPool pool = new CountingPool(
                trials.bench.connections(), all.size() + 2, trials.plan.delay(), CountingPool.IN_OUTAGE)) {
            Opening opening = new Opening(pool, Opening.Phase.OUTAGE, 0, 1, trials.plan.redis());
            List<Asker> askers =
                    all.stream().map(each -> new Asker(each, opening)).toList();
            List<Runnable> tasks = new ArrayList<>(askers);
            tasks.add(() -> cutAndMend(askers, pool));
            Trials.runAll(tasks);
            askers.forEach(Asker::end);
        }
    }

    private void cutAndMend(List<Asker> askers, CountingPool network) {
        awaitAll(askers, asker -> asker.lastGivenNanos > Long.MIN_VALUE);
        CountingPool.park(BEFORE);
        // a key of a store that answers is not one of the outage, so the outage begins late and ends early
        network.cut();
        cutNanos = System.nanoTime();
        CountingPool.park(trials.plan.outage());
        mendedNanos = System.nanoTime();
        network.mend();
        awaitAll(askers, asker -> asker.lastGivenNanos > mendedNanos);
        CountingPool.park(AFTER);
        over = true;
    }

    private static void awaitAll(List<Asker> askers, Predicate<Asker> condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline && !askers.stream().allMatch(condition)) {
            CountingPool.park(Duration.ofMillis(5));
        }
    }

    private final class Asker implements Runnable {
        private final Measured measured;
        private final Opening opening;
        private long[] keys = new long[4096];
        private int count;
        private long given;
        private long failed;
        private long firstAfterNanos = Long.MAX_VALUE;
        private volatile long lastGivenNanos = Long.MIN_VALUE;

        Asker(Measured measured, Opening opening) {
            this.measured = measured;
            this.opening = opening;
        }

        @Override
        public void run() {
            while (!over) {
                try (Keys source = measured.contender.opener().apply(opening)) {
                    ask(source);
                } catch (IdGenerationException e) {
                    CountingPool.park(Duration.ofMillis(50)); // too many open at the same time
                }
            }
        }

        private void ask(Keys source) {
            long interval = Duration.ofSeconds(1).toNanos() / Plan.RATE_IN_OUTAGE;
            long due = System.nanoTime();
            while (!over) {
                if (count + measured.words > keys.length) {
                    keys = Arrays.copyOf(keys, 2 * keys.length);
                }
                try {
                    source.next(keys, count);
                    given();
                } catch (IdGenerationException e) {
                    failed += isOutage(System.nanoTime()) ? 1 : 0;
                }
                due = Math.max(due + interval, System.nanoTime() - interval);
                CountingPool.park(Duration.ofNanos(due - System.nanoTime()));
            }
        }

        private void given() {
            count += measured.words;
            long now = System.nanoTime();
            given += isOutage(now) ? 1 : 0;
            if (now > mendedNanos) {
                firstAfterNanos = Math.min(firstAfterNanos, now);
            }
            lastGivenNanos = now;
        }

        private boolean isOutage(long nanos) {
            return nanos > cutNanos && nanos < mendedNanos;
        }

        void end() {
            measured.keys.add(Arrays.copyOf(keys, count));
            measured.close();
            measured.outage = new Kind.Outage(
                    given,
                    Math.round((mendedNanos - cutNanos) / 1e9 * Plan.RATE_IN_OUTAGE),
                    failed,
                    firstAfterNanos == Long.MAX_VALUE ? -1 : (firstAfterNanos - mendedNanos) / 1e6);
        }
    }
}
