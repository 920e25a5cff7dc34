package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.database.Phase;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.Sample;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.compare.result.Texts;
import io.idgen.cli.measure.DuplicateCheck;
import io.idgen.cli.measure.Rounds;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenListener;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Measures how fast the strategies are. All strategies are open at the same time. They are measured in interleaved
 * rounds after a common warm-up, so that no strategy pays for the compilation of code that others also use.
 */
final class Speeds {
    // the memory for the keys of one strategy's runs at full speed, in words of 8 bytes; the keys are kept to find
    // duplicates
    private static final int ROOM = 900_000;

    // the smallest number of rows per round, even if little time remains
    private static final int FEWEST_ROWS = 10 * (1 + Plan.CHILDREN);

    private final Bench bench;
    private final Plan plan;
    private final Progress progress;
    private final int poolSize;
    private final long startNanos = System.nanoTime();
    private final List<String> leftOut = new ArrayList<>();
    private long insertWarmUpNanos;
    private int rowsPerRound;

    Speeds(Bench bench, Plan plan, Progress progress, int poolSize) {
        this.bench = bench;
        this.plan = plan;
        this.progress = progress;
        this.poolSize = poolSize;
    }

    /** Runs everything for these strategies. Returns what was left out. */
    List<String> measure(List<StrategyResults> all) {
        all.forEach(this::checkFit);
        try (CountingPool pool = bench.pool(poolSize, plan.settings())) {
            Map<StrategyResults, Instances> open = open(all, pool, Phase.FULL_SPEED, plan.instances());
            try {
                fullSpeed(open);
                scaling(open);
            } finally {
                open.values().forEach(Instances::close);
            }
            paced(fit(all));
            open = open(all, pool, Phase.ROWS, 1);
            try {
                inserts(open, pool);
            } finally {
                open.values().forEach(Instances::close);
            }
        }
        return List.copyOf(leftOut);
    }

    private void checkFit(StrategyResults found) {
        String unfit = found.contender.unfitFor(bench.product());
        if (!unfit.isEmpty()) {
            found.unfit = true;
            failed(found, unfit);
        }
    }

    private void failed(StrategyResults found, String reason) {
        found.failure = reason;
        progress.skipped(found.contender.name(), reason);
    }

    private static List<StrategyResults> fit(List<StrategyResults> all) {
        return all.stream().filter(StrategyResults::isFit).toList();
    }

    /** Several instances of a strategy, closed together. */
    private record Instances(List<Keys> keys) implements AutoCloseable {
        @Override
        public void close() {
            keys.forEach(Keys::close);
        }
    }

    private Map<StrategyResults, Instances> open(
            List<StrategyResults> all, CountingPool pool, Phase phase, int instances) {
        Map<StrategyResults, Instances> open = new LinkedHashMap<>();
        for (StrategyResults found : fit(all)) {
            try {
                Instances opened = open(found.contender, pool, phase, instances, IdgenListener.NONE);
                open.put(found, opened);
                if (found.sample == null) {
                    found.sample = sample(found.contender, opened.keys.get(0));
                }
            } catch (IdGenerationException | IllegalStateException e) {
                failed(found, String.valueOf(e.getMessage()));
            }
        }
        return open;
    }

    private static Instances open(
            Contender contender, CountingPool pool, Phase phase, int instances, IdgenListener listener) {
        List<Keys> open = new ArrayList<>();
        try {
            IntStream.range(0, instances)
                    .forEach(i -> open.add(contender.open(new Contender.Opening(pool, phase, i, instances, listener))));
            return new Instances(open);
        } catch (RuntimeException e) {
            open.forEach(Keys::close);
            throw e;
        }
    }

    private Sample sample(Contender contender, Keys keys) {
        long[] key = new long[contender.family().words()];
        keys.next(key, 0);
        return contender.sample(key, plan.layout());
    }

    private boolean isBefore(Duration limit) {
        return System.nanoTime() - startNanos < limit.toNanos();
    }

