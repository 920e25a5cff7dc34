package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.contender.HibernateRows;
import io.idgen.cli.compare.contender.HibernateRows.Generation;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.contender.Opening.Phase;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.Family;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.result.Speed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Inserts parents with children for each kind: in batches with plain JDBC, then through Hibernate. */
final class Inserts {
    final Map<Contender, Kind.Rows> rows = new HashMap<>();
    private final Trials trials;
    private final Random random = new Random(1);

    Inserts(Trials trials) {
        this.trials = trials;
    }

    /** Measures both ways, and the size of the tables of JDBC. */
    void of(List<Contender> all) {
        try (CountingPool pool = trials.pool();
                Trials.Open open = trials.open(trials.fit(all), pool, Phase.ROWS, 1);
                Connection connection = pool.dataSource().getConnection()) {
            Map<Contender, JdbcRows> tables = new HashMap<>();
            for (Contender contender : trials.fit(all)) {
                tables.put(
                        contender,
                        new JdbcRows(
                                contender.family(),
                                all.indexOf(contender),
                                open.of(contender).get(0)));
            }
            connection.setAutoCommit(false);
            Map<Contender, Speed> jdbc = trials.rounds(
                    all,
                    contender -> () ->
                            perSecond(() -> Trials.known(tables, contender).insert(connection, Plan.PARENTS)));
            Map<Contender, Speed> hibernate = trials.hasHibernate ? throughHibernate(all, open, pool) : Map.of();
            int number = (Plan.ROUNDS + 1) * trials.plan.rowsPerRound();
            for (Contender contender : trials.fit(all)) {
                JdbcRows own = Trials.known(tables, contender);
                rows.put(
                        contender,
                        new Kind.Rows(
                                number,
                                Trials.known(jdbc, contender),
                                hibernate.get(contender),
                                own.indexBytes(connection)));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot insert rows: " + e.getMessage(), e);
        }
    }

    private Map<Contender, Speed> throughHibernate(List<Contender> all, Trials.Open open, CountingPool pool) {
        Map<Contender, HibernateRows> factories = new HashMap<>();
        try {
            for (Contender contender : trials.fit(all)) {
                trials.attempt(contender, () -> factory(contender, all.indexOf(contender), pool))
                        .ifPresent(factory -> factories.put(contender, factory));
            }
            return trials.rounds(
                    all,
                    contender -> () -> perSecond(() -> Trials.known(factories, contender)
                            .insert(
                                    Plan.PARENTS,
                                    Plan.CHILDREN,
                                    open.of(contender).get(0),
                                    this::text)));
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

    /** Inserts parents with their children in one transaction. */
    private interface Transaction {
        void run() throws SQLException;
    }

    private double perSecond(Transaction transaction) throws SQLException {
        long before = System.nanoTime();
        for (int i = 0; i < trials.plan.transactions(); i++) {
            transaction.run();
        }
        return trials.plan.rowsPerRound() * 1e9 / (System.nanoTime() - before);
    }

    /** Returns a text for a row. */
    private String text() {
        return String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
    }

    /**
     * Parents with children in two tables, inserted in batches. If the insert generates the key, parents are inserted
     * one by one, because their children need the key. Hibernate does the same.
     */
    private final class JdbcRows {
        private final Family family;
        private final Product product;
        private final Keys keys;
        private final String parents;
        private final String children;

        /** Creates the tables. */
        JdbcRows(Family family, int number, Keys keys) {
            this.family = family;
            this.product = trials.bench.product();
            this.keys = keys;
            this.parents = Bench.PREFIX + "parent_" + number;
            this.children = Bench.PREFIX + "child_" + number;
            for (String table : List.of(parents, children)) {
                trials.bench.make(
                        "TABLE " + table,
                        " (" + product.idColumn(family) + ", name VARCHAR(40) NOT NULL, parent_id "
                                + product.keyType(family) + ")");
            }
            trials.bench.execute("CREATE INDEX " + children + "_of ON " + children + " (parent_id)");
        }

        /** Inserts parents with their children in one transaction. */
        void insert(Connection connection, int count) throws SQLException {
            long[] parentKeys = insert(connection, parents, count, null);
            insert(connection, children, Plan.CHILDREN * count, parentKeys);
            connection.commit();
        }

        /** Inserts rows, and returns their keys, but not those that the inserts of children generate. */
        private long[] insert(Connection connection, String table, int count, long @Nullable [] ofParents)
                throws SQLException {
            boolean withKey = family != Family.ROW;
            int words = family.words();
            String sql = "INSERT INTO " + table + " (name" + (ofParents == null ? "" : ", parent_id")
                    + (withKey ? ", id" : "") + ") VALUES (?" + (ofParents == null ? "" : ", ?")
                    + (withKey ? ", ?)" : ")");
            long[] own = new long[count * words];
            try (PreparedStatement insert = withKey || ofParents != null
                    ? connection.prepareStatement(sql)
                    : connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
                for (int at = 0; at < own.length; at += words) {
                    insert.setString(1, text());
                    if (ofParents != null) {
                        product.setKey(insert, 2, family, ofParents, at / words / Plan.CHILDREN * words);
                    }
                    if (withKey) {
                        keys.next(own, at);
                        product.setKey(insert, ofParents == null ? 2 : 3, family, own, at);
                    }
                    if (withKey || ofParents != null) {
                        insert.addBatch();
                    } else {
                        insert.executeUpdate();
                        own[at] = Contenders.generatedKey(insert);
                    }
                }
                if (withKey || ofParents != null) {
                    insert.executeBatch();
                }
            }
            return own;
        }

        long indexBytes(Connection connection) throws SQLException {
            return product.indexBytes(connection, parents) + product.indexBytes(connection, children);
        }
    }
}
