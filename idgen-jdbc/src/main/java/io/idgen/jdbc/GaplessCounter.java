package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes numbers of a row in transactions of the application, which lock the row until they end. A rollback gives the
 * number back, so no number is missing. Ignores the server and the reach of a row: a replica that takes over has lost
 * the last numbers together with the rows that carry them.
 */
final class GaplessCounter {
    private final Counters counters;
    private final Transactions table;
    private final Set<String> seen = ConcurrentHashMap.newKeySet(); // the rows that exist
    private volatile @Nullable String now; // the expression of the time

    GaplessCounter(Counters counters) {
        this.counters = counters;
        CounterOptions options = counters.options;
        this.table = CounterRows.in(new Transactions(options.dataSource, options.timeout), options.table);
    }

    /** Reads the time of the database, in a transaction of idgen's own. */
    long nowMillis() {
        return table.commit(
                "reading the time of the database",
                (connection, dialect) -> time(connection, dialect.statementMillis()));
    }

    /** Reads the time of the database in a transaction of the application. */
    long nowMillis(Connection transaction) {
        try {
            if (transaction.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "a number without gaps is taken in a transaction, and this connection"
                                + " commits each statement by itself; call setAutoCommit(false), and commit after the insert");
            }
            return time(transaction, now());
        } catch (SQLException e) {
            throw failed("the time", e);
        }
    }

    private long time(Connection connection, String expression) throws SQLException {
        return new SqlText(
                        "SELECT " + expression + " FROM (SELECT COUNT(*) AS n FROM " + table + " WHERE name = '') one")
                .first(connection, row -> row.getLong(1))
                .orElseThrow();
    }

    private String now() {
        String known = now;
        if (known == null) {
            known = table.commit("recognising the database", (connection, dialect) -> dialect.statementMillis());
            now = known;
        }
        return known;
    }

    /**
     * Takes the next number of a row. If the row is missing, first creates it in a transaction of idgen's own; before
     * the row is looked for by an update, which would lock its place in the index on MariaDB and MySQL.
     *
     * @param largest the largest number
     */
    long take(Connection transaction, String name, long largest) {
        try {
            if (!seen.contains(name) && next(transaction, name) == 0) {
                counters.table().make(name, start -> start);
            }
            seen.add(name);
            boolean isTaken = raise(transaction, name, largest);
            long next = next(transaction, name);
            if (!isTaken && next > largest) {
                throw new AllocationException(
                        ErrorCode.LIMIT_REACHED,
                        "all numbers of '" + name + "' up to " + largest + " are used; widen {number:…} in the format");
            } else if (!isTaken) {
                seen.remove(name);
                throw new SQLException("the row was created after the transaction began, or is deleted");
            }
            return next - 1;
        } catch (SQLException e) {
            throw failed("a number of '" + name + "'", e);
        }
    }

    private boolean raise(Connection transaction, String name, long largest) throws SQLException {
        return new SqlText("UPDATE " + table)
                        .set("next_id = next_id + 1")
                        .where("name = ?", name)
                        .where("instance = 1 AND instances = 1")
                        .where("next_id <= ?", largest)
                        .update(transaction)
                > 0;
    }

    private long next(Connection transaction, String name) throws SQLException {
        return new SqlText("SELECT next_id FROM " + table)
                .where("name = ?", name)
                .first(transaction, row -> row.getLong(1))
                .orElse(0L);
    }

    private StoreUnavailableException failed(String what, SQLException e) {
        return new StoreUnavailableException(
                what + " cannot be taken from " + table + ": " + e.getMessage()
                        + "; roll the transaction back and repeat it, at READ COMMITTED if this is frequent",
                e);
    }
}
