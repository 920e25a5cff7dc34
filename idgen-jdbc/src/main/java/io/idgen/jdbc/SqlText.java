package io.idgen.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** An SQL statement, or a part of one, with the values of its parameters. Not safe for several threads. */
final class SqlText {
    private final StringBuilder text = new StringBuilder();
    private final List<Object> values = new ArrayList<>();
    private String beforeChange = " SET ";
    private String beforeCondition = " WHERE ";

    /**
     * Begins with a text.
     *
     * @param values of its parameters: texts and whole numbers
     */
    SqlText(String text, Object... values) {
        add(text, values);
    }

    SqlText add(String more, Object... itsValues) {
        text.append(more);
        values.addAll(List.of(itsValues));
        return this;
    }

    SqlText add(SqlText more) {
        return add(more.text.toString(), more.values.toArray());
    }

    /** Adds a change to an {@code UPDATE}, before its conditions. */
    SqlText set(String change, Object... itsValues) {
        return set(new SqlText(change, itsValues));
    }

    SqlText set(SqlText change) {
        text.append(beforeChange);
        beforeChange = ", ";
        return add(change);
    }

    /** Adds a condition that must hold together with all others. */
    SqlText where(String condition, Object... itsValues) {
        return where(new SqlText(condition, itsValues));
    }

    SqlText where(SqlText condition) {
        text.append(beforeCondition);
        beforeCondition = " AND ";
        return add(condition);
    }

    /** Prepares the statement and sets its parameters. */
    PreparedStatement on(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text.toString());
        try {
            for (int i = 0; i < values.size(); i++) {
                set(statement, i + 1, values.get(i));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private static void set(PreparedStatement statement, int index, Object value) throws SQLException {
        if (value instanceof Integer number) {
            statement.setInt(index, number);
        } else if (value instanceof Long number) {
            statement.setLong(index, number);
        } else {
            statement.setString(index, (String) value);
        }
    }

    /** Runs a statement that changes rows, and returns how many rows the driver has counted. */
    int update(Connection connection) throws SQLException {
        try (PreparedStatement statement = on(connection)) {
            return statement.executeUpdate();
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
