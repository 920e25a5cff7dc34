package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.HibernateRows;
import io.idgen.cli.compare.contender.HibernateRows.Generation;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.contender.Opening.Phase;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Family;
import io.idgen.cli.compare.result.Rows;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.measure.Rounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;

/** Inserts parents with children for each kind: in batches with plain JDBC, then through Hibernate. */
final class Inserts {
    final Map<Contender, Rows> rows = new HashMap<>();
    private final Trials trials;
    private final Plan plan;

    Inserts(Trials trials) {
        this.trials = trials;
        this.plan = trials.plan;
    }

    /** Measures both ways, and the size of the tables of JDBC. */
    boolean of(List<Contender> all) {
        try (CountingPool pool = trials.pool();
                Trials.Open open = trials.open(trials.fit(all), pool, Phase.ROWS, 1)) {
            Random random = new Random(1);
            Map<Contender, JdbcRows> tables = new HashMap<>();
            Map<Contender, Long> trips = new HashMap<>();
            Map<Contender, Speed> jdbc = measure(trials.fit(all), contender -> {
                JdbcRows own = tables.computeIfAbsent(
                        contender,
                        any -> new JdbcRows(
                                trials.bench,
                                contender.family(),
                                all.indexOf(contender),
                                open.of(contender).get(0),
                                random));
                return parents -> {
                    long before = pool.roundTrips();
                    try (Connection connection = pool.dataSource().getConnection()) {
                        own.insert(connection, parents);
                    }
                    trips.merge(contender, pool.roundTrips() - before, Long::sum);
                };
            });
            Map<Contender, Speed> hibernate =
                    Trials.hasHibernate() ? throughHibernate(all, open, pool, random) : Map.of();
            for (Contender contender : trials.fit(all)) {
                trials.attempt(contender, () -> {
                            try (Connection connection =
                                    trials.bench.connections().getConnection()) {
                                long number =
                                        (long) (Plan.ROUNDS + 1) * transactions() * Plan.PARENTS * (1 + Plan.CHILDREN);
                                JdbcRows own = Objects.requireNonNull(tables.get(contender));
                                return new Rows(
                                        number,
                                        Objects.requireNonNull(jdbc.get(contender)),
                                        hibernate.get(contender),
                                        trips.getOrDefault(contender, 0L) * 1000.0 / number,
                                        own.bytes(connection),
                                        own.indexBytes(connection));
                            }
                        })
                        .ifPresent(measured -> rows.put(contender, measured));
            }
        }
        return true;
    }

    private Map<Contender, Speed> throughHibernate(
            List<Contender> all, Trials.Open open, CountingPool pool, Random random) {
        Map<Contender, HibernateRows> factories = new HashMap<>();
        try {
            return measure(trials.fit(all), contender -> {
                HibernateRows own =
                        factories.computeIfAbsent(contender, any -> factory(contender, all.indexOf(contender), pool));
                Keys keys = open.of(contender).get(0);
                return parents -> own.insert(parents, Plan.CHILDREN, keys, () -> JdbcRows.text(random));
            });
        } finally {
            factories.values().forEach(HibernateRows::close);
        }
    }

    private HibernateRows factory(Contender contender, int number, CountingPool pool) {
        String prefix = Bench.PREFIX + "hibernate_" + number + "_";
        trials.hibernateDrops(prefix);
        Generation generation = switch (contender.name()) {
            case "identity" -> Generation.IDENTITY;
            case "hibernate-sequence" -> Generation.SEQUENCE;
            case "hibernate-table" -> Generation.TABLE;
            default -> Generation.ASSIGNED;
        };
        return new HibernateRows(pool.dataSource(), prefix, generation, contender.family() == Family.UUID);
    }

    /** Inserts a number of parents with their children in one transaction. */
    private interface Transaction {
        void insert(int parents) throws SQLException;
    }

    private int transactions() {
        return Math.max(1, plan.rows() / (Plan.ROUNDS + 1) / Plan.PARENTS / (1 + Plan.CHILDREN));
    }

    /** Returns rows per second, in rounds. The first call of a function prepares the tables. */
    private Map<Contender, Speed> measure(List<Contender> contenders, Function<Contender, Transaction> ways) {
        contenders.forEach(contender -> trials.attempt(contender, () -> ways.apply(contender)));
        Rounds<Contender, Double> rounds = Rounds.measure(
                contenders,
                Plan.ROUNDS,
                1,
                () -> true,
                contender -> trials.attempt(contender, () -> {
                            Transaction way = ways.apply(contender);
                            long before = System.nanoTime();
                            for (int i = 0; i < transactions(); i++) {
                                way.insert(Plan.PARENTS);
                            }
                            return transactions()
                                    * Plan.PARENTS
                                    * (1 + Plan.CHILDREN)
                                    * 1e9
                                    / (System.nanoTime() - before);
                        })
                        .orElse(Double.NaN));
        Map<Contender, Speed> speeds = new HashMap<>();
        trials.fit(contenders).forEach(contender -> speeds.put(contender, Speed.of(rounds.of(contender))));
        return speeds;
    }
}
