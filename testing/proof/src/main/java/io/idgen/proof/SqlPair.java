package io.idgen.proof;

import io.idgen.core.internal.lease.RowHistory.Change;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.Pgpool;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A primary with its replica. Pgpool-II sends the reads of processes to the replica. On PostgreSQL it has a history of
 * all worker ids.
 */
final class SqlPair extends SqlStore {
    private static final List<String> HISTORY = List.of(
            "CREATE TABLE proof_history (number BIGSERIAL PRIMARY KEY, before idgen_worker, after idgen_worker,"
                    + " millis BIGINT)",
            "CREATE FUNCTION proof_history() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN"
                    + " INSERT INTO proof_history (before, after, millis) VALUES"
                    + " (OLD, NEW, floor(extract(epoch from clock_timestamp()) * 1000)); RETURN NULL; END'",
            "CREATE TRIGGER proof_history AFTER UPDATE ON idgen_worker FOR EACH ROW EXECUTE FUNCTION proof_history()");

    private static final String COLUMNS = "(%1$s).worker_id, (%1$s).layout, (%1$s).fence, (%1$s).owner_token,"
            + " (%1$s).lease_until, (%1$s).horizon, (%1$s).longest_window, (%1$s).server_id, (%1$s).generation,"
            + " (%1$s).granted_from";
    private static final int WIDTH = 10;

    private final boolean isPostgreSql;
    private final ReplicatedPair pair;

    @Nullable
    private Pgpool pool;

    SqlPair(Kind kind) throws Exception {
        this.isPostgreSql = kind == Kind.POSTGRESQL || kind == Kind.PGPOOL;
        this.pair = switch (kind) {
            case POSTGRESQL, PGPOOL -> new PostgreSqlPair();
            case MARIADB -> CrashPair.ofMariaDb();
            case MYSQL -> CrashPair.ofMySql();
            default -> throw new IllegalArgumentException(kind.name());
        };
        if (!isPostgreSql) {
            allowFunctions(pair.replicaUrl());
            allowFunctions(pair.url());
        }
        createTables();
        if (isPostgreSql) {
            try (Connection connection = connect()) {
                for (String statement : HISTORY) {
                    execute(connection, statement);
                }
            }
        }
        if (kind == Kind.PGPOOL) {
            pool = Pgpool.before((PostgreSqlPair) pair);
        }
    }

    @Override
    public String version() throws SQLException {
        return super.version() + (pool == null ? "" : ", replica read through Pgpool-II");
    }

    @Override
    public String url(int process) {
        return pool == null ? pair.url() : pool.url();
    }

    @Override
    String writableUrl() {
        return pair.url();
    }

    @Override
    public Set<Fault> faults() {
        Set<Fault> faults = EnumSet.of(
                Fault.DATABASE_KILLED,
                Fault.TABLE_LOCKED,
                Fault.CONNECTIONS_USED_UP,
                Fault.TAKEOVER,
                Fault.SERVERS_CLOCK_STEPPED,
                Fault.RESTORED);
        if (isPostgreSql) { // its users obey read-only mode, and its answers have a known end
            faults.addAll(Set.of(Fault.REQUESTS_REPEATED, Fault.READ_ONLY));
        }
        return faults;
    }

    @Override
    public Cure strike(Fault fault, double extent) throws SQLException {
        return switch (fault) {
            case DATABASE_KILLED -> {
                pair.crash();
                yield Cure.NONE;
            }
            case TABLE_LOCKED -> lock(Fault.table(extent));
            case CONNECTIONS_USED_UP -> useUpConnections();
            case READ_ONLY -> readOnly();
            case TAKEOVER -> {
                pair.cut();
                yield this::takeOver;
            }
            case RESTORED -> this::restoreWithoutHistory;
            default -> throw new IllegalArgumentException(fault.text());
        };
    }

    private void takeOver() throws SQLException {
        pair.takeOver();
        if (pool != null) {
            pool.close();
            pool = Pgpool.before((PostgreSqlPair) pair);
        }
    }

    /** Locks a table against everybody else. */
    private Cure lock(String table) throws SQLException {
        Connection connection = connect();
        if (isPostgreSql) {
            connection.setAutoCommit(false);
            execute(connection, "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
        } else {
            execute(connection, "LOCK TABLES " + table + " WRITE");
        }
        return connection::close;
    }

    /** Makes new connections read-only. On PostgreSQL only: the users of the other servers may write nevertheless. */
    private Cure readOnly() throws SQLException {
        try (Connection connection = connect()) {
            execute(connection, "ALTER DATABASE idgen SET default_transaction_read_only = on");
        }
        return () -> {
            try (Connection connection = connect()) {
                execute(connection, "SET default_transaction_read_only = off");
                execute(connection, "ALTER DATABASE idgen RESET default_transaction_read_only");
            }
        };
    }

    /** Steps the clock while no statement changes worker ids: the history has the time after each change. */
    @Override
    public void stepClock(Runnable step) throws Exception {
        Cure unlock = isPostgreSql ? lock("idgen_worker") : Cure.NONE;
        step.run();
        unlock.end();
    }

    private void restoreWithoutHistory() throws SQLException {
        switchHistory("DISABLE");
        restore();
        switchHistory("ENABLE");
    }

    private void switchHistory(String change) throws SQLException {
        if (isPostgreSql) {
            try (Connection connection = connect()) {
                execute(connection, "ALTER TABLE idgen_worker " + change + " TRIGGER proof_history");
            }
        }
    }

    @Override
    public Optional<List<Change>> history(String namespace) throws SQLException {
        if (!isPostgreSql) {
            return Optional.empty();
        }
        List<Change> changes = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + COLUMNS.formatted("before") + ", "
                        + COLUMNS.formatted("after") + ", millis FROM proof_history WHERE (after).namespace = '"
                        + namespace + "' AND (after).worker_id >= 0 ORDER BY number")) {
            while (row.next()) {
                changes.add(new Change(read(row, 1), read(row, 1 + WIDTH), row.getLong(1 + 2 * WIDTH), null));
            }
        }
        return Optional.of(changes);
    }

    private static WorkerRow read(ResultSet row, int at) throws SQLException {
        return new WorkerRow(
                row.getInt(at),
                row.getString(at + 1),
                row.getLong(at + 2),
                row.getString(at + 3),
                row.getLong(at + 4),
                row.getLong(at + 5),
                row.getLong(at + 6),
                row.getString(at + 7),
                row.getLong(at + 8),
                row.getLong(at + 9));
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
        pair.close();
    }
}
