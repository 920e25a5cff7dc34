package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.connection.ConnectionRefusal;
import io.idgen.jdbc.internal.connection.Connector;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.internal.connection.SchemaFirst;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
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

    private final Database database;
    private final Duration timeout;

    public Transactions(DataSource dataSource, Duration timeout) {
        this(dataSource, timeout, Transactions::pause);
    }

    /** Creates transactions with another pause between attempts, for tests. */
    public Transactions(DataSource dataSource, Duration timeout, Pause pause) {
        this(
                new Database(
                        new Connector(dataSource::getConnection),
                        OwnConnections.haveOneIsolation(dataSource),
                        pause,
                        dataSource instanceof SchemaFirst first ? first.schema() : null),
                timeout);
    }

    private Transactions(Database database, Duration timeout) {
        this.database = database;
        this.timeout = timeout;
    }

    /** The facts about a database that are read once and cached. */
    private static final class Database {
        final Connector connector;
        final boolean hasOneIsolation;
        final Pause pause;
        final SchemaFirst.@Nullable Schema schema;
        volatile @Nullable Dialect dialect;
        volatile @Nullable Integer isolation;
        volatile boolean hasNoNetworkTimeout;
        volatile boolean hasNoQueryTimeout;
        volatile boolean setsAutoCommit; // a driver took a session to be in auto-commit mode, and it was not

        Database(Connector connector, boolean hasOneIsolation, Pause pause, SchemaFirst.@Nullable Schema schema) {
            this.schema = schema;
            this.connector = connector;
            this.hasOneIsolation = hasOneIsolation;
            this.pause = pause;
        }

        /**
         * The isolation level of a borrowed connection. Some drivers read it from the server, so it is cached. If
         * connections may differ, only READ COMMITTED is cached, for single statements. The level is then neither
         * changed nor restored. A {@linkplain #forgetIsolation failure} reveals a connection with another level.
         */
        int isolation(Connection connection, boolean single) throws SQLException {
            Integer known = isolation;
            if (known == null || !(single || hasOneIsolation)) {
                known = connection.getTransactionIsolation();
                if (hasOneIsolation || known == Connection.TRANSACTION_READ_COMMITTED) {
                    isolation = known;
                }
            }
            return known;
        }

        /** Reads the level again before the next transaction. */
        void forgetIsolation() {
            isolation = null;
        }

        boolean canRepeat(SQLException e) {
            Failure failure = dialect == null ? Failure.OTHER : dialect.failure(e);
            return e instanceof NoQueryTimeout || failure == Failure.ROLLED_BACK || failure == Failure.OTHER_SESSION;
        }
    }

    /** Waits before a transaction is retried. */
    public interface Pause {
        /** Waits after {@code tries} failed attempts, at least one. */
        void after(int tries) throws InterruptedException;
    }

    /** Waits for a random time, so that the conflicting transactions do not collide again. */
    private static void pause(int tries) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextLong((FIRST_PAUSE_MILLIS << tries) + 1));
    }

    /** The driver has no query timeout. It is not set again. */
    private static final class NoQueryTimeout extends SQLException {
        private static final long serialVersionUID = 1;

        NoQueryTimeout(SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause);
        }
    }

    /** The statements of a transaction, written in the SQL of the dialect. */
    public interface Work<T> {
        T in(Connection connection, Dialect dialect) throws SQLException;
    }

    /** Returns a copy with another timeout, for the connection and then for each statement. */
    public Transactions withTimeout(Duration newTimeout) {
        return new Transactions(database, newTimeout);
    }

    /** Returns whether missing tables may exist in the next transaction, because their owner looks for them again. */
    public boolean looksForTablesAgain() {
        if (database.schema == null) {
            return false;
        }
        database.schema.forget();
        return true;
    }

    /** Returns whether rows may disappear while this process runs. */
    public boolean mayLoseRows() {
        return database.schema != null && database.schema.mayLoseRows();
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
        for (int tries = 1; ; tries++) {
            try {
                return once(purpose, work, each, isNothing);
            } catch (SQLException e) {
                if (tries == TRIES || !database.canRepeat(e) || !mayRepeat(tries)) {
                    throw new StoreUnavailableException(
                            failed(tries == 1 ? purpose : purpose + " (" + tries + " times)", e), e);
                }
                database.forgetIsolation();
                System.getLogger(Transactions.class.getName())
                        .log(System.Logger.Level.DEBUG, "{0} failed and is retried: {1}", purpose, e.getMessage());
            }
        }
    }

    /** Pauses; returns false if the thread was interrupted. Its interrupt status stays set. */
    private boolean mayRepeat(int tries) {
        try {
            database.pause.after(tries);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <T> T once(String purpose, Work<T> work, boolean each, Predicate<T> isNothing) throws SQLException {
        boolean asked = database.hasNoNetworkTimeout;
        try (Connection connection = connect(purpose)) {
            Integer networkTimeoutMillis = limitNetwork(connection);
            // HikariCP evicts a connection whose driver does not support a method, so the method is tried only once
            if (asked == database.hasNoNetworkTimeout || !connection.isClosed()) {
                Dialect dialect = dialect(connection);
                Connection configured = ConfiguredConnection.of(connection, statement -> configure(statement, dialect));
                boolean single = each && dialect.returning().isPresent();
                int isolation = single && dialect.updatesReadCommitted()
                        ? Connection.TRANSACTION_READ_COMMITTED
                        : database.isolation(connection, single);
                return new BorrowedConnection(configured, dialect, networkTimeoutMillis, isolation)
                        .run(purpose, dialect, single ? inAutoCommitMode(work, isNothing) : work, single);
            }
        }
        return once(purpose, work, each, isNothing);
    }

    private <T> Work<T> inAutoCommitMode(Work<T> work, Predicate<T> isNothing) {
        return (connection, dialect) -> {
            if (database.setsAutoCommit) {
                setAutoCommit(connection, dialect);
            }
            T result = work.in(connection, dialect);
            if (!isNothing.test(result) || isAutoCommit(connection, dialect)) {
                return result;
            }
            database.setsAutoCommit = true;
            setAutoCommit(connection, dialect);
            return work.in(connection, dialect);
        };
    }

    private static void setAutoCommit(Connection connection, Dialect dialect) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.autoCommit().orElseThrow().statement());
        }
    }

    /** Returns whether the session of a connection in auto-commit mode has this mode, too. The driver may be wrong. */
    public static boolean isAutoCommit(Connection connection, Dialect dialect) throws SQLException {
        Optional<Dialect.AutoCommit> mode = dialect.autoCommit();
        return mode.isEmpty()
                || new SqlText("SELECT CASE WHEN " + mode.get().condition() + " THEN 1 ELSE 0 END")
                        .first(connection, answer -> answer.getInt(1) == 1)
                        .orElseThrow();
    }

    private Connection connect(String purpose) throws SQLException {
        try {
            return database.connector.connect(timeout);
        } catch (SQLException e) {
            if (ConnectionRefusal.is(e)) {
                throw new StoreUnreachableException(failed(purpose, e), e);
            }
            throw e;
        }
    }

    private void configure(Statement statement, Dialect dialect) throws SQLException {
        int seconds = database.hasNoQueryTimeout ? 0 : secondsBelow(timeout);
        try {
            dialect.configure(statement, seconds);
        } catch (SQLFeatureNotSupportedException e) {
            if (seconds == 0) {
                throw e;
            }
            database.hasNoQueryTimeout = true;
            throw new NoQueryTimeout(e); // a pool may have evicted the connection
        }
    }

    /**
     * The largest number of whole seconds below the timeout, so that the server ends a statement before the client
     * times out. 0 for less than two seconds: JDBC's shortest timeout is one second, and a driver may need the rest to
     * send its request.
     */
    private static int secondsBelow(Duration timeout) {
        return timeout.toSeconds() < 2 ? 0 : (int) timeout.minusNanos(1).toSeconds();
    }

    /**
     * Sets the network timeout, before any round trip. Returns the previous timeout, or null if the driver has none.
     */
    private @Nullable Integer limitNetwork(Connection connection) throws SQLException {
        if (database.hasNoNetworkTimeout) {
            return null;
        }
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
            return before;
        } catch (SQLFeatureNotSupportedException e) {
            database.hasNoNetworkTimeout = true;
            return null;
        }
    }

    private Dialect dialect(Connection connection) throws SQLException {
        Dialect known = database.dialect;
        if (known == null) {
            known = Dialects.of(connection);
            database.dialect = known;
        }
        return known;
    }

    static String failed(String purpose, SQLException e) {
        // a pool reports that it has no connection; only the cause says why
        String why = e.getCause() instanceof SQLException cause
                        && !String.valueOf(e.getMessage()).contains(String.valueOf(cause.getMessage()))
                ? "; " + cause.getMessage()
                : "";
        return purpose + " failed: " + e.getMessage() + " (SQL state " + e.getSQLState() + ")" + why;
    }
}
