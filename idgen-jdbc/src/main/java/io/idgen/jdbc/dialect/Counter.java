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
 * A column of numbers that allocations raise, with one row per name. A {@link Dialect} builds its statements from it.
 * All names have been checked to be valid identifiers.
 *
 * @param table the table, optionally with its schema
 * @param column the column that allocations raise, a {@code BIGINT}
 * @param keys columns whose values must be equal for a row to be raised; together they match at most one row
 * @param limitColumn a column that all granted ids are below, or null
 * @param stride how much the number rises for one id
 * @param guard the conditions on the row that prevent repeated ids after a takeover, or null for a table without the
 *     columns
 */
public record Counter(
        String table,
        String column,
        List<String> keys,
        @Nullable String limitColumn,
        long stride,
        @Nullable Guard guard) {

    /** Keeps a copy of the keys. */
    public Counter {
        Objects.requireNonNull(table);
        Objects.requireNonNull(column);
        keys = List.copyOf(keys);
    }

    /**
     * The guarantee of a row that takeovers rely on. The server in its column {@code server_id} grants at most {@code
     * reach} ids in a window of {@link #WINDOW_MILLIS}. A replica that takes over lacks no more ids than that, because
     * it lags by less than a window. The column {@code win} is the end of the current window, and {@code used} is how
     * many ids were granted in it.
     *
     * @param server an expression for the identity of this server, or {@code ?}
     * @param serverName the value of that parameter, or null
     * @param nowMillis an expression for the time
     */
    public record Guard(String server, @Nullable String serverName, String nowMillis) {

        /** The length of a window: ten minutes, twice the lag that a replica may have. */
        public static final long WINDOW_MILLIS = 600_000;

        /** The columns of a guard. A table without all of them is not guarded. */
        public static final List<String> COLUMNS = List.of("server_id", "reach", "win", "used");

        /**
         * Returns how many ids were granted in the current window.
         *
         * @return an SQL expression
         */
        public String used() {
            return "CASE WHEN win > " + nowMillis + " THEN used ELSE 0 END";
        }

        /**
         * MariaDB assigns from left to right, so {@code used} is set while {@code win} still has its previous value.
         */
        private String set() {
            return ", used = " + used() + " + ?, win = CASE WHEN win > " + nowMillis + " THEN win ELSE " + nowMillis
                    + " + " + WINDOW_MILLIS + " END";
        }

        private String where() {
            return " AND server_id = " + server + " AND " + used() + " <= reach - ?";
        }

        private int setServer(PreparedStatement statement, int index) throws SQLException {
            if (serverName == null) {
                return index;
            }
            statement.setString(index, serverName);
            return index + 1;
        }
    }

    /**
     * Returns the statement that raises a row. {@link #set} sets its parameters; that of the new value comes first. The
     * statement changes one row or none.
     *
     * @param newValue an expression, for example {@code max_id + ?}
     * @return an {@code UPDATE}
     */
    public String update(String newValue) {
        return "UPDATE " + table + " SET " + column + " = " + newValue + (guard == null ? "" : guard.set()) + " WHERE "
                + whereKeys() + " AND " + column + " BETWEEN ? AND ?"
                + (limitColumn == null ? "" : " AND " + column + " < " + limitColumn + " - ?")
                + (guard == null ? "" : guard.where());
    }

    /**
     * Returns the statement that reads a row's number. Its parameters are the values of the keys.
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
     * Sets the parameters of {@link #update}, with {@code column + ?} as the new value.
     *
     * @param statement prepared from that text
     * @param amount how much to add
     * @param key the values of the keys
     * @param atLeast the smallest number that may be raised
     * @param atMost the largest number that may be raised
     * @return the index of the next parameter, if the statement has more
     * @throws SQLException if the driver fails
     */
    public int set(PreparedStatement statement, long amount, List<?> key, long atLeast, long atMost)
            throws SQLException {
        int next = 1;
        statement.setLong(next++, amount);
        if (guard != null) {
            statement.setLong(next++, amount / stride);
        }
        next = setKey(statement, next, key);
        statement.setLong(next++, atLeast);
        statement.setLong(next++, atMost);
        if (limitColumn != null) {
            statement.setLong(next++, amount - stride); // the distance from the first granted id to the last
        }
        if (guard != null) {
            next = guard.setServer(statement, next);
            statement.setLong(next++, amount / stride);
        }
        return next;
    }

    /**
     * Adds with a statement that returns the new number as its only row.
     *
     * @param connection in auto-commit mode or in a transaction
     * @param sql a statement that contains the text of {@link #update}
     * @param amount how much to add
     * @param key the values of the keys
     * @param atLeast the smallest number that may be raised
     * @param atMost the largest number that may be raised
     * @return the new number, or empty if no row was raised
     * @throws SQLException if the database rejects the statement or does not answer
     */
    public OptionalLong query(Connection connection, String sql, long amount, List<?> key, long atLeast, long atMost)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, amount, key, atLeast, atMost);
            return only(statement);
        }
    }

    /** Raises the row, and reads it while it is still locked. Works on every database, in a transaction. */
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

    private static int setKey(PreparedStatement statement, int first, List<?> key) throws SQLException {
        int index = first;
        for (Object value : key) {
            statement.setObject(index++, value);
        }
        return index;
    }

    private static OptionalLong only(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return OptionalLong.empty();
            }
            OptionalLong number = OptionalLong.of(rows.getLong(1));
            if (rows.next()) { // reads to the end, because SQLite commits there
                throw new SQLException("two rows of one name: the table has no primary key", "21000");
            }
            return number;
        }
    }
}
