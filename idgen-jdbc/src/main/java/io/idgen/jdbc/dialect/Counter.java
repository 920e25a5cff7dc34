package io.idgen.jdbc.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A column of numbers that allocations raise, one row per name: what a {@link Dialect} makes statements of. All names are
 * checked to be nothing but names.
 *
 * @param table with its schema, if need be
 * @param column what is raised, a {@code BIGINT}
 * @param keys columns whose values must be equal for a row to be raised; together they name at most one row
 * @param limitColumn a column that the number must be below before it is raised, or null
 */
public record Counter(
        String table,
        String column,
        List<String> keys,
        @Nullable String limitColumn) {

    /** Keeps a copy of the keys. */
    public Counter {
        Objects.requireNonNull(table);
        Objects.requireNonNull(column);
        keys = List.copyOf(keys);
    }

    /**
     * The statement that raises a row, with parameters in this order: those of the new value, the keys' values, the smallest
     * and the largest number that may be raised. It changes one row or none.
     *
     * @param newValue an expression, for example {@code max_id + ?}
     * @return an {@code UPDATE}
     */
    public String update(String newValue) {
        return update(newValue, "");
    }

    /**
     * The same with a clause between what is set and which row.
     *
     * @param newValue an expression, for example {@code max_id + ?}
     * @param clause for example SQL Server's {@code OUTPUT inserted.max_id}
     * @return an {@code UPDATE}
     */
    public String update(String newValue, String clause) {
        return "UPDATE " + table + " SET " + column + " = " + newValue + " " + clause + (clause.isEmpty() ? "" : " ")
                + "WHERE " + whereKeys() + " AND " + column + " BETWEEN ? AND ?"
                + (limitColumn == null ? "" : " AND " + column + " < " + limitColumn);
    }

    /**
     * The statement that reads a row's number, with the keys' values as parameters.
     *
     * @return a {@code SELECT}
     */
    public String select() {
        return "SELECT " + column + " FROM " + table + " WHERE " + whereKeys();
    }

    private String whereKeys() {
        return keys.stream().map(key -> key + " = ?").collect(Collectors.joining(" AND "));
    }

    /**
     * Sets the parameters of {@link #update}, for {@code column + ?} as the new value.
     *
     * @param statement made of it
     * @param amount how much is added
     * @param key the keys' values
     * @param atLeast the smallest number that may be raised
     * @param atMost the largest number that may be raised
     * @throws SQLException if the driver refuses
     */
    public void set(PreparedStatement statement, long amount, List<?> key, long atLeast, long atMost)
            throws SQLException {
        statement.setLong(1, amount);
        setKey(statement, 2, key);
        statement.setLong(2 + keys.size(), atLeast);
        statement.setLong(3 + keys.size(), atMost);
    }

    /**
     * Adds by a statement that gives the new number as its only row.
     *
     * @param connection in auto-commit or in a transaction
     * @param sql made of {@link #update}
     * @param amount how much is added
     * @param key the keys' values
     * @param atLeast the smallest number that may be raised
     * @param atMost the largest number that may be raised
     * @return the new number, or empty if no row was raised
     * @throws SQLException if the database refuses
     */
    public OptionalLong query(Connection connection, String sql, long amount, List<?> key, long atLeast, long atMost)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, amount, key, atLeast, atMost);
            return only(statement);
        }
    }

    /** Raises the row, and reads it while it is still locked: what every database can, in a transaction. */
    OptionalLong updateThenSelect(Connection connection, long amount, List<?> key, long atLeast, long atMost)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(update(column + " + ?"))) {
            set(statement, amount, key, atLeast, atMost);
            if (statement.executeUpdate() == 0) {
                return OptionalLong.empty();
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(select())) {
            setKey(statement, 1, key);
            return only(statement);
        }
    }

    private static void setKey(PreparedStatement statement, int first, List<?> key) throws SQLException {
        int index = first;
        for (Object value : key) {
            statement.setObject(index++, value);
        }
    }

    private static OptionalLong only(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return OptionalLong.empty();
            }
            OptionalLong number = OptionalLong.of(rows.getLong(1));
            if (rows.next()) { // read to the end, where SQLite commits
                throw new SQLException("two rows of one name: the table has no primary key", "21000");
            }
            return number;
        }
    }
}
