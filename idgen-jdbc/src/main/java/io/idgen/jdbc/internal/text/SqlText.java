package io.idgen.jdbc.internal.text;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An SQL statement, or a part of one, with the values of its parameters. Not safe for several threads. */
public final class SqlText {
    private final StringBuilder text = new StringBuilder();
    private final List<@Nullable Object> values = new ArrayList<>();
    private String beforeChange = " SET ";
    private String beforeCondition = " WHERE ";
    private int mostRows; // 0 for all

    /** Reads a row. */
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Begins with a text.
     *
     * @param values of its parameters: texts and whole numbers
     */
    public SqlText(String text, @Nullable Object... values) {
        add(text, values);
    }

    /** Returns 1 if a condition holds, otherwise 0. */
    public static SqlText flag(SqlText condition) {
        return new SqlText("CASE WHEN ").add(condition).add(" THEN 1 ELSE 0 END");
    }

    public SqlText add(String more, @Nullable Object... itsValues) {
        text.append(more);
        values.addAll(Arrays.asList(itsValues));
        return this;
    }

    public SqlText add(SqlText more) {
        return add(more.text.toString(), more.values.toArray());
    }

    /** Adds a change to an {@code UPDATE}, before its conditions. */
    public SqlText set(String change, @Nullable Object... itsValues) {
        return set(new SqlText(change, itsValues));
    }

    public SqlText set(SqlText change) {
        text.append(beforeChange);
        beforeChange = ", ";
        return add(change);
    }

    /** Adds a condition that must hold together with all others. */
    public SqlText where(String condition, @Nullable Object... itsValues) {
        return where(new SqlText(condition, itsValues));
    }

    public SqlText where(SqlText condition) {
        text.append(beforeCondition);
        beforeCondition = " AND ";
        return add(condition);
    }

    /** Adds a condition if there is one. */
    public SqlText where(Optional<String> condition) {
        condition.ifPresent(this::where);
        return this;
    }

    /** Limits the rows that the driver returns. */
    public SqlText atMost(int rows) {
        mostRows = rows;
        return this;
    }

    private PreparedStatement on(Connection connection) throws SQLException {
        return bound(connection.prepareStatement(text.toString()));
    }

    /** Prepares a statement that returns generated keys, with its values. */
    public PreparedStatement returningKeys(Connection connection) throws SQLException {
        return bound(connection.prepareStatement(text.toString(), Statement.RETURN_GENERATED_KEYS));
    }

    private PreparedStatement bound(PreparedStatement statement) throws SQLException {
        try {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            if (mostRows > 0) {
                statement.setMaxRows(mostRows);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Runs a statement that changes rows, and returns how many rows the driver has counted. */
    public int update(Connection connection) throws SQLException {
        try (PreparedStatement statement = on(connection)) {
            return statement.executeUpdate();
        }
    }

    /** Runs a query, and reads its rows. */
    public <T> List<T> all(Connection connection, Reader<T> reader) throws SQLException {
        try (PreparedStatement statement = on(connection);
                ResultSet found = statement.executeQuery()) {
            List<T> all = new ArrayList<>();
            while (found.next()) {
                all.add(reader.read(found));
            }
            return all;
        }
    }

    /** Runs a query, and reads its first row; empty if it has none. */
    public <T> Optional<T> first(Connection connection, Reader<T> reader) throws SQLException {
        try (PreparedStatement statement = on(connection);
                ResultSet found = statement.executeQuery()) {
            return found.next() ? Optional.of(reader.read(found)) : Optional.empty();
        }
    }

    /** Runs a query, and returns whether it has a row. */
    public boolean finds(Connection connection) throws SQLException {
        return first(connection, row -> true).isPresent();
    }
}
