package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.IdentityContender;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.InsertOutcome;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.Speed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Inserts parents with children into two tables, in batches with plain JDBC, and measures the size of the tables. If
 * the database generates the key, parents are inserted one by one, because their children need the key. Hibernate does
 * the same.
 */
final class Inserts {

    private final Bench bench;
    private final KeyFamily family;
    private final Product product;
    private final Keys keys;
    private final CountingPool pool;
    private final RandomGenerator random;
    private final String parents;
    private final String children;
    private long rows;
    private long roundTrips;

    /**
     * Inserts with keys of a strategy.
     *
     * @param number the number of the strategy, which names its tables
     * @param random for the texts of the rows
     */
    Inserts(Bench bench, KeyFamily family, int number, Keys keys, CountingPool pool, RandomGenerator random) {
        this.bench = bench;
        this.family = family;
        this.product = bench.product();
        this.keys = keys;
        this.pool = pool;
        this.random = random;
        this.parents = bench.prefix() + "parent_" + number;
        this.children = bench.prefix() + "child_" + number;
    }

    /** Creates empty tables. */
    void create() throws SQLException {
        String key = " (id " + product.keyType(family) + " PRIMARY KEY, ";
        bench.make("TABLE " + parents, key + "name VARCHAR(40) NOT NULL)");
        bench.make(
                "TABLE " + children,
                key + "parent_id " + product.referenceType(family) + " NOT NULL, note VARCHAR(40) NOT NULL)");
        try (Connection connection = pool.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE INDEX " + children + "_of ON " + children + " (parent_id)");
        }
        rows = 0;
        roundTrips = 0;
    }

    /** Drops the tables. */
    void drop() {
        bench.drop("TABLE " + children);
        bench.drop("TABLE " + parents);
    }

    /** Inserts about this number of rows, and returns rows per second. */
    double fill(int number) throws SQLException {
        int wanted = Math.max(1, number / (1 + Plan.CHILDREN));
        try (Connection connection = pool.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            long tripsBefore = pool.roundTrips();
            long before = System.nanoTime();
            for (int done = 0; done < wanted; done += Plan.PARENTS_PER_TRANSACTION) {
                insert(connection, Math.min(Plan.PARENTS_PER_TRANSACTION, wanted - done));
                connection.commit();
            }
            double seconds = (System.nanoTime() - before) / 1e9;
            roundTrips += pool.roundTrips() - tripsBefore;
            connection.setAutoCommit(true);
            long written = (long) wanted * (1 + Plan.CHILDREN);
            rows += written;
            return written / seconds;
        }
    }

    /** Measures the sizes. */
    InsertOutcome outcome(List<Double> perSecond) throws SQLException {
        try (Connection connection = pool.dataSource().getConnection()) {
            return new InsertOutcome(
                    rows,
                    Speed.of(perSecond),
                    roundTrips * 1000.0 / rows,
                    product.bytes(connection, parents) + product.bytes(connection, children),
                    product.indexBytes(connection, parents) + product.indexBytes(connection, children));
        }
    }

    private void insert(Connection connection, int count) throws SQLException {
        long[] parentKeys = new long[count * family.words()];
        if (family == KeyFamily.WITH_ROW) {
            insertOneByOne(connection, parentKeys);
        } else {
            insertParents(connection, parentKeys);
        }
        insertChildren(connection, parentKeys);
    }

    private void insertOneByOne(Connection connection, long[] parentKeys) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + parents + " (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < parentKeys.length; i++) {
                insert.setString(1, text());
                insert.executeUpdate();
                parentKeys[i] = IdentityContender.generatedKey(insert);
            }
        }
    }

    private void insertParents(Connection connection, long[] parentKeys) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + parents + " (id, name) VALUES (?, ?)")) {
            for (int at = 0; at < parentKeys.length; at += family.words()) {
                keys.next(parentKeys, at);
                product.setKey(insert, 1, family, parentKeys, at);
                insert.setString(2, text());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void insertChildren(Connection connection, long[] parentKeys) throws SQLException {
        boolean withKey = family != KeyFamily.WITH_ROW;
        String sql = withKey
                ? "INSERT INTO " + children + " (parent_id, note, id) VALUES (?, ?, ?)"
                : "INSERT INTO " + children + " (parent_id, note) VALUES (?, ?)";
        long[] key = new long[family.words()];
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int at = 0; at < parentKeys.length; at += family.words()) {
                for (int child = 0; child < Plan.CHILDREN; child++) {
                    product.setKey(insert, 1, family, parentKeys, at);
                    insert.setString(2, text());
                    if (withKey) {
                        keys.next(key, 0);
                        product.setKey(insert, 3, family, key, 0);
                    }
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    private String text() {
        return String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
    }
}
