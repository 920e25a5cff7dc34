package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.contender.Opening;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Family;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.result.Outcome;
import io.idgen.cli.measure.DuplicateCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Runs a comparison. A kind that fails is not measured further, and keeps its results. */
public final class Trials {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int BURSTS = 19;

    final Bench bench;
    final Plan plan;
    private final PrintWriter progress;
    private final Map<Contender, String> problems = new LinkedHashMap<>();
    private final Map<Contender, DuplicateCheck.Duplicates> duplicates = new HashMap<>();
    private final Map<Contender, String> examples = new HashMap<>();

    /** Creates trials that print a line after each step. */
    public Trials(Bench bench, Plan plan, PrintWriter progress) {
        this.bench = bench;
        this.plan = plan;
        this.progress = progress;
    }

    /** Something to measure. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws SQLException, IOException;
    }

    /** Measures everything. */
    public List<Kind> of(List<Contender> all) {
        all.forEach(contender -> contender.create(bench));
        if (hasHibernate()) {
            for (Opening.Phase phase : Opening.Phase.values()) {
                hibernateDrops(phase.prefix());
            }
        }
        Speeds speeds = new Speeds(this);
        step("full speed", () -> speeds.fullSpeed(all));
        step("fixed rate", () -> speeds.fixedRate(all));
        Inserts inserts = new Inserts(this);
        step("inserts", () -> inserts.of(all));
        var outages = step("outage", () -> Outages.of(this, fit(all)));
        var crashes = step("crash", () -> crashes(fit(all)));
        return all.stream()
                .map(contender -> new Kind(
                        contender.name(),
                        contender.family(),
                        contender.what(),
                        examples.get(contender),
                        Long.BYTES * contender.family().words(),
                        problems.get(contender),
                        duplicates.getOrDefault(contender, DuplicateCheck.Duplicates.NONE),
                        speeds.speeds.get(contender),
                        speeds.scaling.getOrDefault(contender, List.of()),
                        speeds.latencies.get(contender),
                        inserts.rows.get(contender),
                        outages.get(contender),
                        crashes.get(contender)))
                .toList();
    }

    private <T> T step(String what, Work<T> work) {
        long before = System.nanoTime();
        try {
            T result = work.run();
            say(what, String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - before) / 1e9));
            return result;
        } catch (SQLException e) {
            throw new IllegalStateException(what + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(what, e);
        }
    }

    private void say(String what, String text) {
        progress.printf("%-22s %s%n", what, text.replaceAll("\\s+", " "));
        progress.flush();
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
            } catch (RuntimeException | SQLException | IOException e) {
                String problem = String.valueOf(e.getMessage());
                problems.put(contender, problem);
                say(contender.name(), problem);
            }
        }
        return Optional.empty();
    }

    /** Adds keys of one phase, which must differ. */
    void check(Contender contender, List<long[]> keys) {
        DuplicateCheck check = new DuplicateCheck(contender.family().words());
        keys.forEach(check::add);
        duplicates.merge(contender, check.check(), DuplicateCheck.Duplicates::plus);
    }

    /** Creates a pool with enough connections for all threads. */
    CountingPool pool() {
        return new CountingPool(bench.connections(), 2 * plan.threads(), plan.delay(), PATIENCE);
    }

    /** Opens instances of contenders; those that fail are missing. */
    Open open(List<Contender> contenders, CountingPool pool, Opening.Phase phase, int instances) {
        Open open = new Open(new LinkedHashMap<>());
        for (Contender contender : contenders) {
            List<Keys> keys = new ArrayList<>();
            open.keys.put(contender, keys);
            attempt(contender, () -> {
                for (int i = 0; i < instances; i++) {
                    keys.add(contender
                            .opener()
                            .apply(new Opening(pool, phase, i, instances, plan.settings(), plan.redis())));
                }
                examples.computeIfAbsent(contender, any -> example(contender.family(), keys.get(0)));
                return keys;
            });
        }
        return open;
    }

    /**
     * Simulates a crash: leaves an instance that has generated keys without closing it, and opens the next one. What the
     * first one had reserved is lost.
     */
    private Map<Contender, Outcome.Crash> crashes(List<Contender> contenders) {
        Map<Contender, Outcome.Crash> outcomes = new HashMap<>();
        try (CountingPool pool = pool();
                Open crashed = open(contenders, pool, Opening.Phase.CRASH, 1);
                Open next = new Open(new HashMap<>())) {
            Map<Contender, List<long[]>> drawn = new HashMap<>();
            for (int burst = 0; burst < BURSTS; burst++) {
                for (Contender contender : fit(contenders)) {
                    attempt(
                            contender,
                            () -> drawn.computeIfAbsent(contender, any -> new ArrayList<>())
                                    .add(draw(contender, crashed.of(contender).get(0), Plan.KEYS_PER_LIFE / BURSTS)));
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos()); // as much as a refill in the background takes
            }
            for (Contender contender : fit(contenders)) {
                attempt(contender, () -> {
                            List<long[]> keys = Objects.requireNonNull(drawn.get(contender));
                            long last = keys.stream()
                                    .flatMapToLong(Arrays::stream)
                                    .max()
                                    .orElseThrow();
                            long before = System.nanoTime();
                            next.keys.putAll(open(List.of(contender), pool, Opening.Phase.CRASH, 1).keys);
                            keys.add(draw(contender, next.of(contender).get(0), Plan.KEYS_PER_LIFE));
                            double millis = (System.nanoTime() - before) / 1e6;
                            check(contender, keys);
                            long first = keys.get(keys.size() - 1)[0];
                            boolean counts = contender.family() == Family.COUNTER || contender.family() == Family.ROW;
                            return new Outcome.Crash(counts ? Math.max(0, first - last - 1) : null, millis);
                        })
                        .ifPresent(crash -> outcomes.put(contender, crash));
            }
        }
        return outcomes;
    }

    private static long[] draw(Contender contender, Keys source, int count) {
        int words = contender.family().words();
        long[] keys = new long[count * words];
        for (int at = 0; at < keys.length; at += words) {
            source.next(keys, at);
        }
        return keys;
    }

    private static String example(Family family, Keys keys) {
        long[] key = new long[2];
        keys.next(key, 0);
        return family == Family.UUID ? new UUID(key[0], key[1]).toString() : Long.toString(key[0]);
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

    static boolean hasHibernate() {
        return Contenders.isOnClassPath("org.hibernate.SessionFactory");
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
