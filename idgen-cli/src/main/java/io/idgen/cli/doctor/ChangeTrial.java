package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Tries whether this user can change the rows of a table now: whether the server accepts changes, the rights suffice,
 * and no other session has locked a row. Changes nothing: its updates find no row, or are rolled back, and all else are
 * row locks that it does not keep.
 */
final class ChangeTrial {
    /** Longer than the transactions of processes, which also lock rows. */
    private static final Duration LOCKED = Duration.ofSeconds(1);

    /**
     * After this time less a second, a statement that waits for a lock ends. Until then, a second connection can ask
     * which session has the lock, also on a busy host.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /**
     * How to find the sessions that block another one.
     *
     * @param session an expression for the id of the session that evaluates it, a number
     * @param query returns a description of each session that blocks another one, with the command that ends it. Its
     *     parameter is the id of the blocked session
     */
    private record Blockers(String session, String query) {}

    /** By dialect. PostgreSQL shows the state of other users' sessions to {@code pg_monitor}; MariaDB needs PROCESS. */
    private static final Map<String, Blockers> BLOCKERS = Map.of(
            "postgresql",
            new Blockers(
                    "pg_backend_pid()",
                    "SELECT 'session ' || pid || ' of ' || coalesce(usename, '?')"
                            + " || coalesce(' (' || nullif(application_name, '') || ')', '')"
                            + " || coalesce(' from ' || host(client_addr), '') || coalesce(', ' || state, '')"
                            + " || coalesce(', whose transaction began '"
                            + " || extract(epoch FROM clock_timestamp() - xact_start)::bigint || ' s ago', '')"
                            + " || '; end it with SELECT pg_terminate_backend(' || pid || ')'"
                            + " FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids(CAST(? AS integer)))"),
            "mariadb",
            new Blockers(
                    "CONNECTION_ID()",
                    "SELECT CONCAT('session ', p.ID, ' of ', p.USER, ' from ', p.HOST, ', ', p.COMMAND, ' for ', p.TIME,"
                            + " ' s; end it with KILL ', p.ID) FROM information_schema.INNODB_LOCK_WAITS w"
                            + " JOIN information_schema.INNODB_TRX r ON r.trx_id = w.requesting_trx_id"
                            + " JOIN information_schema.INNODB_TRX b ON b.trx_id = w.blocking_trx_id"
                            + " JOIN information_schema.PROCESSLIST p ON p.ID = b.trx_mysql_thread_id"
                            + " WHERE r.trx_mysql_thread_id = ?"),
            "mysql",
            new Blockers(
                    "CONNECTION_ID()",
                    "SELECT CONCAT('session ', blocking_pid, ', whose transaction began ', blocking_trx_age,"
                            + " ' ago; end it with KILL ', blocking_pid) FROM sys.innodb_lock_waits WHERE waiting_pid = ?"));

    private final Transactions table;
    private final List<String> keys;
    private final List<String> columns;

    /**
     * Creates a trial. Opens no connection.
     *
     * @param keys the primary key
     * @param columns the columns that idgen updates
     */
    ChangeTrial(Transactions table, List<String> keys, List<String> columns) {
        this.table = table.withTimeout(TIMEOUT);
        this.keys = List.copyOf(keys);
        this.columns = List.copyOf(columns);
    }

    /**
     * Tries to change the table, and then to lock each row. Blocks for several short transactions, and for five
     * seconds if a row is locked.
     *
     * @throws StoreUnavailableException if the server is read-only or does not answer, or a lock lasts for a second
     * @throws AllocationException if a right or a column is missing
     */
    void run() {
        withoutBlockers("the table", "trying to change " + table, this::changeNothing);
        Optional<List<List<Object>>> found = table.commit("looking for locks on " + table, this::locked);
        List<List<Object>> locked = found.orElse(List.of());
        if (found.isEmpty()) {
            withoutBlockers(
                    "a row",
                    "trying to lock the rows of " + table,
                    (connection, dialect) -> update().update(connection));
        } else if (!locked.isEmpty()) {
            List<Object> first = locked.get(0);
            withoutBlockers(
                    "the row " + first + (locked.size() == 1 ? "" : " and " + (locked.size() - 1) + " more"),
                    "trying to lock a row of " + table,
                    (connection, dialect) -> new SqlText("SELECT 1 FROM " + table)
                            .where(
                                    keys.stream().map(each -> each + " = ?").collect(Collectors.joining(" AND ")),
                                    first.toArray())
                            .add(dialect.rowLock())
                            .finds(connection));
        }
    }

