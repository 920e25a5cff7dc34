package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.database.Network;
import io.idgen.cli.compare.database.Phase;
import io.idgen.cli.compare.result.OutageOutcome;
import io.idgen.cli.measure.DuplicateCheck;
import io.idgen.cli.measure.MeasuringThreads;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Simulates an outage of the database, at the same time for all strategies. One thread per strategy requests ids at a
 * low rate before, during and after the outage.
 */
final class Outage {
    private static final Duration BEFORE = Duration.ofMillis(800);
    private static final Duration AFTER = Duration.ofMillis(500);
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(10);

    private final Duration length;
    private volatile long cutNanos = Long.MAX_VALUE;
    private volatile long mendedNanos = Long.MAX_VALUE;
    private volatile boolean over;

    private Outage(Duration length) {
        this.length = length;
    }

    /** Runs the outage. The result contains only the strategies that could be opened. */
    static Map<String, OutageOutcome> of(List<Contender> contenders, Bench bench, Network network, Plan plan) {
        Map<String, String> settings = new HashMap<>(plan.settings());
        settings.put("idgen.acquire-timeout", Plan.PATIENCE_IN_OUTAGE.toMillis() + "ms");
        Map<String, OutageOutcome> outcomes = new LinkedHashMap<>();
        try (CountingPool pool = bench.pool(bench.shared().by(network.url()), contenders.size() + 2, settings)) {
            // otherwise, a strategy that waits in the pool would not fail, and would seem to survive
            pool.openAll(Plan.PATIENCE_IN_OUTAGE, RECOVERY_LIMIT);
            Outage outage = new Outage(plan.outage());
            List<Asker> askers = contenders.stream()
                    .map(contender -> outage.new Asker(contender, pool))
                    .toList();
            outage.run(askers, network);
            askers.forEach(asker -> outcomes.put(asker.contender.name(), asker.outcome()));
        }
        return outcomes;
    }

    private void run(List<Asker> askers, Network network) {
        try (MeasuringThreads running = new MeasuringThreads(askers)) {
            awaitAll(askers, asker -> asker.isOpen, RECOVERY_LIMIT);
            running.await(BEFORE);
            // an id of a database that answers is not one of the outage, so the outage begins late and ends early
            network.cut();
            cutNanos = System.nanoTime();
            running.await(length);
            mendedNanos = System.nanoTime();
            network.mend();
            awaitAll(askers, asker -> asker.lastGivenNanos > mendedNanos, RECOVERY_LIMIT);
            running.await(AFTER);
            over = true;
            running.join();
        }
    }

    private static void awaitAll(List<Asker> askers, Predicate<Asker> condition, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadline && !askers.stream().allMatch(condition)) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private final class Asker implements Runnable {
        private final Contender contender;
        private final CountingPool pool;
        private final int words;
        private long[] keys = new long[4096];
        private int count;
        private long given;
        private long failed;
        private OptionalLong lastBeforeFailureNanos = OptionalLong.empty();
        private long lastInOutageNanos;
        private long firstAfterNanos = Long.MAX_VALUE;
        private String error = "";
        private volatile boolean isOpen;
        private volatile long lastGivenNanos = Long.MIN_VALUE;

        Asker(Contender contender, CountingPool pool) {
            this.contender = contender;
            this.pool = pool;
            this.words = contender.family().words();
        }

        @Override
        public void run() {
            Contender.Opening opening = new Contender.Opening(pool, Phase.OUTAGE, 0, 1, IdgenListener.NONE);
            try (Keys source = contender.open(opening)) {
                long interval = Duration.ofSeconds(1).toNanos() / Plan.RATE_IN_OUTAGE;
                long due = System.nanoTime();
                while (!over) {
                    ask(source);
                    isOpen = true;
                    due = Math.max(due + interval, System.nanoTime() - interval);
                    LockSupport.parkNanos(due - System.nanoTime());
                }
            } catch (RuntimeException e) {
                failed(e);
            }
        }

        private void ask(Keys source) {
            if (count + words > keys.length) {
                keys = Arrays.copyOf(keys, 2 * keys.length);
            }
            try {
                source.next(keys, count);
                count += words;
                long now = System.nanoTime();
                if (now > cutNanos && now < mendedNanos) {
                    given++;
                    lastInOutageNanos = now;
                }
                if (now > mendedNanos && firstAfterNanos == Long.MAX_VALUE) {
                    firstAfterNanos = now;
                }
                lastGivenNanos = now;
            } catch (IdGenerationException e) {
                failed(e);
            }
        }

        private void failed(RuntimeException e) {
            long now = System.nanoTime();
            if (error.isEmpty()) {
                error = String.valueOf(e.getMessage());
            }
            if (now > cutNanos && lastBeforeFailureNanos.isEmpty()) {
                lastBeforeFailureNanos = OptionalLong.of(lastGivenNanos);
            }
            if (now > cutNanos && now < mendedNanos) {
                failed++;
            }
        }

        OutageOutcome outcome() {
            double seconds = (mendedNanos - cutNanos) / 1e9;
            long wanted = Math.round(seconds * Plan.RATE_IN_OUTAGE);
            OptionalLong ceased = OutageOutcome.ceased(lastBeforeFailureNanos, given, wanted, lastInOutageNanos);
            double recovered = ceased.isEmpty()
                    ? 0
                    : firstAfterNanos == Long.MAX_VALUE ? -1 : (firstAfterNanos - mendedNanos) / 1e6;
            DuplicateCheck check = new DuplicateCheck(contender.family().words());
            check.add(Arrays.copyOf(keys, count));
            return new OutageOutcome(
                    seconds,
                    given,
                    wanted,
                    failed,
                    OutageOutcome.servedSeconds(seconds, given, cutNanos, ceased),
                    recovered,
                    error,
                    check.check());
        }
    }
}