    private void fullSpeed(Map<StrategyResults, Instances> open) {
        Map<StrategyResults, DuplicateCheck> checks = new LinkedHashMap<>();
        open.keySet()
                .forEach(found -> checks.put(
                        found, new DuplicateCheck(found.contender.family().words())));
        try (Progress.Bar bar = progress.begin("full speed", open.size() * (1 + Plan.ROUNDS) + 1)) {
            Rounds<StrategyResults, Double> rounds = Rounds.measure(
                    open.keySet(),
                    Plan.ROUNDS,
                    plan.seed(),
                    () -> isBefore(plan.limit().dividedBy(2)),
                    found -> {
                        bar.step(found.contender.name());
                        return ran(found, () -> race(found, known(open, found), known(checks, found)));
                    });
            fit(List.copyOf(open.keySet())).forEach(found -> {
                found.speed = Speed.of(rounds.of(found));
                found.duplicates = found.duplicates.plus(known(checks, found).check());
            });
            reportMissing("full speed", rounds.count());
            bar.step(rounds.count() + " rounds of " + open.size() + " strategies");
        }
    }

    private static <T> T known(Map<StrategyResults, T> all, StrategyResults found) {
        return Objects.requireNonNull(all.get(found));
    }

    private double race(StrategyResults found, Instances instances, DuplicateCheck check) {
        int words = found.contender.family().words();
        int room = ROOM / Plan.ROUNDS / plan.threads() / words;
        Race.Run run = new Race().run(instances.keys, words, plan.threads(), plan.duration(), room);
        run.keys().forEach(check::add);
        return run.perSecond();
    }

    private void reportMissing(String what, int rounds) {
        if (rounds < Plan.ROUNDS) {
            leftOut.add(what + ": " + (Plan.ROUNDS - rounds) + " of " + Plan.ROUNDS
                    + " rounds, and so the intervals and the verdicts that need them; --no-quick measures all");
        }
    }

    /** A measurement of one strategy. If it fails, the strategy is not measured further. */
    @FunctionalInterface
    private interface Slice {
        double measure() throws SQLException;
    }

    /** Returns the result; not a number if the strategy has failed. */
    private double ran(StrategyResults found, Slice slice) {
        if (found.isFit() && found.trouble == null) {
            try {
                return slice.measure();
            } catch (IdGenerationException | IllegalStateException e) {
                failed(found, String.valueOf(e.getMessage()));
            } catch (SQLException e) { // for example, a duplicate key; the results so far remain
                found.trouble = "cannot insert rows: " + e.getMessage();
            }
        }
        return Double.NaN;
    }

    private void scaling(Map<StrategyResults, Instances> open) {
        try (Progress.Bar bar = progress.begin("scaling", plan.scalingThreads().size() + 1)) {
            for (int threads : plan.scalingThreads()) {
                bar.step(threads + " threads");
                for (StrategyResults found : shuffled(fit(List.copyOf(open.keySet())), threads)) {
                    int words = found.contender.family().words();
                    double perSecond = ran(
                            found,
                            () -> new Race()
                                    .run(known(open, found).keys, words, threads, plan.scalingDuration(), 0)
                                    .perSecond());
                    List<Strategy.Scale> scaling = new ArrayList<>(found.scaling);
                    if (found.isFit()) {
                        scaling.add(new Strategy.Scale(threads, perSecond));
                    }
                    found.scaling = List.copyOf(scaling);
                }
            }
            bar.step("up to " + 2 * plan.threads() + " threads");
        }
    }

    private List<StrategyResults> shuffled(List<StrategyResults> some, long seed) {
        List<StrategyResults> shuffled = new ArrayList<>(some);
        Collections.shuffle(shuffled, new Random(plan.seed() + seed));
        return shuffled;
    }

