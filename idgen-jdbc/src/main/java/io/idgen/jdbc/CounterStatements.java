package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Dialect.Returning;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The statements on the rows of counters in one database. Each grants ids only as {@link CounterTable} describes. */
final class CounterStatements {
    private final Transactions table;
    private final CounterOptions options;
    private volatile @Nullable Server known;

    CounterStatements(CounterOptions options) {
        this.table = CounterRows.in(new Transactions(options.dataSource, options.timeout), options.table);
        this.options = options;
    }

    boolean mayLoseRows() {
        return table.mayLoseRows();
    }

    /**
     * The expressions of a server.
     *
     * @param isThis the condition that this server granted the last ids of a row
     * @param id the value of {@code server_id} for this server
     * @param moves whether that value changes while the server stays the same one
     * @param now the time
     */
    private record Server(SqlText isThis, SqlText id, boolean moves, String now) {
        /** Returns the condition that the period of a row has not ended; see {@link CounterRows#MOST_AHEAD_MILLIS}. */
        String isCurrent() {
            return "win - " + now + " BETWEEN 1 AND " + CounterRows.MOST_AHEAD_MILLIS;
        }

        /** Returns how many ids a row has granted in the current period. */
        String used() {
            return "CASE WHEN " + isCurrent() + " THEN used ELSE 0 END";
        }
    }

    /**
     * A row.
     *
     * @param next the next id to grant
     * @param step the fewest ids that segments take; 0 if not set
     * @param reach how many ids it grants at most in a period; 0 if no statement has set it yet
     * @param isOurs whether this server granted its last ids
     * @param left how many ids it may still grant in this period
     * @param periodEndMillis when that period ends
     */
    record CounterState(
            long next,
            int step,
            int instance,
            int instances,
            long reach,
            boolean isOurs,
            long left,
            long periodEndMillis) {
        /** Returns twice the reach, in numbers. */
        long lift() {
            return 2 * reach * instances;
        }
    }

    /**
     * Raises the row of a name by as many ids, and returns its new number. Returns empty if it has fewer ids left, if
     * it is missing, if it lies below {@code atLeast}, if another server granted its last ids, or if its instance or
     * step is another one.
     *
     * @param step the step of the row, 0 if it is not set; null for ids of a row with any step
     * @param count how many ids, above 0
     */
    OptionalLong take(String name, @Nullable Integer step, long count, long atLeast) {
        int stride = options.instances;
        long amount = count * stride;
        long atMost = options.largestId() - (amount - stride);
        return table.commitEach(
                purpose(name),
                (connection, dialect) -> {
                    Server server = server(connection, dialect);
                    Optional<Returning> returning = dialect.returning();
                    String sum = returning.map(Returning::sum).orElse("next_id + ?");
                    SqlText update = new SqlText("UPDATE " + table)
                            .set("next_id = " + sum, amount)
                            // MariaDB assigns from left to right, so this is set while win still has its previous value
                            .set("used = " + server.used() + " + ?", count)
                            .set("win = CASE WHEN " + server.isCurrent() + " THEN win ELSE " + server.now + " + "
                                    + CounterRows.PERIOD_MILLIS + " END");
                    if (server.moves) {
                        update.set(new SqlText("server_id = ").add(server.id));
                    }
                    update.where("name = ?", name)
                            .where("instance = ? AND instances = ?", options.instance, options.instances);
                    if (step != null) {
                        update.where("COALESCE(step, 0) = ?", step);
                    }
                    update.where("next_id BETWEEN ? AND ?", atLeast, atMost)
                            .where(server.isThis)
                            .where(server.used() + " <= reach - ?", count)
                            .where(dialect.durableCommit());
                    return returning.isPresent()
                            ? returned(
                                    connection,
                                    update.where(dialect.autoCommit().map(Dialect.AutoCommit::condition)),
                                    returning.get())
                            : updatedThenRead(connection, update, name);
                },
                OptionalLong::isEmpty);
    }

    /** Raises the row with one statement, and returns its new number; empty if no row was raised. */
    private OptionalLong returned(Connection connection, SqlText update, Returning returning) throws SQLException {
        if (!returning.asKey()) {
            return only(new SqlText(returning.before()).add(update).add(returning.after()), connection);
        }
        try (PreparedStatement statement = update.returningKeys(connection)) {
            // if no row was updated, the key may be that of an earlier statement
            if (statement.executeUpdate() == 0) {
                return OptionalLong.empty();
            }
            try (ResultSet keys = statement.getGeneratedKeys()) {
                if (!keys.next()) {
                    // the row was raised, and nobody gets the ids; a retry would raise it again, so this is a refusal
                    throw new SQLException(
                            "the server has raised a row of " + table
                                    + " and did not return the new number, because the"
                                    + " table has a trigger, or a proxy removed it from the response; SHOW TRIGGERS lists"
                                    + " triggers; drop those of " + table,
                            "42000");
                }
                return OptionalLong.of(keys.getLong(1));
            }
        }
    }

    /** Raises the row, and reads it while it is still locked. */
    private OptionalLong updatedThenRead(Connection connection, SqlText update, String name) throws SQLException {
        return update.update(connection) == 0
                ? OptionalLong.empty()
                : only(new SqlText("SELECT next_id FROM " + table).where("name = ?", name), connection);
    }

    private static OptionalLong only(SqlText query, Connection connection) throws SQLException {
        List<Long> numbers = query.all(connection, row -> row.getLong(1)); // to the end, because SQLite commits there
        if (numbers.size() > 1) {
            throw new SQLException("two rows of one name: the table has no primary key", "21000");
        }
        return numbers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(numbers.get(0));
    }