    private SqlText update() {
        return new SqlText("UPDATE " + table + " SET "
                + columns.stream().map(each -> each + " = " + each).collect(Collectors.joining(", ")));
    }

    private int changeNothing(Connection connection, Dialect dialect) throws SQLException {
        try {
            update().where("1 = 0").update(connection);
            return new SqlText("INSERT INTO " + table + " SELECT * FROM " + table + " WHERE 1 = 0").update(connection);
        } catch (SQLException e) {
            if (dialect.failure(e) == Failure.READ_ONLY) {
                throw new SQLException(
                        "this server accepts no changes; it is a replica, or set to read-only: " + e.getMessage()
                                + "; name the primary, or let this server accept changes",
                        e.getSQLState(),
                        e.getErrorCode(),
                        e);
            }
            throw e;
        }
    }

    /** Returns the keys of the rows that another session has locked; empty if the database cannot skip these. */
    private Optional<List<List<Object>>> locked(Connection connection, Dialect dialect) throws SQLException {
        if (dialect.rowLock().isEmpty()) {
            return Optional.empty();
        }
        String select = "SELECT " + String.join(", ", keys) + " FROM " + table;
        List<List<Object>> rows = keys(connection, select);
        rows.removeAll(keys(connection, select + dialect.rowLock() + " SKIP LOCKED"));
        connection.rollback();
        return Optional.of(rows);
    }

    private List<List<Object>> keys(Connection connection, String select) throws SQLException {
        return new SqlText(select).all(connection, row -> {
            List<Object> key = new ArrayList<>();
            for (int i = 1; i <= keys.size(); i++) {
                key.add(row.getObject(i));
            }
            return key;
        });
    }

    /** Runs work, and rolls it back. If it takes longer than usual, names the sessions that block it. */
    private void withoutBlockers(String what, String purpose, Transactions.Work<?> work) {
        CompletableFuture<Optional<Long>> session = new CompletableFuture<>();
        CompletableFuture<Boolean> done = CompletableFuture.supplyAsync(
                () -> table.commit(purpose, (connection, dialect) -> {
                    session.complete(session(connection, dialect));
                    work.in(connection, dialect);
                    connection.rollback();
                    return true;
                }),
                task -> DaemonThreads.daemon(task, "idgen-doctor").start());
        // without a session, it still waits for a connection
        done.exceptionally(e -> false)
                .completeOnTimeout(false, LOCKED.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        String blockers = done.isDone() || !session.isDone() ? "" : blockers(session.join());
        try {
            done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreUnavailableException failed && !blockers.isEmpty()) {
                throw new StoreUnavailableException(what + " of " + table + " is locked by " + blockers, failed);
            }
            if (e.getCause() instanceof RuntimeException failed) {
                throw failed;
            }
            throw e;
        }
    }

    private static Optional<Long> session(Connection connection, Dialect dialect) throws SQLException {
        Blockers blockers = BLOCKERS.get(dialect.name());
        return blockers == null
                ? Optional.empty()
                : new SqlText("SELECT " + blockers.session).first(connection, row -> row.getLong(1));
    }

    /** Returns the sessions that block another one, or words for an unknown one. */
    private String blockers(Optional<Long> session) {
        String unknown = "a session that the server does not name; look for a transaction that lasts, and end it";
        if (session.isEmpty()) {
            return unknown;
        }
        try {
            List<String> found = table.commit(
                    "looking for the session that blocks another one",
                    (connection, dialect) -> new SqlText(
                                    Objects.requireNonNull(BLOCKERS.get(dialect.name())).query, session.get())
                            .all(connection, row -> row.getString(1)));
            return found.isEmpty() ? unknown : String.join(", and by ", found);
        } catch (AllocationException e) {
            return unknown + " (" + e.getMessage() + ")";
        }
    }
}