    private void paced(List<StrategyResults> fit) {
        try (Progress.Bar bar = progress.begin("fixed rate", fit.size() + 1)) {
            for (StrategyResults found : shuffled(fit, 0)) {
                bar.step(found.contender.name());
                try (CountingPool pool = bench.pool(poolSize, plan.settings())) {
                    ran(found, () -> paced(found, pool));
                }
            }
            bar.step(Texts.whole(plan.ratePerSecond()) + " ids/s");
        }
    }

    private double paced(StrategyResults found, CountingPool pool) {
        KeyFamily family = found.contender.family();
        Speed speed = found.speed;
        // half of the maximum, otherwise the latencies would be those of a queue
        int rate = speed == null
                ? plan.ratePerSecond()
                : (int) Math.max(plan.threads(), Math.min(plan.ratePerSecond(), speed.median() / 2));
        FixedRate pace = new FixedRate(family, plan.threads(), rate, plan.pacedDuration());
        try (Instances instances = open(found.contender, pool, Phase.PACED, plan.instances(), pace)) {
            FixedRate.Outcome outcome = pace.run(instances.keys, pool);
            DuplicateCheck check = new DuplicateCheck(family.words());
            outcome.keys().forEach(check::add);
            found.duplicates = found.duplicates.plus(check.check());
            found.paced = outcome;
            return rate;
        }
    }

    private void inserts(Map<StrategyResults, Instances> open, CountingPool pool) {
        Map<StrategyResults, Inserts> tables = new LinkedHashMap<>();
        open.forEach((found, instances) -> tables.put(
                found,
                new Inserts(
                        bench,
                        found.contender.family(),
                        tables.size(),
                        instances.keys.get(0),
                        pool,
                        new Random(plan.seed()))));
        Map<StrategyResults, Boolean> warm = new LinkedHashMap<>();
        try (Progress.Bar bar = progress.begin("inserts", open.size() * (1 + Plan.ROUNDS) + 1)) {
            Rounds<StrategyResults, Double> rounds =
                    Rounds.measure(open.keySet(), Plan.ROUNDS, plan.seed(), () -> isBefore(plan.limit()), found -> {
                        bar.step(found.contender.name());
                        boolean isWarm = warm.put(found, true) != null;
                        return ran(found, () -> isWarm ? fill(known(tables, found)) : warmUp(known(tables, found)));
                    });
            for (StrategyResults found : fit(List.copyOf(open.keySet()))) {
                ran(found, () -> {
                    found.inserts = known(tables, found).outcome(rounds.of(found));
                    known(tables, found).drop();
                    return 0;
                });
            }
            reportMissing("inserts", rounds.count());
            if (rowsPerRound < plan.rows() / Plan.ROUNDS) {
                leftOut.add("inserts: " + Texts.whole(plan.rows() - (double) rowsPerRound * Plan.ROUNDS) + " of "
                        + Texts.whole(plan.rows()) + " rows; --no-quick inserts all");
            }
            bar.step(rounds.count() + " rounds of " + Texts.whole(rowsPerRound) + " rows");
        }
    }

    private double warmUp(Inserts inserts) throws SQLException {
        inserts.create();
        long before = System.nanoTime();
        double perSecond = inserts.fill(warmUpRows());
        insertWarmUpNanos += System.nanoTime() - before;
        inserts.drop();
        inserts.create();
        return perSecond;
    }

    private int warmUpRows() {
        return Math.max(1 + Plan.CHILDREN, plan.rows() / Plan.ROUNDS / 2);
    }

    private double fill(Inserts inserts) throws SQLException {
        if (rowsPerRound == 0) { // the warm-up has ended
            long left = Math.max(0, plan.limit().toNanos() - (System.nanoTime() - startNanos));
            double nanosPerRow = (double) insertWarmUpNanos / warmUpRows();
            int affordable = (int) Math.min(Integer.MAX_VALUE, left / nanosPerRow / Plan.ROUNDS);
            rowsPerRound = Math.min(plan.rows() / Plan.ROUNDS, Math.max(FEWEST_ROWS, affordable));
        }
        return inserts.fill(rowsPerRound);
    }
}
