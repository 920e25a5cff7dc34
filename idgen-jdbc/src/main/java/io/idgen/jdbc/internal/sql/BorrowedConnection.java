package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.connection.Connector;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.internal.connection.SchemaFirst;
import io.idgen.jdbc.internal.dialect.Dialects;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs one transaction on a borrowed connection, which is returned in its original state. */
final class BorrowedConnection implements AutoCloseable {
    private final Connection connection;
    private final Facts facts;
    private final Duration timeout;
    private @Nullable Integer networkTimeoutMillis;
    private boolean isSound; // after the transaction

    /** The facts about a database that are read once and cached. */
    static final class Facts {
        final Connector connector;
        final @Nullable SchemaFirst schema;
        private final DataSource dataSource;
        private final boolean hasOneIsolation;
        private volatile @Nullable Dialect dialect;
        private volatile @Nullable Integer isolation;
        private volatile boolean hasNoNetworkTimeout;
        private volatile boolean setsAutoCommit; // a driver took a session to be in auto-commit mode, and it was not

        Facts(DataSource dataSource) {
            this.dataSource = dataSource;
            this.connector = new Connector(dataSource::getConnection);
            this.schema = dataSource instanceof SchemaFirst first ? first : null;
            this.hasOneIsolation = OwnConnections.haveOneIsolation(dataSource);
        }

        private Dialect dialect(Connection connection) throws SQLException {
            Dialect known = dialect;
            if (known == null) {
                known = Dialects.of(connection);
                dialect = known;
            }
            return known;
        }

        /**
         * The isolation level of a borrowed connection. Some drivers read it from the server, so it is cached. If
         * connections may differ, only READ COMMITTED is cached, for single statements. The level is then neither
         * changed nor restored. A {@linkplain #forgetIsolation failure} reveals a connection with another level.
         */
        private int isolation(Connection connection, boolean single) throws SQLException {
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
            Dialect known = dialect;
            Failure failure = known == null ? Failure.OTHER : known.failure(e);
            return failure == Failure.ROLLED_BACK || failure == Failure.OTHER_SESSION;
        }
    }

    BorrowedConnection(Connection connection, Facts facts, Duration timeout) {
        this.connection = connection;
        this.facts = facts;
        this.timeout = timeout;
    }

    /**
     * Sets the network timeout, before any round trip. Returns false if another connection is needed: HikariCP may
     * evict a connection whose driver does not support a method, so the method is tried only once.
     */
    boolean limitNetwork() throws SQLException {
        if (facts.hasNoNetworkTimeout) {
            return true;
        }
        try {
            networkTimeoutMillis = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
            return true;
        } catch (SQLFeatureNotSupportedException e) {
            networkTimeoutMillis = null;
            facts.hasNoNetworkTimeout = true;
            return !connection.isClosed();
        }
    }

    /**
     * Runs work and commits it.
     *
     * @param each whether each statement is committed by itself, where the database needs only one
     * @param isNothing whether a result means that the statement changed nothing
     */
    <T> T run(String purpose, Transactions.Work<T> work, boolean each, Predicate<T> isNothing) throws SQLException {
        Dialect dialect = facts.dialect(connection);
        boolean single = each && dialect.returning().isPresent();
        int isolation = single && dialect.updatesReadCommitted()
                ? Connection.TRANSACTION_READ_COMMITTED
                : facts.isolation(connection, single);
        boolean isReadCommitted = isolation == Connection.TRANSACTION_READ_COMMITTED;
        Optional<String> forTransaction = isReadCommitted ? Optional.empty() : dialect.readCommittedTransaction();
        boolean setsIsolation = !isReadCommitted && forTransaction.isEmpty();
        boolean inTransaction = !single || forTransaction.isPresent();
        Connection configured = configured(dialect);
        boolean autoCommit = connection.getAutoCommit();
        try {
            if (setsIsolation) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            if (inTransaction || !autoCommit) { // MySQL's driver sends a mode also if the session has it already
                connection.setAutoCommit(!inTransaction);
            }
            if (forTransaction.isPresent()) {
                execute(configured, forTransaction.get());
            }
            T result = single ? inAutoCommitMode(configured, dialect, work, isNothing) : work.in(configured, dialect);
            if (inTransaction) {
                connection.commit();
            }
            restore(autoCommit, setsIsolation ? isolation : null);
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
            restore(autoCommit, setsIsolation ? isolation : null);
            isSound &= !(e instanceof SQLException) || failure != Failure.OTHER;
            if (e instanceof SQLException sql && failure.isRefusal()) {
                throw new AllocationException(ErrorCode.STATEMENT_REFUSED, Transactions.failed(purpose, sql), sql);
            }
            throw e;
        }
    }

    private <T> T inAutoCommitMode(
            Connection configured, Dialect dialect, Transactions.Work<T> work, Predicate<T> isNothing)
            throws SQLException {
        if (facts.setsAutoCommit) {
            execute(configured, dialect.autoCommit().orElseThrow().statement());
        }
        T result = work.in(configured, dialect);
        if (!isNothing.test(result)
                || facts.setsAutoCommit
                || dialect.autoCommit().isEmpty()) {
            return result;
        }
        execute(configured, dialect.autoCommit().orElseThrow().statement());
        T again = work.in(configured, dialect);
        facts.setsAutoCommit = !isNothing.test(again);
        return again;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void rollback(Exception cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** Aborts a connection to the wrong server or session, so that its pool evicts it. From HikariCP's, idgen does. */
    private void discard(Exception cause) {
        if (!OwnConnections.canEvict(facts.dataSource, connection)) {
            try {
                connection.abort(Runnable::run);
                connection.setAutoCommit(!connection.getAutoCommit()); // fails, so the pool notices
            } catch (SQLException e) {
                cause.addSuppressed(e);
            }
        }
    }

    /** Returns the connection, and lets no pool of HikariCP keep one that may be broken. */
    @Override
    public void close() throws SQLException {
        try {
            connection.close();
        } finally {
            if (!isSound) {
                OwnConnections.evict(facts.dataSource, connection);
            }
        }
    }

    /** Restores the original state. A failure here means a broken connection; the transaction has ended anyway. */
    private void restore(boolean autoCommit, @Nullable Integer isolation) {
        try {
            if (connection.getAutoCommit() != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
            if (isolation != null) {
                connection.setTransactionIsolation(isolation);
            }
            if (networkTimeoutMillis != null) {
                connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
            }
            isSound = true;
        } catch (SQLException e) {
            System.getLogger(Transactions.class.getName())
                    .log(System.Logger.Level.DEBUG, "a connection could not be restored to its original state", e);
        }
    }

    // ---- statements ----

    /** Returns a proxy that configures each new statement. All other calls go to the connection. */
    private Connection configured(Dialect dialect) {
        return (Connection) Proxy.newProxyInstance(
                BorrowedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (answer instanceof Statement statement) {
                        try {
                            dialect.configure(statement, secondsBelow(timeout));
                        } catch (SQLException | RuntimeException e) {
                            statement.close();
                            throw e;
                        }
                    }
                    return answer;
                });
    }

    /**
     * The largest number of whole seconds below the timeout, so that the server ends a statement before the client
     * times out. 0 for less than two seconds: JDBC's shortest timeout is one second, and a driver may need the rest to
     * send its request.
     */
    private static int secondsBelow(Duration timeout) {
        return timeout.toSeconds() < 2 ? 0 : (int) timeout.minusNanos(1).toSeconds();
    }
}
