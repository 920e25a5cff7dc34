package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.Connector;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.internal.dialect.Dialects;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Short transactions of idgen's own: a connection of its own, READ COMMITTED whatever the server's default (a snapshot would
 * turn a busy row into errors), a network timeout whatever the URL says, a shorter one for each statement, and the connection
 * given back as it was found. A transaction that the database rolled back because of concurrent ones is repeated at once.
 */
public final class Transactions {
    private static final System.Logger LOG = System.getLogger(Transactions.class.getName());

    /** How often a transaction is tried before its failure is reported. */
    static final int TRIES = 5;

    // the pauses are 8, 16, 32 and 64 ms at most
    private static final long FIRST_PAUSE_MILLIS = 4;

    private final Database database;
    private final Duration timeout;

    public Transactions(DataSource dataSource, Duration timeout) {
        this(dataSource, timeout, Transactions::pause);
    }

    /** With a pause of a test's own between tries. */
    public Transactions(DataSource dataSource, Duration timeout, Pause pause) {
        this(
                new Database(
                        new Connector(dataSource::getConnection), OwnConnections.haveOneIsolation(dataSource), pause),
                timeout);
    }

    private Transactions(Database database, Duration timeout) {
        this.database = database;
        this.timeout = timeout;
    }

    /** What is known of the database, once it has answered. */
    private static final class Database {
        final Connector connector;
        final boolean hasOneIsolation;
        final Pause pause;
        volatile @Nullable Dialect dialect;
        volatile @Nullable Integer isolation;
        volatile boolean hasNoNetworkTimeout;
        volatile boolean hasNoQueryTimeout;

        Database(Connector connector, boolean hasOneIsolation, Pause pause) {
            this.connector = connector;
            this.hasOneIsolation = hasOneIsolation;
            this.pause = pause;
        }

        /** The isolation of a borrowed connection. PostgreSQL's driver asks the server for it, so one answer is kept if it can be. */
        int isolation(Connection connection) throws SQLException {
            Integer known = isolation;
            if (known == null) {
                known = connection.getTransactionIsolation();
                if (hasOneIsolation) {
                    isolation = known;
                }
            }
            return known;
        }

        boolean canRepeat(SQLException e) {
            Dialect known = dialect;
            return e instanceof NoQueryTimeout
                    || (known != null && (known.isRolledBack(e) || known.isOfAnotherSession(e)));
        }
    }

    /** Waits before a transaction is repeated. */
    public interface Pause {
        /** After so many tries that failed, at least one. */
        void after(int tries) throws InterruptedException;
    }

