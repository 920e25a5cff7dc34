package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.Family;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Random;

/**
 * Parents with children in two tables, inserted in batches. If the insert generates the key, parents are inserted one by
 * one, because their children need the key. Hibernate does the same.
 */
final class JdbcRows {
    private final Family family;
    private final Product product;
    private final Keys keys;
    private final Random random;
    private final String parents;
    private final String children;

    /** Creates the tables. */
    JdbcRows(Bench bench, Family family, int number, Keys keys, Random random) {
        this.family = family;
        this.product = bench.product();
        this.keys = keys;
        this.random = random;
        this.parents = Bench.PREFIX + "parent_" + number;
        this.children = Bench.PREFIX + "child_" + number;
        bench.make("TABLE " + parents, " (" + product.idColumn(family) + ", name VARCHAR(40) NOT NULL)");
        bench.make(
                "TABLE " + children,
                " (" + product.idColumn(family) + ", note VARCHAR(40) NOT NULL, parent_id " + product.keyType(family)
                        + " NOT NULL)");
        bench.execute("CREATE INDEX " + children + "_of ON " + children + " (parent_id)");
    }

    /** Inserts parents with their children in one transaction. */
    void insert(Connection connection, int count) throws SQLException {
        connection.setAutoCommit(false);
        long[] parentKeys = new long[count * family.words()];
        if (family == Family.ROW) {
            insertOneByOne(connection, parentKeys);
        } else {
            insertParents(connection, parentKeys);
        }
        insertChildren(connection, parentKeys);
        connection.commit();
    }

    private void insertOneByOne(Connection connection, long[] parentKeys) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + parents + " (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < parentKeys.length; i++) {
                insert.setString(1, text(random));
                insert.executeUpdate();
                parentKeys[i] = Contenders.generatedKey(insert);
            }
        }
    }

    private void insertParents(Connection connection, long[] parentKeys) throws SQLException {
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

    private void insertChildren(Connection connection, long[] parentKeys) throws SQLException {
        boolean withKey = family != Family.ROW;
        String sql = "INSERT INTO " + children
                + (withKey ? " (parent_id, note, id) VALUES (?, ?, ?)" : " (parent_id, note) VALUES (?, ?)");
        long[] key = new long[family.words()];
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int i = 0; i < Plan.CHILDREN * parentKeys.length; i += family.words()) {
                product.setKey(insert, 1, family, parentKeys, i / family.words() / Plan.CHILDREN * family.words());
                insert.setString(2, text(random));
                if (withKey) {
                    keys.next(key, 0);
                    product.setKey(insert, 3, family, key, 0);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** Returns a text for a row. */
    static String text(Random random) {
        return String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
    }

    long bytes(Connection connection) throws SQLException {
        return product.bytes(connection, parents) + product.bytes(connection, children);
    }

    long indexBytes(Connection connection) throws SQLException {
        return product.indexBytes(connection, parents) + product.indexBytes(connection, children);
    }
}