    /** Returns the row as it is. Locks it, so that a proxy does not ask a replica that lags. */
    Optional<CounterState> find(String name) {
        return table.commit(purpose(name), (connection, dialect) -> {
            Server server = server(connection, dialect);
            return new SqlText("SELECT next_id, step, instance, instances, reach, win, " + server.used() + ", ")
                    .add(SqlText.flag(server.isThis))
                    .add(" FROM " + table)
                    .where("name = ?", name)
                    .add(dialect.rowLock())
                    .first(connection, CounterStatements::row);
        });
    }

    private static CounterState row(ResultSet found) throws SQLException {
        long reach = found.getLong(5);
        // without a reach, no statement of idgen has used the row, whatever its server is
        boolean isOurs = !found.wasNull() && found.getInt(8) == 1;
        return new CounterState(
                found.getLong(1),
                found.getInt(2),
                found.getInt(3),
                found.getInt(4),
                reach,
                isOurs,
                reach - found.getLong(7),
                found.getLong(6));
    }

    /** Sets the number of a row that has not changed since it was read, and makes it one of this server. */
    boolean set(String name, CounterState row, long after) {
        return table.commit(purpose(name), (connection, dialect) -> {
            Server server = server(connection, dialect);
            return new SqlText("UPDATE " + table)
                            .set("next_id = ?", after)
                            .set("reach = COALESCE(reach, ?)", options.reachOr(row.step))
                            .set(new SqlText("server_id = ").add(server.id))
                            .where("name = ?", name)
                            .where("instance = ? AND instances = ?", row.instance, row.instances)
                            .where("next_id = ?", row.next)
                            .where(new SqlText(row.isOurs ? "1 = " : "(reach IS NULL OR 0 = ")
                                    .add(SqlText.flag(server.isThis))
                                    .add(row.isOurs ? "" : ")"))
                            .where(dialect.durableCommit())
                            .update(connection)
                    > 0;
        });
    }

    /**
     * Creates the row of a name, unless another process has just created it. Its ids begin at the start of new rows, or
     * at {@code atLeast} if that is higher.
     */
    void make(String name, long atLeast, LongUnaryOperator aligned) {
        table.commit(purpose(name), (connection, dialect) -> {
            writeFirst(connection, name);
            long first = aligned.applyAsLong(Math.max(atLeast, options.start(connection, dialect, name)));
            try {
                new SqlText(
                                "INSERT INTO " + table + " (name, next_id, instance, instances, reach, server_id)"
                                        + " VALUES (?, ?, ?, ?, ?, ",
                                name,
                                first,
                                options.instance,
                                options.instances,
                                options.reachOr(0))
                        .add(server(connection, dialect).id)
                        .add(")")
                        .update(connection);
            } catch (SQLException e) {
                if (dialect.failure(e) != Failure.DUPLICATE_KEY) {
                    throw e;
                }
                connection.rollback(); // PostgreSQL does not commit a transaction with a failed statement
            }
            return true;
        });
    }

    /** Returns the first id of a new row according to this database. */
    long start(String name) {
        return table.commit(
                "looking in " + table + " for where ids of '" + name + "' begin",
                (connection, dialect) -> options.start(connection, dialect, name));
    }

    /** Writes without a change: a SQLite transaction that begins with a read may be refused its first write. */
    private void writeFirst(Connection connection, String name) throws SQLException {
        new SqlText("UPDATE " + table)
                .set("next_id = next_id")
                .where("name = ?", name)
                .update(connection);
    }

    /**
     * Sets a row back from the end of each segment to its first id, if the row still has that end and this server
     * granted it. All updates are in one transaction: if a deadlock rolls them back, they can be retried.
     *
     * <p>The updates also compare how many ids the row has granted in its period, which rises with each grant. So an
     * update that a proxy sends again later matches nothing, even if another process was granted the same ids
     * meanwhile.
     */
    void handBack(String name, List<Segment> newestFirst) {
        table.commit(purpose(name), (connection, dialect) -> {
            Server server = server(connection, dialect);
            writeFirst(connection, name);
            Granted granted = new SqlText("SELECT win, used FROM " + table)
                    .where("name = ?", name)
                    .first(connection, found -> new Granted(found.getLong(1), found.getLong(2)))
                    .orElse(new Granted(0, 0));
            for (Segment segment : newestFirst) {
                int changed = new SqlText("UPDATE " + table)
                        .set("next_id = ?", segment.first())
                        .where("name = ?", name)
                        .where("next_id = ?", segment.last() + options.instances)
                        .where("win = ? AND used = ?", granted.periodEndMillis, granted.ids)
                        .where(server.isThis)
                        .update(connection);
                if (changed == 0) {
                    break;
                }
            }
            return true;
        });
    }

    /** How many ids a row has granted in the period that ends then. */
    private record Granted(long periodEndMillis, long ids) {}

    private Server server(Connection connection, Dialect dialect) throws SQLException {
        Server found = known;
        if (found == null) {
            Transactions.checkRowsSurvive(connection, dialect, table.toString());
            String now = dialect.statementMillis();
            Dialect.CounterServer own = dialect.counterServer(connection);
            found = options.identity == null
                    ? new Server(new SqlText(own.isThis()), new SqlText(own.id()), own.moves(), now)
                    : new Server(
                            new SqlText("server_id = ?", options.identity),
                            new SqlText("?", options.identity),
                            false,
                            now);
            known = found;
        }
        return found;
    }

    private String purpose(String name) {
        return "allocating ids of '" + name + "' from " + table;
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
