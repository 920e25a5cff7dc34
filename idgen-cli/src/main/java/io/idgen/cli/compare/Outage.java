package io.idgen.cli.compare;

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

    /**
     * The result of one strategy.
     *
     * @param seconds the duration of the outage
     * @param given how many ids were generated during the outage
     * @param wanted how many ids were requested during the outage
     * @param failed how many calls failed during the outage
     * @param servedSeconds how long ids were available; {@code seconds} if no call failed and most ids were generated
     * @param recoveredMillis the time from the end of the outage to the next id; 0 if ids were available throughout, -1
     *     if there was none within 10 s
     * @param error the first failure; empty if there was none
     * @param duplicates the duplicates among the ids
     */
    record Outcome(
            double seconds,
            long given,
            long wanted,
            long failed,
            double servedSeconds,
            double recoveredMillis,
            String error,
            DuplicateCheck.Duplicates duplicates) {

        /**
         * Returns whether no call failed and most ids were generated. A call that waits for the whole outage does not
         * fail, but generates no id. On a busy machine, some calls are late.
         */
        boolean neverCeased() {
            return given > 0 && isMost(given, wanted) && servedSeconds >= seconds;
        }

        private static boolean isMost(long given, long wanted) {
            return 2 * given >= wanted;
        }

        /**
         * Returns when the last id before the strategy stopped was generated; empty if it did not stop. A call that
         * waits until the end of the outage does not fail, but the number of ids shows that it waited.
         *
         * @param beforeFailureNanos when the last id before the first failure was generated; empty if no call failed
         * @param inOutageNanos when the last id in the outage was generated
         */
        static OptionalLong ceased(OptionalLong beforeFailureNanos, long given, long wanted, long inOutageNanos) {
            return beforeFailureNanos.isPresent() || given == 0 || isMost(given, wanted)
                    ? beforeFailureNanos
                    : OptionalLong.of(inOutageNanos);
        }

        /**
         * Returns how long ids were available.
         *
         * @param given how many ids were generated during the outage
         * @param cutNanos when it began
         * @param lastNanos when the last id before the strategy stopped was generated; empty if it did not stop
         */
        static double servedSeconds(double seconds, long given, long cutNanos, OptionalLong lastNanos) {
            if (given == 0 || (lastNanos.isPresent() && lastNanos.getAsLong() <= cutNanos)) {
                return 0;
            }
            return lastNanos.isEmpty() ? seconds : Math.min(seconds, (lastNanos.getAsLong() - cutNanos) / 1e9);
        }
    }

    private final Duration length;
    private volatile long cutNanos = Long.MAX_VALUE;
    private volatile long mendedNanos = Long.MAX_VALUE;
    private volatile boolean over;

    private Outage(Duration length) {
        this.length = length;
    }

    /** Runs the outage. The result contains only the strategies that could be opened. */
    static Map<String, Outcome> of(List<Contender> contenders, Bench bench, Network network, Plan plan) {
        Map<String, String> settings = new HashMap<>(plan.settings());
        settings.put("idgen.acquire-timeout", Plan.PATIENCE_IN_OUTAGE.toMillis() + "ms");
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        try (CountingPool route = bench.route(bench.shared().by(network.url()), contenders.size() + 2, settings)) {
            // otherwise, a strategy that waits in the pool would not fail, and would seem to survive
            route.openAll(Plan.PATIENCE_IN_OUTAGE, RECOVERY_LIMIT);
            Outage outage = new Outage(plan.outage());
            List<Asker> askers = contenders.stream()
                    .map(contender -> outage.new Asker(contender, route))
                    .toList();
            outage.run(askers, network);
            askers.forEach(asker -> outcomes.put(asker.contender.name(), asker.outcome()));
        }
        return outcomes;
    }

    private void run(List<Asker> askers, Network network) {
        try (MeasuringThreads crew = new MeasuringThreads(askers)) {
            awaitAll(askers, asker -> asker.isOpen, RECOVERY_LIMIT);
            crew.await(BEFORE);
            // an id of a database that answers is not one of the outage, so the outage begins late and ends early
            network.cut();
            cutNanos = System.nanoTime();
            crew.await(length);
            mendedNanos = System.nanoTime();
            network.mend();
            awaitAll(askers, asker -> asker.lastGivenNanos > mendedNanos, RECOVERY_LIMIT);
            crew.await(AFTER);
            over = true;
            crew.join();
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
        private final CountingPool route;
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

        Asker(Contender contender, CountingPool route) {
            this.contender = contender;
            this.route = route;
            this.words = contender.family().words();
        }

        @Override
        public void run() {
            Contender.Opening opening = new Contender.Opening(route, Phase.OUTAGE, 0, 1, IdgenListener.NONE);
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

        Outcome outcome() {
            double seconds = (mendedNanos - cutNanos) / 1e9;
            long wanted = Math.round(seconds * Plan.RATE_IN_OUTAGE);
            OptionalLong ceased = Outcome.ceased(lastBeforeFailureNanos, given, wanted, lastInOutageNanos);
            double recovered = ceased.isEmpty()
                    ? 0
                    : firstAfterNanos == Long.MAX_VALUE ? -1 : (firstAfterNanos - mendedNanos) / 1e6;
            DuplicateCheck ledger = new DuplicateCheck(contender.family());
            ledger.add(Arrays.copyOf(keys, count));
            return new Outcome(
                    seconds,
                    given,
                    wanted,
                    failed,
                    Outcome.servedSeconds(seconds, given, cutNanos, ceased),
                    recovered,
                    error,
                    ledger.check());
        }
    }
}
