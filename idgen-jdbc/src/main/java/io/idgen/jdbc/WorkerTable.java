package io.idgen.jdbc;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table of worker ids on one database. Runs statements, and provides the expressions and parameters that they
 * share. Immutable.
 */
final class WorkerTable {
    private final OwnTable table;
    private final SqlName name;
    private final Duration timeout;
    private final @Nullable String identity;

    private WorkerTable(OwnTable table, SqlName name, Duration timeout, @Nullable String identity) {
        this.table = table.with(name, timeout);
        this.name = name;
        this.timeout = timeout;
        this.identity = identity;
    }

    /** Creates an instance for a table with the name from the scripts. */
    static WorkerTable on(DataSource dataSource, String defaultName) {
        SqlName name = SqlName.parse(defaultName, 1, 1);
        Transactions transactions =
                new Transactions(Objects.requireNonNull(dataSource), TableAllocator.DEFAULT_TIMEOUT);
        return new WorkerTable(
                new OwnTable(transactions, name, defaultName), name, TableAllocator.DEFAULT_TIMEOUT, null);
    }

    WorkerTable named(String newName) {
        return new WorkerTable(table, SqlName.parse(newName, 1, 3), timeout, identity);
    }

    WorkerTable withTimeout(Duration newTimeout) {
        return new WorkerTable(table, name, TableAllocator.checkTimeout(newTimeout), identity);
    }

    WorkerTable identifiedAs(String newIdentity) {
        return new WorkerTable(table, name, timeout, ServerIdentity.check(newIdentity));
    }

    /**
     * The expressions of a database for its time and its identity, and the condition for a durable commit.
     *
     * @param given the configured identity, for which the expression is a parameter; null to ask the database
     * @param committed the condition that a single statement is committed, after {@code AND}; empty in a transaction
     * @param durable this condition and the one for a durable commit
     */
    record Sql(
            Dialect dialect,
            String now,
            String identity,
            @Nullable String given,
            String committed,
            String durable) {}

    private Sql sql(Dialect dialect, boolean single) {
        String now = dialect.nowMillis()
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.UNKNOWN_DATABASE,
                        "the dialect " + dialect.name()
                                + " has no clock (Dialect.nowMillis), without which no worker id can be leased; choose another"
                                + " idgen.worker.assigner"));
        String committed = single
                ? dialect.autoCommit().map(mode -> " AND " + mode.condition()).orElse("")
                : "";
        return new Sql(
                dialect,
                now,
                identity == null ? dialect.serverIdentity() : "?",
                identity,
                committed,
                committed + dialect.durableCommit().map(" AND "::concat).orElse(""));
    }

    /** Work on a connection. */
    interface Work<T> {
        T in(Connection connection, Sql sql) throws SQLException;
    }

    /** Runs work of several statements in one transaction. */
    <T> T transaction(String purpose, Work<T> work) {
        return table.in(purpose, (connection, dialect) -> work.in(connection, sql(dialect, false)));
    }

    /** Runs work that is a single query. */
    <T> T statement(String purpose, Work<T> work) {
        return statement(purpose, work, result -> false);
    }

    private <T> T statement(String purpose, Work<T> work, Predicate<T> isNothing) {
        return table.each(
                purpose + " in " + table, (connection, dialect) -> work.in(connection, sql(dialect, true)), isNothing);
    }

    /**
     * Changes at most one row; returns whether it has changed one. The statement must change a value in each row that
     * it finds, because some drivers count only such rows.
     */
    boolean update(String purpose, Work<PreparedStatement> work) {
        return statement(
                purpose,
                (connection, sql) -> {
                    try (PreparedStatement statement = work.in(connection, sql)) {
                        return statement.executeUpdate() == 1;
                    }
                },
                changed -> !changed);
    }

    /** Sets the parameters of a statement, one after the other. */
    static final class Parameters {
        private final PreparedStatement statement;
        private int index = 1;

        Parameters(PreparedStatement statement) {
            this.statement = statement;
        }

        Parameters add(long value) throws SQLException {
            statement.setLong(index++, value);
            return this;
        }

        Parameters add(String value) throws SQLException {
            statement.setString(index++, value);
            return this;
        }

        /** Sets the server's identity, if the statement has a parameter for it. */
        Parameters identity(Sql sql) throws SQLException {
            return sql.given == null ? this : add(sql.given);
        }

        /** Sets the first and the last worker id of the terms. */
        Parameters range(Terms terms) throws SQLException {
            statement.setInt(index++, terms.firstWorkerId());
            statement.setInt(index++, terms.firstWorkerId() + terms.workers() - 1);
            return this;
        }

        /** Sets the key of a row, and its layout. */
        Parameters row(Terms terms, int workerId) throws SQLException {
            add(terms.namespace());
            statement.setInt(index++, workerId);
            return add(terms.layout().toString());
        }

        /** Sets the parameters of the condition that the row of a lease was set back. */
        Parameters setBack(Sql sql, Lease lease) throws SQLException {
            add(Objects.requireNonNullElse(lease.server(), ""));
            identity(sql).add(lease.generation()).add(lease.generation()).add(lease.fence());
            return add(lease.horizonMillis())
                    .add(lease.token())
                    .add(lease.fence())
                    .add(lease.horizonMillis());
        }

        /** Sets the parameters of a column that becomes the window of the terms if it is less. */
        Parameters window(Terms terms) throws SQLException {
            return add(terms.window().toMillis()).add(terms.window().toMillis());
        }

        Parameters held(Lease lease) throws SQLException {
            return add(lease.token()).add(lease.fence()).add(lease.horizonMillis());
        }
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
