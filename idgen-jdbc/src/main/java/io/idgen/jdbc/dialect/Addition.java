package io.idgen.jdbc.dialect;

import io.idgen.jdbc.dialect.Counter.Guard;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A number to add to a row of a counter, which a {@link Dialect} turns into a statement. The statement changes one row
 * or none. Immutable.
 *
 * @param counter the counter
 * @param amount how much to add, a multiple of the counter's stride
 * @param key the values of the counter's keys; copied
 * @param atLeast the smallest number that may be raised
 * @param atMost the largest number that may be raised
 */
public record Addition(Counter counter, long amount, List<?> key, long atLeast, long atMost) {

    /** Copies the key. */
    public Addition {
        Objects.requireNonNull(counter);
        key = List.copyOf(key);
    }

    /**
     * Adds with a statement that returns the new number as its only row.
     *
     * @param connection in auto-commit mode or in a transaction
     * @param before the text before the {@code UPDATE}
     * @param after the text after its last condition
     * @return the new number, or empty if no row was raised
     * @throws SQLException if the database rejects the statement or does not answer
     */
    public OptionalLong query(Connection connection, String before, String after) throws SQLException {
        return only(new SqlText(before).add(update(counter.column() + " + ?")).add(after), connection);
    }

    /**
     * Prepares an {@code UPDATE} whose new number the driver returns as a generated key.
     *
     * @param connection in auto-commit mode or in a transaction
     * @param newNumber the expression of the new number; its parameter is the amount
     * @param after the text after the last condition
     * @return the statement with the values of its parameters; the caller runs and closes it
     * @throws SQLException if the database rejects the statement or does not answer
     */
    public PreparedStatement returningKeys(Connection connection, String newNumber, String after) throws SQLException {
        return update(newNumber).add(after).returningKeys(connection);
    }

    /** Raises the row, and reads it while it is still locked. Works on every database, in a transaction. */
    OptionalLong updateThenSelect(Connection connection) throws SQLException {
        return update(counter.column() + " + ?").update(connection) == 0
                ? OptionalLong.empty()
                : only(ofKey(new SqlText("SELECT " + counter.column() + " FROM " + counter.table())), connection);
    }

    private SqlText update(String newNumber) {
        String column = counter.column();
        Guard guard = counter.guard();
        long ids = amount / counter.stride();
        SqlText update = new SqlText("UPDATE " + counter.table()).set(column + " = " + newNumber, amount);
        if (guard != null) {
            // MariaDB assigns from left to right, so this is set while win still has its previous value
            update.set("used = " + guard.used() + " + ?", ids);
            update.set("win = CASE WHEN win > " + guard.nowMillis() + " THEN win ELSE " + guard.nowMillis() + " + "
                    + Guard.WINDOW_MILLIS + " END");
        }
        ofKey(update).where(column + " BETWEEN ? AND ?", atLeast, atMost);
        if (guard != null) {
            update.where("server_id = " + guard.server(), guard.serverValues().toArray());
            update.where(guard.used() + " <= reach - ?", ids);
        }
        return update;
    }

    private SqlText ofKey(SqlText statement) {
        for (int i = 0; i < key.size(); i++) {
            statement.where(counter.keys().get(i) + " = ?", key.get(i));
        }
        return statement;
    }

    private static OptionalLong only(SqlText query, Connection connection) throws SQLException {
        List<Long> numbers = query.all(connection, row -> row.getLong(1)); // to the end, because SQLite commits there
        if (numbers.size() > 1) {
            throw new SQLException("two rows of one name: the table has no primary key", "21000");
        }
        return numbers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(numbers.get(0));
    }
}
