package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.contender.Opening;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Outcome;
import io.idgen.cli.measure.MeasuringThreads;
import io.idgen.core.IdGenerationException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Simulates an outage of the database and of Redis, at the same time for all kinds. One thread per kind requests keys at
 * a low rate before, during and after the outage.
 */
final class Outages {
    private static final Duration BEFORE = Duration.ofMillis(800);
    private static final Duration AFTER = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Trials trials;
    private volatile long cutNanos = Long.MAX_VALUE;
    private volatile long mendedNanos = Long.MAX_VALUE;
    private volatile boolean over;

    private Outages(Trials trials) {
        this.trials = trials;
    }

    /** Returns the outcomes of all kinds. */
    static Map<Contender, Outcome.Outage> of(Trials trials, List<Contender> contenders) {
        Map<String, String> settings = new HashMap<>(trials.plan.settings());
        settings.put("idgen.acquire-timeout", Plan.PATIENCE.toMillis() + "ms");
        Map<Contender, Outcome.Outage> outcomes = new HashMap<>();
        // otherwise, a kind that waits in the pool would not fail, and would seem to survive
        try (CountingPool pool = new CountingPool(
                trials.bench.connections(), contenders.size() + 2, trials.plan.delay(), Plan.PATIENCE)) {
            Outages outage = new Outages(trials);
            Opening opening = new Opening(pool, Opening.Phase.OUTAGE, 0, 1, settings, trials.plan.redis());
            List<Asker> askers = contenders.stream()
                    .map(contender -> outage.new Asker(contender, opening))
                    .toList();
            if (!askers.isEmpty()) {
                outage.run(askers, pool);
            }
            askers.forEach(asker -> outcomes.put(asker.contender, asker.outcome()));
        }
        return outcomes;
    }

    private void run(List<Asker> askers, CountingPool network) {
        try (MeasuringThreads running = new MeasuringThreads(askers)) {
            awaitAll(askers, asker -> asker.lastGivenNanos > Long.MIN_VALUE);
            running.await(BEFORE);
            // a key of a store that answers is not one of the outage, so the outage begins late and ends early
            network.cut();
            cutNanos = System.nanoTime();
            running.await(trials.plan.outage());
            mendedNanos = System.nanoTime();
            network.mend();
            awaitAll(askers, asker -> asker.lastGivenNanos > mendedNanos);
            running.await(AFTER);
            over = true;
            running.join();
        }
    }

    private static void awaitAll(List<Asker> askers, Predicate<Asker> condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline && !askers.stream().allMatch(condition)) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private final class Asker implements Runnable {
        private final Contender contender;
        private final Opening opening;
        private final int words;
        private long[] keys = new long[4096];
        private int count;
        private long given;
        private long failed;
        private long firstAfterNanos = Long.MAX_VALUE;
        private String error = "";
        private volatile long lastGivenNanos = Long.MIN_VALUE;

        Asker(Contender contender, Opening opening) {
            this.contender = contender;
            this.opening = opening;
            this.words = contender.family().words();
        }

        @Override
        public void run() {
            while (!over) {
                try (Keys source = contender.opener().apply(opening)) {
                    ask(source);
                } catch (IdGenerationException e) {
                    LockSupport.parkNanos(Duration.ofMillis(50).toNanos()); // too many open at the same time
                }
            }
        }

        private void ask(Keys source) {
            long interval = Duration.ofSeconds(1).toNanos() / Plan.RATE_IN_OUTAGE;
            long due = System.nanoTime();
            while (!over) {
                if (count + words > keys.length) {
                    keys = Arrays.copyOf(keys, 2 * keys.length);
                }
                try {
                    source.next(keys, count);
                    given();
                } catch (IdGenerationException e) {
                    failed(e);
                }
                due = Math.max(due + interval, System.nanoTime() - interval);
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }

        private void given() {
            count += words;
            long now = System.nanoTime();
            given += isOutage(now) ? 1 : 0;
            if (now > mendedNanos) {
                firstAfterNanos = Math.min(firstAfterNanos, now);
            }
            lastGivenNanos = now;
        }

        private void failed(RuntimeException e) {
            if (isOutage(System.nanoTime())) {
                failed++;
                error = error.isEmpty() ? String.valueOf(e.getMessage()) : error;
            }
        }

        private boolean isOutage(long nanos) {
            return nanos > cutNanos && nanos < mendedNanos;
        }

        Outcome.Outage outcome() {
            trials.check(contender, List.of(Arrays.copyOf(keys, count)));
            return new Outcome.Outage(
                    given,
                    Math.round((mendedNanos - cutNanos) / 1e9 * Plan.RATE_IN_OUTAGE),
                    failed,
                    firstAfterNanos == Long.MAX_VALUE ? -1 : (firstAfterNanos - mendedNanos) / 1e6,
                    error);
        }
    }
}
