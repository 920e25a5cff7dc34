package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
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

    private final DataSource dataSource;
    private final Duration timeout;

    Transactions(DataSource dataSource, Duration timeout) {
        this.dataSource = dataSource;
        this.timeout = timeout;
    }

    /** What is done in a transaction. */
    interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    /** The same with another limit on how long the database may take to answer. */
    Transactions withTimeout(Duration newTimeout) {
        return new Transactions(dataSource, newTimeout);
    }

    /**
     * Does the work and commits; rolls back if it throws.
     *
     * @param purpose what is being done, for the message of a failure
     * @throws AllocationException {@link ErrorCode#DATABASE_FAILED} for every error of the database
     */
    <T> T commit(String purpose, Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return new Borrowed(connection, timeout).commit(work);
        } catch (SQLException e) {
            throw new AllocationException(
                    ErrorCode.DATABASE_FAILED,
                    purpose + " failed: " + e.getMessage() + " (SQL state " + e.getSQLState() + ")",
                    e);
        }
    }

    /** A connection that is given back as it was found. */
    private static final class Borrowed {
        private final Connection connection;
        private final @Nullable Integer networkTimeoutMillis;
        private final boolean autoCommit;
        private final int isolation;

        /** Limits the network before anything is asked: already the isolation may be a question to the server. */
        Borrowed(Connection connection, Duration timeout) throws SQLException {
            this.connection = connection;
            this.networkTimeoutMillis = limitNetwork(connection, (int) timeout.toMillis());
            this.autoCommit = connection.getAutoCommit();
            this.isolation = connection.getTransactionIsolation();
        }

        <T> T commit(Work<T> work) throws SQLException {
            try {
                if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                connection.setAutoCommit(false);
                T result = work.in(connection);
                connection.commit();
                restore();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollback(e);
                restore();
                throw e;
            }
        }

        /** The timeout that stood before, or null where the driver has none. */
        private static @Nullable Integer limitNetwork(Connection connection, int millis) throws SQLException {
            try {
                int before = connection.getNetworkTimeout();
                connection.setNetworkTimeout(Runnable::run, millis);
                return before;
            } catch (SQLFeatureNotSupportedException e) {
                return null;
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
                connection.setAutoCommit(autoCommit);
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
