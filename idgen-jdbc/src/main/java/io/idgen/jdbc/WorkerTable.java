package io.idgen.jdbc;

import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The table of worker ids on one database. Runs statements, and provides the expressions and parameters that they
 * share. Safe for many threads.
 */
final class WorkerTable {
    private static final String NO_TOKEN = "-";

    private final Transactions table;
    private final @Nullable String identity;
    private volatile @Nullable Sql known;

    WorkerTable(Transactions table, @Nullable String identity) {
        this.table = table;
        this.identity = identity;
    }

    /**
     * The expressions of a database for its time and its identity, and the conditions for a commit.
     *
     * @param now the time of the database, in milliseconds
     * @param identity of the server; a parameter if it is configured
     * @param committed the condition that a statement is committed by itself, after {@code AND}
     * @param flushed the condition for a durable commit, after {@code AND}
     * @param grants the grants that rows may have forgotten
     */
    record Sql(Dialect dialect, String now, SqlText identity, String committed, String flushed, OwnGrants grants) {

        /** Returns the conditions for a durable commit of a statement by itself. */
        String durable() {
            return committed + flushed;
        }

        /** Returns the change that makes this server that of a row, or the condition that it is. */
        SqlText isServer() {
            return new SqlText("server_id = ").add(identity);
        }

        /** Returns the condition that another server has granted a row, or an unknown one. */
        SqlText isOtherServer() {
            return new SqlText("(server_id IS NULL OR server_id <> ")
                    .add(identity)
                    .add(")");
        }

        /** Returns the change that lets a lease end some time from now. */
        SqlText leaseUntil(long millis) {
            return new SqlText("lease_until = " + now + " + ?", millis);
        }

        /** Returns the condition that a row is free, or held by the process with a token. */
        SqlText isFree(@Nullable String token) {
            return new SqlText("(lease_until < " + now + " OR owner_token = ?)", token == null ? NO_TOKEN : token);
        }
    }

    private Sql sql(Connection connection, Dialect dialect) throws SQLException {
        Sql found = known;
        if (found == null) {
            Transactions.checkRowsSurvive(connection, dialect, table.toString());
            found = new Sql(
                    dialect,
                    dialect.nowMillis(),
                    identity == null
                            ? new SqlText(dialect.serverIdentityOfLeases(connection))
                            : new SqlText("?", identity),
                    dialect.autoCommit().map(mode -> " AND " + mode.condition()).orElse(""),
                    dialect.durableCommit().map(" AND "::concat).orElse(""),
                    OwnGrants.in(connection, table.toString()));
            known = found;
        }
        return found;
    }

    /** Work on a connection. */
    interface RowWork<T> {
        T in(Connection connection, Sql sql) throws SQLException;
    }

    /** Runs work of several statements in one transaction. */
    <T> T transaction(String purpose, RowWork<T> work) {
        return table.commit(purpose, (connection, dialect) -> work.in(connection, sql(connection, dialect)));
    }

    /** Runs work that is a single query. */
    <T> T statement(String purpose, RowWork<T> work) {
        return statement(purpose, work, result -> false);
    }

    private <T> T statement(String purpose, RowWork<T> work, Predicate<T> isNothing) {
        return table.commitEach(
                purpose + " in " + table,
                (connection, dialect) -> work.in(connection, sql(connection, dialect)),
                isNothing);
    }

    /**
     * Changes at most one row; returns whether it has changed one. The statement must change a value in each row that
     * it finds, because some drivers count only such rows.
     */
    boolean update(String purpose, Function<Sql, SqlText> change) {
        return statement(purpose, (connection, sql) -> change.apply(sql).update(connection) == 1, changed -> !changed);
    }

    /** Changes a row as {@link #update}, if the change grants ticks from a horizon on; see {@link OwnGrants#grant}. */
    boolean grant(String purpose, LeaseTerms terms, Lease lease, long fromMillis, Function<Sql, SqlText> change) {
        Sql sql = known; // because a process reads a row before it changes it
        return sql == null
                ? update(purpose, change)
                : sql.grants.grant(terms, lease, fromMillis, () -> update(purpose, change));
    }

    /** Returns the condition of the row of a worker id. */
    static SqlText row(LeaseTerms terms, int workerId) {
        return new SqlText(
                "namespace = ? AND worker_id = ? AND layout = ?", terms.namespace(), workerId, terms.layoutAndTimes());
    }

    /** Returns the condition that a lease holds its row, which has not changed since. */
    static SqlText held(Lease lease) {
        return new SqlText(
                "owner_token = ? AND fence = ? AND horizon = ?", lease.token(), lease.fence(), lease.horizonMillis());
    }

    /** Returns the condition of the rows that a generator can lease. */
    static SqlText rows(LeaseTerms terms) {
        return new SqlText("namespace = ? AND layout = ? AND ", terms.namespace(), terms.layoutAndTimes())
                .add(range(terms));
    }

    /** Returns the condition of the worker ids of the terms. */
    static SqlText range(LeaseTerms terms) {
        return new SqlText(
                "worker_id BETWEEN ? AND ?", terms.firstWorkerId(), terms.firstWorkerId() + terms.workers() - 1);
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
