package io.idgen.cli.compare.trial;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Inserts parents with children for each kind: in batches with plain JDBC, then through Hibernate. */
final class Inserts {
    private final Trials trials;
    private final Map<Measured, RowTrial> rows = new LinkedHashMap<>();
    private final Random random = new Random(1);

    Inserts(Trials trials) {
        this.trials = trials;
    }

    /** Measures both ways, and the size of the tables of JDBC. */
    void run() {
        trials.open(trials.fit(), Phase.ROWS, 1, pool -> {
            trials.fit().forEach(each -> rows.put(each, new RowTrial(each, rows.size())));
            try (Connection connection = pool.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                trials.rounds(
                        each -> perSecond(() -> of(each).insert(connection, Plan.PARENTS)),
                        (each, speed) -> of(each).jdbc = speed);
                if (trials.hasHibernate) {
                    throughHibernate(pool);
                }
                int number = (Plan.ROUNDS + 1) * trials.plan.rowsPerRound();
                for (Measured each : trials.fit()) {
                    RowTrial own = of(each);
                    each.rows =
                            new Kind.Rows(number, Trials.known(own.jdbc), own.hibernate, own.indexBytes(connection));
                }
            } catch (SQLException e) {
                throw new IllegalStateException("cannot insert rows: " + e.getMessage(), e);
            }
        });
    }

    private RowTrial of(Measured each) {
        return Trials.known(rows.get(each));
    }

    private void throughHibernate(CountingPool pool) {
        try {
            trials.fit().forEach(each -> trials.attempt(each, () -> of(each).factory = factory(of(each), pool)));
            trials.rounds(
                    each -> perSecond(() -> Trials.known(of(each).factory)
                            .insert(Plan.PARENTS, Plan.CHILDREN, of(each).keys, this::text)),
                    (each, speed) -> of(each).hibernate = speed);
        } finally {
            rows.values().stream()
                    .flatMap(each -> Stream.ofNullable(each.factory))
                    .forEach(HibernateRows::close);
        }
    }

    private HibernateRows factory(RowTrial of, CountingPool pool) {
        String prefix = Bench.PREFIX + "hibernate_" + of.number + "_";
        trials.hibernateDrops(prefix);
        Generation generation = switch (of.measured.contender.name()) {
            case "identity" -> Generation.IDENTITY;
            case "hibernate-sequence" -> Generation.SEQUENCE;
            case "hibernate-table" -> Generation.TABLE;
            default -> Generation.ASSIGNED;
        };
        return new HibernateRows(pool.dataSource(), prefix, generation, of.family == Family.UUID);
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
    private final class RowTrial {
        private final Measured measured;
        private final int number;
        private final Family family;
        private final Product product = trials.bench.product();
        private final Keys keys;
        private final String parents;
        private final String children;
        private @Nullable Speed jdbc;
        private @Nullable Speed hibernate;
        private @Nullable HibernateRows factory;

        /** Creates the tables. */
        RowTrial(Measured measured, int number) {
            this.measured = measured;
            this.number = number;
            this.family = measured.family;
            this.keys = measured.instances.get(0);
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
            int words = measured.words;
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
