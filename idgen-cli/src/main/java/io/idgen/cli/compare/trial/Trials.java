package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.contender.Opening;
import io.idgen.cli.compare.contender.Opening.Phase;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Family;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.result.Speed;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a comparison. A contender that fails is not measured further, and keeps its results. */
public final class Trials {
    private static final int BURSTS = 19;

    final boolean hasHibernate = Contenders.isOnClassPath("org.hibernate.SessionFactory");
    final Bench bench;
    final Plan plan;
    private final List<Measured> all;
    private final Consumer<String> progress;

    /** Creates trials that print a line after each step. */
    public Trials(Bench bench, Plan plan, List<Contender> contenders, Consumer<String> progress) {
        this.bench = bench;
        this.plan = plan;
        this.all = contenders.stream().map(Measured::new).toList();
        this.progress = progress;
    }

    /** Something to measure. */
    @FunctionalInterface
    interface Attempt {
        void run() throws SQLException;
    }

    /** A round of a contender. */
    @FunctionalInterface
    interface Round {
        double perSecond(Measured each) throws SQLException;
    }

    /** Measures everything. */
    public List<Kind> run() {
        all.forEach(each -> each.contender.create(bench));
        if (hasHibernate) {
            for (Phase phase : Phase.values()) {
                hibernateDrops(phase.prefix());
            }
        }
        Speeds speeds = new Speeds(this);
        step("full speed", speeds::fullSpeed);
        step("fixed rate", speeds::fixedRate);
        step("inserts", new Inserts(this)::run);
        step("outage", new Outages(this)::run);
        step("crash", () -> fit().forEach(this::crash));
        return all.stream().map(Measured::kind).toList();
    }

    private void step(String what, Runnable step) {
        long before = System.nanoTime();
        step.run();
        say(what, String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - before) / 1e9));
    }

    private void say(String what, String text) {
        progress.accept(String.format(Locale.ROOT, "%-22s %s", what, text.replaceAll("\\s+", " ")));
    }

    /** Returns the contenders that have not failed. */
    List<Measured> fit() {
        return all.stream().filter(each -> each.problem == null).toList();
    }

    /** Measures a contender, unless it has failed. A failure is the contender's problem. */
    void attempt(Measured each, Attempt work) {
        if (each.problem == null) {
            try {
                work.run();
            } catch (RuntimeException | SQLException e) {
                each.problem = String.valueOf(e.getMessage());
                say(each.contender.name(), each.problem);
            }
        }
    }

    /**
     * Measures each contender once in each round, in a new random order, so that other load on the machine affects all
     * of them alike. The first round warms up the JIT compiler, and does not count.
     */
    void rounds(Round round, BiConsumer<Measured, Speed> result) {
        fit().forEach(each -> each.rounds.clear());
        for (int i = 0; i <= Plan.ROUNDS; i++) {
            List<Measured> order = new ArrayList<>(fit());
            Collections.shuffle(order, new Random(i));
            boolean counts = i > 0;
            for (Measured each : order) {
                attempt(each, () -> {
                    double perSecond = round.perSecond(each);
                    if (counts) {
                        each.rounds.add(perSecond);
                    }
                });
            }
        }
        fit().forEach(each -> result.accept(each, Speed.of(each.rounds)));
    }

    /** Returns what every contender has that has not failed. */
    static <T> T known(@Nullable T result) {
        return Objects.requireNonNull(result);
    }

    /** Runs each task in a thread, and waits until all are done. The failure of one is the failure of all. */
    static void runAll(List<? extends Runnable> tasks) {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Object> done :
                    threads.invokeAll(tasks.stream().map(Executors::callable).toList())) {
                done.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("a measuring thread failed: " + e.getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Runs work while instances of contenders are open; of one that fails, some are missing. */
    void open(List<Measured> some, Phase phase, int instances, Consumer<CountingPool> work) {
        // enough connections for all threads
        try (CountingPool pool =
                new CountingPool(bench.connections(), 2 * plan.threads(), plan.delay(), Duration.ofSeconds(5))) {
            try {
                for (Measured each : some) {
                    attempt(each, () -> {
                        for (int i = 0; i < instances; i++) {
                            each.instances.add(each.contender
                                    .opener()
                                    .apply(new Opening(pool, phase, i, instances, plan.redis())));
                        }
                    });
                }
                work.accept(pool);
            } finally {
                some.forEach(Measured::close);
            }
        }
    }

    /**
     * Simulates a crash: leaves an instance that has generated keys without closing it, and opens the next one. What
     * the first one had reserved is lost.
     */
    private void crash(Measured each) {
        open(
                List.of(each),
                Phase.CRASH,
                1,
                pool -> attempt(each, () -> {
                    for (int burst = 0; burst < BURSTS; burst++) {
                        each.draw(each.instances.get(0), Plan.KEYS_PER_LIFE / BURSTS);
                        CountingPool.park(Duration.ofMillis(10)); // for a refill in the background
                    }
                    long last = each.keys.stream()
                            .flatMapToLong(Arrays::stream)
                            .max()
                            .orElseThrow();
                    each.instances.add(
                            each.contender.opener().apply(new Opening(pool, Phase.CRASH, 0, 1, plan.redis())));
                    long first = each.draw(each.instances.get(1), Plan.KEYS_PER_LIFE / BURSTS)[0];
                    boolean counts = each.family == Family.COUNTER || each.family == Family.ROW;
                    each.crash = new Kind.Crash(counts ? Math.max(0, first - last - 1) : null);
                }));
    }

    /** Has everything dropped that Hibernate creates with a prefix. */
    void hibernateDrops(String prefix) {
        bench.drops("TABLE " + prefix + "parent");
        bench.drops("TABLE " + prefix + "child");
        bench.drops("TABLE " + prefix + "hibernate_gen");
        if (bench.product().hasSequences()) {
            bench.drops("SEQUENCE " + prefix + "hibernate_seq");
        }
    }
}
