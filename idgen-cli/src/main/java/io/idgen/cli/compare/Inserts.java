package io.idgen.cli.compare;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Inserts parents with children into two tables, in batches with plain JDBC, and measures the size of the tables. If
 * the database generates the key, parents are inserted one by one, because their children need the key. Hibernate does
 * the same.
 */
final class Inserts {

    /**
     * The result of the inserts.
     *
     * @param rows the number of parents and children
     * @param rowsPerSecond the median of the repeats
     * @param least the slowest repeat
     * @param most the fastest repeat
     * @param bytes the size of both tables with all indexes
     * @param indexBytes the size of the indexes, as far as the database reports it separately
     */
    record Outcome(long rows, double rowsPerSecond, double least, double most, long bytes, long indexBytes) {}

    private final Bench bench;
    private final Family family;
    private final Product product;
    private final String parents;
    private final String children;

    Inserts(Bench bench, Family family) {
        this.bench = bench;
        this.family = family;
        this.product = bench.product();
        this.parents = bench.prefix() + "parent";
        this.children = bench.prefix() + "child";
    }

    /** Inserts a quarter of the rows to warm up, then measures each repeat, always with new tables. */
    Outcome run(Keys keys, Route route, int rows, int repeats, RandomGenerator random) throws SQLException {
        fill(keys, route, rows / 4, random);
        List<Outcome> runs = new ArrayList<>();
        for (int i = 0; i < repeats; i++) {
            runs.add(fill(keys, route, rows, random));
        }
        runs.sort(Comparator.comparingDouble(Outcome::rowsPerSecond));
        Outcome median = runs.get(repeats / 2);
        return new Outcome(
                median.rows(),
                median.rowsPerSecond(),
                runs.get(0).rowsPerSecond(),
                runs.get(repeats - 1).rowsPerSecond(),
                median.bytes(),
                median.indexBytes());
    }

    /** Creates the tables, fills and measures them, and drops them. */
    private Outcome fill(Keys keys, Route route, int rows, RandomGenerator random) throws SQLException {
        String key = " (id " + product.keyType(family) + " PRIMARY KEY, ";
        bench.make("TABLE " + parents, key + "name VARCHAR(40) NOT NULL)");
        bench.make(
                "TABLE " + children,
                key + "parent_id " + product.referenceType(family) + " NOT NULL, note VARCHAR(40) NOT NULL)");
        try (Connection connection = route.dataSource().getConnection()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE INDEX " + children + "_of ON " + children + " (parent_id)");
            }
            connection.setAutoCommit(false);
            int wanted = Math.max(1, rows / (1 + Plan.CHILDREN));
            long before = System.nanoTime();
            for (int done = 0; done < wanted; done += Plan.PARENTS_PER_TRANSACTION) {
                insert(connection, keys, Math.min(Plan.PARENTS_PER_TRANSACTION, wanted - done), random);
                connection.commit();
            }
            double seconds = (System.nanoTime() - before) / 1e9;
            connection.setAutoCommit(true);
            long written = (long) wanted * (1 + Plan.CHILDREN);
            double perSecond = written / seconds;
            return new Outcome(
                    written,
                    perSecond,
                    perSecond,
                    perSecond,
                    product.bytes(connection, parents) + product.bytes(connection, children),
                    product.indexBytes(connection, parents) + product.indexBytes(connection, children));
        } finally {
            bench.drop("TABLE " + children);
            bench.drop("TABLE " + parents);
        }
    }

    private void insert(Connection connection, Keys keys, int count, RandomGenerator random) throws SQLException {
        long[] parentKeys = new long[count * family.words()];
        if (family == Family.WITH_ROW) {
            insertOneByOne(connection, parentKeys, random);
        } else {
            insertParents(connection, keys, parentKeys, random);
        }
        insertChildren(connection, keys, parentKeys, random);
    }

    private void insertOneByOne(Connection connection, long[] parentKeys, RandomGenerator random) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + parents + " (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < parentKeys.length; i++) {
                insert.setString(1, text(random));
                insert.executeUpdate();
                parentKeys[i] = IdentityContender.generatedKey(insert);
            }
        }
    }

    private void insertParents(Connection connection, Keys keys, long[] parentKeys, RandomGenerator random)
            throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + parents + " (id, name) VALUES (?, ?)")) {
            for (int at = 0; at < parentKeys.length; at += family.words()) {
                keys.next(parentKeys, at);
                product.setKey(insert, 1, family, parentKeys, at);
                insert.setString(2, text(random));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void insertChildren(Connection connection, Keys keys, long[] parentKeys, RandomGenerator random)
            throws SQLException {
        boolean withKey = family != Family.WITH_ROW;
        String sql = withKey
                ? "INSERT INTO " + children + " (parent_id, note, id) VALUES (?, ?, ?)"
                : "INSERT INTO " + children + " (parent_id, note) VALUES (?, ?)";
        long[] key = new long[family.words()];
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int at = 0; at < parentKeys.length; at += family.words()) {
                for (int child = 0; child < Plan.CHILDREN; child++) {
                    product.setKey(insert, 1, family, parentKeys, at);
                    insert.setString(2, text(random));
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

    private static String text(RandomGenerator random) {
        return String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
    }
}