    /** Random, so that the transactions which were in each other's way do not meet again. */
    private static void pause(int tries) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextLong((FIRST_PAUSE_MILLIS << tries) + 1));
    }

    /** The driver has no query timeout; it is not asked for one again. */
    private static final class NoQueryTimeout extends SQLException {
        private static final long serialVersionUID = 1;

        NoQueryTimeout(SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause);
        }
    }

    /** What is done in a transaction, in the words of its database. */
    public interface Work<T> {
        T in(Connection connection, Dialect dialect) throws SQLException;
    }

    /** The same with another limit on how long the database may take to give a connection, or to answer. */
    public Transactions withTimeout(Duration newTimeout) {
        return new Transactions(database, newTimeout);
    }

    /**
     * Does the work and commits; rolls back if it throws. Does it again, on another connection, while the database reports a
     * deadlock or a serialization failure: the work must have no effects but its statements.
     *
     * @param purpose what is being done, for the message of a failure
     * @throws StoreUnavailableException for every error of the database that may pass
     * @throws AllocationException {@link ErrorCode#STATEMENT_REFUSED} for one that will not
     * @throws ConfigurationException if no dialect is known for the database
     */
    public <T> T commit(String purpose, Work<T> work) {
        return run(purpose, work, false);
    }

    /**
     * The same for work that is one statement where the database has one for it: then without the round trip of a commit. No
     * more than one of its statements may change anything, since each of them is committed.
     */
    public <T> T commitEach(String purpose, Work<T> work) {
        return run(purpose, work, true);
    }

    private <T> T run(String purpose, Work<T> work, boolean each) {
        for (int tries = 1; ; tries++) {
            try {
                return once(purpose, work, each);
            } catch (SQLException e) {
                if (tries == TRIES || !database.canRepeat(e) || !mayRepeat(tries)) {
                    throw new StoreUnavailableException(
                            failed(tries == 1 ? purpose : purpose + " (" + tries + " times)", e), e);
                }
                LOG.log(System.Logger.Level.DEBUG, "{0} failed and is repeated: {1}", purpose, e.getMessage());
            }
        }
    }

    /** Pauses; false if the thread was interrupted, which it then still is. */
    private boolean mayRepeat(int tries) {
        try {
            database.pause.after(tries);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <T> T once(String purpose, Work<T> work, boolean each) throws SQLException {
        boolean asked = database.hasNoNetworkTimeout;
        try (Connection connection = database.connector.connect(timeout)) {
            Integer networkTimeoutMillis = limitNetwork(connection);
            // HikariCP throws a connection away whose driver does not know a method: it is asked for that only once
            if (asked == database.hasNoNetworkTimeout || !connection.isClosed()) {
                Dialect dialect = dialect(connection);
                Connection configured = ConfiguredConnection.of(connection, statement -> configure(statement, dialect));
                return new Borrowed(configured, dialect, networkTimeoutMillis, database.isolation(connection))
                        .run(purpose, dialect, work, each);
            }
        }
        return once(purpose, work, each);
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
            throw new NoQueryTimeout(e); // a pool may have thrown the connection away
        }
    }

    /**
     * The most whole seconds that are less than a timeout, so that a statement ends on the server before the client gives up.
     * 0 for less than two seconds: JDBC knows no shorter timeout than one, and a driver may take the rest to send its request.
     */
    private static int secondsBelow(Duration timeout) {
        return timeout.toSeconds() < 2 ? 0 : (int) timeout.minusNanos(1).toSeconds();
    }

    /** Before anything is asked. Gives the timeout that stood before, or null where the driver has none. */
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

    private static String failed(String purpose, SQLException e) {
        // a pool says that it has no connection, and only its cause why
        String why = e.getCause() instanceof SQLException cause
                        && !String.valueOf(e.getMessage()).contains(String.valueOf(cause.getMessage()))
                ? "; " + cause.getMessage()
                : "";
        return purpose + " failed: " + e.getMessage() + " (SQL state " + e.getSQLState() + ")" + why;
    }

    /** A connection that is given back as it was found. */
    private static final class Borrowed {
        private final Connection connection;
        private final @Nullable Integer networkTimeoutMillis;
        private final Dialect.Restoration restoration;
        private final boolean autoCommit;
        private final int isolation;
        private boolean isSessionChanged;

        /** The network is limited already, for the isolation may be a question to the server. */
        Borrowed(Connection connection, Dialect dialect, @Nullable Integer networkTimeoutMillis, int isolation)
                throws SQLException {
            this.connection = connection;
            this.networkTimeoutMillis = networkTimeoutMillis;
            this.restoration = dialect.configure(connection);
            this.autoCommit = connection.getAutoCommit();
            this.isolation = isolation;
        }

        <T> T run(String purpose, Dialect dialect, Work<T> work, boolean each) throws SQLException {
            boolean isReadCommitted = isolation == Connection.TRANSACTION_READ_COMMITTED;
            Optional<String> forTransaction = isReadCommitted ? Optional.empty() : dialect.readCommittedTransaction();
            boolean inTransaction = !each || !dialect.addsInOneStatement() || forTransaction.isPresent();
            try {
                if (!isReadCommitted && forTransaction.isEmpty()) {
                    isSessionChanged = true;
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                connection.setAutoCommit(!inTransaction);
                if (forTransaction.isPresent()) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(forTransaction.get());
                    }
                }
                T result = work.in(connection, dialect);
                if (inTransaction) {
                    connection.commit();
                }
                restore();
                return result;
            } catch (SQLException | RuntimeException e) {
                if (e instanceof SQLException sql && (dialect.isReadOnly(sql) || dialect.isOfAnotherSession(sql))) {
                    discard(sql);
                    throw e;
                }
                if (inTransaction) {
                    rollback(e);
                }
                restore();
                if (e instanceof SQLException sql && dialect.isRefusal(sql)) {
                    throw new AllocationException(ErrorCode.STATEMENT_REFUSED, failed(purpose, sql), sql);
                }
                throw e;
            }
        }

        /** A connection to a server that may not write, or that a pooler has mixed up, is of no use: no pool shall keep it. */
        private void discard(Exception cause) {
            try {
                connection.abort(Runnable::run);
                connection.setAutoCommit(!connection.getAutoCommit()); // fails, and shows its pool that it is broken
            } catch (SQLException e) {
                cause.addSuppressed(e);
            }
        }

        private void rollback(Exception cause) {
            try {
                connection.rollback();
            } catch (SQLException e) {
                cause.addSuppressed(e);
            }
        }

        /** What fails here is a broken connection, which its pool will notice; the transaction is over either way. */
        private void restore() {
            try {
                if (connection.getAutoCommit() != autoCommit) {
                    connection.setAutoCommit(autoCommit);
                }
                if (isSessionChanged) {
                    connection.setTransactionIsolation(isolation);
                }
                restoration.restore();
                if (networkTimeoutMillis != null) {
                    connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
                }
            } catch (SQLException e) {
                LOG.log(System.Logger.Level.DEBUG, "a connection could not be given back as it was found", e);
            }
        }
    }
}
