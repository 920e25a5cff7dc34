package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A borrowed connection, which is returned in its original state. */
final class BorrowedConnection {
    private final Connection connection;
    private final @Nullable Integer networkTimeoutMillis;
    private final Dialect.Restoration restoration;
    private final boolean autoCommit;
    private final int isolation;
    private boolean isSessionChanged;

    /** The network timeout must be set before, because reading the isolation level may be a round trip. */
    BorrowedConnection(Connection connection, Dialect dialect, @Nullable Integer networkTimeoutMillis, int isolation)
            throws SQLException {
        this.connection = connection;
        this.networkTimeoutMillis = networkTimeoutMillis;
        this.restoration = dialect.configure(connection);
        this.autoCommit = connection.getAutoCommit();
        this.isolation = isolation;
    }

    <T> T run(String purpose, Dialect dialect, Transactions.Work<T> work, boolean single) throws SQLException {
        boolean isReadCommitted = isolation == Connection.TRANSACTION_READ_COMMITTED;
        Optional<String> forTransaction = isReadCommitted ? Optional.empty() : dialect.readCommittedTransaction();
        boolean inTransaction = !single || forTransaction.isPresent();
        try {
            if (!isReadCommitted && forTransaction.isEmpty()) {
                isSessionChanged = true;
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            if (inTransaction || !autoCommit) { // MySQL's driver sends a mode also if the session has it already
                connection.setAutoCommit(!inTransaction);
            }
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
            Failure failure = e instanceof SQLException sql ? dialect.failure(sql) : Failure.OTHER;
            if (failure == Failure.READ_ONLY || failure == Failure.OTHER_SESSION) {
                discard(e);
                throw e;
            }
            if (inTransaction) {
                rollback(e);
            }
            restore();
            if (e instanceof SQLException sql && failure.isRefusal()) {
                throw new AllocationException(ErrorCode.STATEMENT_REFUSED, Transactions.failed(purpose, sql), sql);
            }
            throw e;
        }
    }

    /**
     * Aborts a connection to a read-only server, or one whose sessions a pooler mixed up, so that no pool keeps it.
     */
    private void discard(Exception cause) {
        try {
            connection.abort(Runnable::run);
            connection.setAutoCommit(!connection.getAutoCommit()); // fails, so its pool evicts it
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

    /**
     * Restores the original state. A failure here means a broken connection, which its pool notices; the
     * transaction has ended anyway.
     */
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
            System.getLogger(Transactions.class.getName())
                    .log(System.Logger.Level.DEBUG, "a connection could not be restored to its original state", e);
        }
    }
}
