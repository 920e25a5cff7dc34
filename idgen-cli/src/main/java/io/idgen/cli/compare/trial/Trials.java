package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.contender.Opening;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Duplicates;
import io.idgen.cli.compare.result.Family;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.result.Speed;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs a comparison. A kind that fails is not measured further, and keeps its results. */
public final class Trials {
    private static final int BURSTS = 19;

    final boolean hasHibernate = Contenders.isOnClassPath("org.hibernate.SessionFactory");
    final Bench bench;
    final Plan plan;
    private final Consumer<String> progress;
    private final Map<Contender, String> problems = new LinkedHashMap<>();
    private final Map<Contender, Duplicates> duplicates = new HashMap<>();
    private final Map<Contender, String> examples = new HashMap<>();
    private final Map<Contender, Kind.Crash> crashes = new HashMap<>();

    /** Creates trials that print a line after each step. */
    public Trials(Bench bench, Plan plan, Consumer<String> progress) {
        this.bench = bench;
        this.plan = plan;
        this.progress = progress;
    }

    /** Something to measure. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws SQLException;
    }

    /** Measures everything. */
    public List<Kind> of(List<Contender> all) {
        all.forEach(contender -> contender.create(bench));
        if (hasHibernate) {
            for (Opening.Phase phase : Opening.Phase.values()) {
                hibernateDrops(phase.prefix());
            }
        }
        Speeds speeds = new Speeds(this);
        Inserts inserts = new Inserts(this);
        Outages outages = new Outages(this);
        step("full speed", () -> speeds.fullSpeed(all));
        step("fixed rate", () -> speeds.fixedRate(all));
        step("inserts", () -> inserts.of(all));
        step("outage", () -> outages.of(fit(all)));
        step("crash", () -> fit(all).forEach(this::crash));
        return all.stream()
                .map(contender -> new Kind(
                        contender.name(),
                        contender.family(),
                        contender.what(),
                        examples.get(contender),
                        Long.BYTES * contender.family().words(),
                        problems.get(contender),
                        duplicates.getOrDefault(contender, Duplicates.NONE),
                        speeds.speeds.get(contender),
                        speeds.latencies.get(contender),
                        inserts.rows.get(contender),
                        outages.outcomes.get(contender),
                        crashes.get(contender)))
                .toList();
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
    List<Contender> fit(List<Contender> all) {
        return all.stream()
                .filter(contender -> !problems.containsKey(contender))
                .toList();
    }

    /** Measures a contender, unless it has failed. A failure is the contender's problem. */
    <T> Optional<T> attempt(Contender contender, Work<T> work) {
        if (!problems.containsKey(contender)) {
            try {
                return Optional.of(work.run());
            } catch (RuntimeException | SQLException e) {
                problems.put(contender, String.valueOf(e.getMessage()));
                say(contender.name(), String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    /**
     * Measures each contender once in each round, in a new random order, so that other load on the machine affects all
     * of them alike. The first round warms up the JIT compiler, and does not count.
     */
    Map<Contender, Speed> rounds(List<Contender> contenders, Function<Contender, Work<Double>> slice) {
        Map<Contender, List<Double>> results = new HashMap<>();
        for (int round = 0; round <= Plan.ROUNDS; round++) {
            List<Contender> order = new ArrayList<>(fit(contenders));
            Collections.shuffle(order, new Random(round));
            for (Contender contender : order) {
                List<Double> own =
                        round == 0 ? new ArrayList<>() : results.computeIfAbsent(contender, any -> new ArrayList<>());
                attempt(contender, slice.apply(contender)).ifPresent(own::add);
            }
        }
        Map<Contender, Speed> speeds = new HashMap<>();
        fit(contenders).forEach(contender -> speeds.put(contender, Speed.of(known(results, contender))));
        return speeds;
    }

    /** Returns what a map has for a contender that has not failed. */
    static <T> T known(Map<Contender, T> all, Contender contender) {
        return Objects.requireNonNull(all.get(contender), contender.name());
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

    /** Adds keys of one phase, which must differ. */
    void check(Contender contender, List<long[]> keys) {
        if (!keys.isEmpty()) {
            long[] key = keys.get(0);
            examples.put(
                    contender,
                    key.length > 1 && contender.family() == Family.UUID
                            ? new UUID(key[0], key[1]).toString()
                            : Long.toString(key[0]));
        }
        duplicates.merge(contender, Duplicates.of(keys, contender.family().words()), Duplicates::plus);
    }

    /** Creates a pool with enough connections for all threads. */
    CountingPool pool() {
        return new CountingPool(bench.connections(), 2 * plan.threads(), plan.delay(), Duration.ofSeconds(5));
    }

    /** Opens instances of contenders; those that fail are missing. */
    Open open(List<Contender> contenders, CountingPool pool, Opening.Phase phase, int instances) {
        Open open = new Open(new LinkedHashMap<>());
        for (Contender contender : contenders) {
            List<Keys> keys = new ArrayList<>();
            open.keys.put(contender, keys);
            attempt(contender, () -> {
                for (int i = 0; i < instances; i++) {
                    keys.add(contender.opener().apply(new Opening(pool, phase, i, instances, plan.redis())));
                }
                return keys;
            });
        }
        return open;
    }

    /**
     * Simulates a crash: leaves an instance that has generated keys without closing it, and opens the next one. What
     * the first one had reserved is lost.
     */
    private void crash(Contender contender) {
        List<long[]> keys = new ArrayList<>();
        try (CountingPool pool = pool();
                Open crashed = open(List.of(contender), pool, Opening.Phase.CRASH, 1)) {
            attempt(contender, () -> {
                        for (int burst = 0; burst < BURSTS; burst++) {
                            keys.add(draw(contender, crashed, Plan.KEYS_PER_LIFE / BURSTS));
                            CountingPool.park(Duration.ofMillis(10)); // for a refill in the background
                        }
                        long last = keys.stream()
                                .flatMapToLong(Arrays::stream)
                                .max()
                                .orElseThrow();
                        try (Open next = open(List.of(contender), pool, Opening.Phase.CRASH, 1)) {
                            long[] first = draw(contender, next, Plan.KEYS_PER_LIFE / BURSTS);
                            keys.add(first);
                            boolean counts = contender.family() == Family.COUNTER || contender.family() == Family.ROW;
                            return new Kind.Crash(counts ? Math.max(0, first[0] - last - 1) : null);
                        }
                    })
                    .ifPresent(crash -> crashes.put(contender, crash));
        }
        check(contender, keys);
    }

    private static long[] draw(Contender contender, Open open, int count) {
        Keys source = open.of(contender).get(0);
        int words = contender.family().words();
        long[] keys = new long[count * words];
        for (int at = 0; at < keys.length; at += words) {
            source.next(keys, at);
        }
        return keys;
    }

    /** Open instances, closed together. */
    record Open(Map<Contender, List<Keys>> keys) implements AutoCloseable {
        List<Keys> of(Contender contender) {
            return keys.getOrDefault(contender, List.of());
        }

        @Override
        public void close() {
            keys.values().forEach(instances -> instances.forEach(Keys::close));
        }
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
