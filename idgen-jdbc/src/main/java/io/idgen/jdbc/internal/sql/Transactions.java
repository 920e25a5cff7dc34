package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.connection.ConnectionRefusal;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs idgen's own short transactions, each on its own connection. The isolation level is READ COMMITTED whatever the
 * server's default, or another level at which the statement behaves the same. With snapshots, concurrent updates of a
 * busy row would fail. Each transaction has a network timeout whatever the URL says, and each statement a shorter one.
 * Connections are returned in their original state. A transaction is retried at once if the database rolled it back
 * because of concurrent ones.
 */
public final class Transactions {

    /** How many attempts a transaction gets before its failure is reported. */
    static final int TRIES = 5;

    // the pauses are at most 8, 16, 32 and 64 ms
    private static final long FIRST_PAUSE_MILLIS = 4;

    private static final Pattern FUNCTION = Pattern.compile("permission denied for function (\\w+)");

    private final BorrowedConnection.Facts facts;
    private final IntPredicate pause;
    private final Duration timeout;
    private final @Nullable TableNames table;

    public Transactions(DataSource dataSource, Duration timeout) {
        this(dataSource, timeout, Transactions::pause);
    }

    /**
     * Creates transactions with another pause between attempts, for tests.
     *
     * @param pause waits after a number of failed attempts, at least one; returns false if it was the last one
     */
    public Transactions(DataSource dataSource, Duration timeout, IntPredicate pause) {
        this(new BorrowedConnection.Facts(dataSource), pause, timeout, null);
    }

    private Transactions(
            BorrowedConnection.Facts facts, IntPredicate pause, Duration timeout, @Nullable TableNames table) {
        this.facts = facts;
        this.pause = pause;
        this.timeout = timeout;
        this.table = table;
    }

    /** One of idgen's tables: its name in this database, and its name in idgen's scripts. */
    private record TableNames(SqlName name, String defaultName) {}

