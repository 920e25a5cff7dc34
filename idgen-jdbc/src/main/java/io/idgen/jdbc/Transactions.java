package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.internal.Connector;
import io.idgen.jdbc.internal.OwnConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Short transactions of idgen's own: a connection of its own, READ COMMITTED whatever the server's default (a snapshot would
 * turn a busy row into errors), a network timeout whatever the URL says, and the connection given back as it was found.
 */
final class Transactions {
    private static final System.Logger LOG = System.getLogger(Transactions.class.getName());

    private final Database database;
    private final Duration timeout;

    Transactions(DataSource dataSource, Duration timeout) {
        this(
                new Database(new Connector(dataSource::getConnection), OwnConnections.areReadCommitted(dataSource)),
                timeout);
    }

    private Transactions(Database database, Duration timeout) {
        this.database = database;
        this.timeout = timeout;
    }

    /** What is known of the database, once it has answered. */
    private static final class Database {
        final Connector connector;
        final boolean isReadCommitted;
        volatile @Nullable Dialect dialect;
        volatile boolean hasNoNetworkTimeout;

        Database(Connector connector, boolean isReadCommitted) {
            this.connector = connector;
            this.isReadCommitted = isReadCommitted;
        }
    }

    /** What is done in a transaction, in the words of its database. */
    interface Work<T> {
        T in(Connection connection, Dialect dialect) throws SQLException;
    }

    /** The same with another limit on how long the database may take to give a connection, or to answer. */
    Transactions withTimeout(Duration newTimeout) {
        return new Transactions(database, newTimeout);
    }

    /**
     * Does the work and commits; rolls back if it throws.
     *
     * @param purpose what is being done, for the message of a failure
     * @throws AllocationException {@link ErrorCode#DATABASE_FAILED} for every error of the database that may pass, {@link
     *     ErrorCode#STATEMENT_REFUSED} for one that will not
     * @throws ConfigurationException if no dialect is known for the database
     */
    <T> T commit(String purpose, Work<T> work) {
        return run(purpose, work, false);
    }

    /** The same for work that is one statement where the database has one for it: then without the round trip of a commit. */
    <T> T commitEach(String purpose, Work<T> work) {
        return run(purpose, work, true);
    }

    private <T> T run(String purpose, Work<T> work, boolean each) {
        boolean asked = database.hasNoNetworkTimeout;
        try (Connection connection = database.connector.connect(timeout)) {
            Integer networkTimeoutMillis = limitNetwork(connection);
            // HikariCP throws a connection away whose driver does not know a method: it is asked for that only once
            if (asked == database.hasNoNetworkTimeout || !connection.isClosed()) {
                return new Borrowed(connection, networkTimeoutMillis, database.isReadCommitted)
                        .run(purpose, dialect(connection), work, each);
            }
        } catch (SQLException e) {
            throw failure(ErrorCode.DATABASE_FAILED, purpose, e);
        }
        return run(purpose, work, each);
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

    private static AllocationException failure(ErrorCode code, String purpose, SQLException e) {
        // a pool says that it has no connection, and only its cause why
        String why = e.getCause() instanceof SQLException cause
                        && !String.valueOf(e.getMessage()).contains(String.valueOf(cause.getMessage()))
                ? "; " + cause.getMessage()
                : "";
        return new AllocationException(
                code, purpose + " failed: " + e.getMessage() + " (SQL state " + e.getSQLState() + ")" + why, e);
    }

    /** A connection that is given back as it was found. */
    private static final class Borrowed {
        private final Connection connection;
        private final @Nullable Integer networkTimeoutMillis;
        private final boolean autoCommit;
        private final int isolation;

        /** The network is limited already, for the isolation may be a question to the server. */
        Borrowed(Connection connection, @Nullable Integer networkTimeoutMillis, boolean isReadCommitted)
                throws SQLException {
            this.connection = connection;
            this.networkTimeoutMillis = networkTimeoutMillis;
            this.autoCommit = connection.getAutoCommit();
            this.isolation =
                    isReadCommitted ? Connection.TRANSACTION_READ_COMMITTED : connection.getTransactionIsolation();
        }

        <T> T run(String purpose, Dialect dialect, Work<T> work, boolean each) throws SQLException {
            boolean inTransaction = !each || !dialect.addsInOneStatement();
            try {
                if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                connection.setAutoCommit(!inTransaction);
                T result = work.in(connection, dialect);
                if (inTransaction) {
                    connection.commit();
                }
                restore();
                return result;
            } catch (SQLException | RuntimeException e) {
                if (e instanceof SQLException sql && dialect.isReadOnly(sql)) {
                    discard(sql);
                    throw e;
                }
                if (inTransaction) {
                    rollback(e);
                }
                restore();
                if (e instanceof SQLException sql && dialect.isRefusal(sql)) {
                    throw failure(ErrorCode.STATEMENT_REFUSED, purpose, sql);
                }
                throw e;
            }
        }

        /** A connection to a server that may not write is of no use to anyone who wants to: no pool shall keep it. */
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
                if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                    connection.setTransactionIsolation(isolation);
                }
                if (networkTimeoutMillis != null) {
                    connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
                }
            } catch (SQLException e) {
                LOG.log(System.Logger.Level.DEBUG, "a connection could not be given back as it was found", e);
            }
        }
    }
}