    /**
     * Waits for a random time, so that the conflicting transactions do not collide again. Returns false if the thread
     * was interrupted. Its interrupt status stays set.
     */
    private static boolean pause(int tries) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong((FIRST_PAUSE_MILLIS << tries) + 1));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The statements of a transaction, written in the SQL of the dialect. */
    public interface Work<T> {
        T in(Connection connection, Dialect dialect) throws SQLException;
    }

    /** Returns a copy with another timeout, for the connection and then for each statement. */
    public Transactions withTimeout(Duration newTimeout) {
        return new Transactions(facts, pause, newTimeout, table);
    }

    /**
     * Returns a copy for statements on one of idgen's tables, whose name is its text. If the table is missing, it is
     * created if the settings allow that; otherwise the exception contains its DDL.
     *
     * @param name the table's name in this database
     * @param defaultName the table's name in idgen's scripts
     */
    public Transactions on(SqlName name, String defaultName) {
        return new Transactions(facts, pause, timeout, new TableNames(name, defaultName));
    }

    /** Returns whether a table exists and may be read. Blocks for one transaction. */
    public boolean exists(SqlName name) {
        return commit("checking for " + name, (connection, dialect) -> {
            try {
                new SqlText("SELECT 1 FROM " + name + " WHERE 1 = 0").finds(connection);
                return true;
            } catch (SQLException e) {
                if (dialect.failure(e) == Failure.MISSING_TABLE) {
                    return false;
                }
                throw e;
            }
        });
    }

    /**
     * Refuses a table whose rows a crash loses.
     *
     * @throws SQLException with the reason and the statement that ends it
     */
    public static void checkRowsSurvive(Connection connection, Dialect dialect, String table) throws SQLException {
        Optional<String> query = dialect.tableThatLosesRows();
        if (query.isEmpty()) {
            return;
        }
        SqlName name = SqlName.parse(table, 1, 3);
        Optional<String> lost = new SqlText(query.get(), name.schema(), name.column())
                .first(
                        connection,
                        row -> "a crash loses rows of " + table + ", because " + row.getString(1)
                                + "; stop all processes, and run ALTER TABLE " + table + " " + row.getString(2));
        if (lost.isPresent()) {
            throw new SQLException(lost.get(), "42000");
        }
    }

    /** Returns whether rows may disappear while this process runs. */
    public boolean mayLoseRows() {
        return facts.schema != null && facts.schema.mayLoseRows();
    }

    /**
     * Runs the work and commits; rolls back if the work throws. Retries on another connection after a deadlock or a
     * serialization failure, so the work must have no effects other than its statements.
     *
     * @param purpose what the work does, for the message of a failure
     * @throws StoreUnavailableException for each database error that may pass; a {@link StoreUnreachableException} if
     *     the database refuses connections
     * @throws AllocationException {@link ErrorCode#STATEMENT_REFUSED} for each one that will not
     * @throws ConfigurationException if idgen has no dialect for the database
     */
    public <T> T commit(String purpose, Work<T> work) {
        return run(purpose, work, false, result -> false);
    }

    /**
     * Runs work that is a single statement on databases that support it, without the round trip of a commit. Each of
     * its statements is committed, so at most one of them may change data.
     */
    public <T> T commitEach(String purpose, Work<T> work) {
        return commitEach(purpose, work, result -> false);
    }

    /**
     * Runs work that is a single statement with the condition of {@link Dialect#autoCommit}. If the statement changed
     * nothing because the session is not in auto-commit mode, sets that mode and runs the work again.
     *
     * @param isNothing whether a result means that the statement changed nothing
     */
    public <T> T commitEach(String purpose, Work<T> work, Predicate<T> isNothing) {
        return run(purpose, work, true, isNothing);
    }

    private <T> T run(String purpose, Work<T> work, boolean each, Predicate<T> isNothing) {
        TableNames own = table;
        if (own == null) {
            return repeated(purpose, work, each, isNothing);
        }
        Work<T> onTable = (connection, dialect) -> {
            try {
                return work.in(connection, dialect);
            } catch (SQLException e) {
                Failure failure = dialect.failure(e);
                if (failure == Failure.MISSING_TABLE) {
                    throw missing(own, dialect, e);
                } else if (failure == Failure.FORBIDDEN) {
                    throw new AllocationException(
                            ErrorCode.STATEMENT_REFUSED,
                            forbidden(connection, failed(purpose, e), "SELECT, INSERT, UPDATE ON " + own.name),
                            e);
                }
                throw e;
            }
        };
        try {
            return repeated(purpose, onTable, each, isNothing);
        } catch (AllocationException e) {
            if (e.code() != ErrorCode.TABLE_MISSING || facts.schema == null) {
                throw e;
            }
            facts.schema.forget(); // its owner looks for the table again before the next connection
            return repeated(purpose, onTable, each, isNothing);
        }
    }

    private static AllocationException missing(TableNames table, Dialect dialect, SQLException e) {
        return new AllocationException(
                ErrorCode.TABLE_MISSING,
                table.name + " does not exist (" + e.getMessage() + "); if a migration creates it after the start, set"
                        + " idgen.startup=lazy; otherwise create it with the Flyway location db/idgen/" + dialect.name()
                        + ", with idgen.jdbc.initialize-schema=always, with IdgenSchema.create, or with\n"
                        + SchemaScript.createTable(dialect, table.defaultName, table.name),
                e);
    }

    /** Returns a message about a missing right, with the statement that grants it. */
    public static String forbidden(Connection connection, String fact, String right) throws SQLException {
        Matcher function = FUNCTION.matcher(fact);
        return fact + "; run GRANT " + (function.find() ? "EXECUTE ON FUNCTION " + function.group(1) + "()" : right)
                + " TO " + connection.getMetaData().getUserName().replaceFirst("@.*", "");
    }

    private <T> T repeated(String purpose, Work<T> work, boolean each, Predicate<T> isNothing) {
        for (int tries = 1; ; tries++) {
            try {
                return once(purpose, work, each, isNothing);
            } catch (SQLException e) {
                if (tries == TRIES || !facts.canRepeat(e) || !pause.test(tries)) {
                    throw new StoreUnavailableException(
                            failed(tries == 1 ? purpose : purpose + " (" + tries + " times)", e), e);
                }
                facts.forgetIsolation();
                System.getLogger(Transactions.class.getName())
                        .log(System.Logger.Level.DEBUG, "{0} failed and is retried: {1}", purpose, e.getMessage());
            }
        }
    }

    private <T> T once(String purpose, Work<T> work, boolean each, Predicate<T> isNothing) throws SQLException {
        try (BorrowedConnection borrowed = new BorrowedConnection(connect(purpose), facts, timeout)) {
            if (borrowed.limitNetwork()) {
                return borrowed.run(purpose, work, each, isNothing);
            }
        }
        return once(purpose, work, each, isNothing);
    }

    private Connection connect(String purpose) throws SQLException {
        try {
            return facts.connector.connect(timeout);
        } catch (SQLException e) {
            if (ConnectionRefusal.is(e)) {
                throw new StoreUnreachableException(failed(purpose, e), e);
            }
            throw e;
        }
    }

    static String failed(String purpose, SQLException e) {
        // a pool reports that it has no connection; only the cause says why
        String why = e.getCause() instanceof SQLException cause
                        && !String.valueOf(e.getMessage()).contains(String.valueOf(cause.getMessage()))
                ? "; " + cause.getMessage()
                : "";
        return purpose + " failed: " + e.getMessage() + " (SQL state " + e.getSQLState() + ")" + why;
    }

    @Override
    public String toString() {
        return table == null ? "transactions" : table.name.toString();
    }
}
