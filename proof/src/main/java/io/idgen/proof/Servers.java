package io.idgen.proof;

import io.idgen.core.internal.lease.RowHistory.Change;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A primary with its replica, and what can happen to it. On PostgreSQL it has a history of all worker ids. */
final class Servers implements AutoCloseable {

    /** The product. */
    enum Kind {
        POSTGRESQL,
        MARIADB,
        MYSQL
    }

    /** Ends a fault. */
    interface Cure {
        Cure NONE = () -> {};

        void end() throws Exception;
    }

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

    private final Kind kind;
    private final ReplicatedPair pair;

    Servers(Kind kind) throws Exception {
        this.kind = kind;
        this.pair = switch (kind) {
            case POSTGRESQL -> new PostgreSqlPair();
            case MARIADB -> CrashPair.ofMariaDb();
            case MYSQL -> CrashPair.ofMySql();
        };
        new IdgenSchema(new UrlDataSource(pair.url(), "", "", Terms.TIMEOUT.multipliedBy(10))).create();
        if (kind == Kind.POSTGRESQL) {
            try (Connection connection = DriverManager.getConnection(url())) {
                for (String statement : HISTORY) {
                    execute(connection, statement);
                }
            }
        }
    }

    String url() {
        return pair.url();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    boolean isPostgreSql() {
        return kind == Kind.POSTGRESQL;
    }

    /** Returns the product and its version. */
    String version() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url())) {
            return connection.getMetaData().getDatabaseProductName() + " "
                    + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    /** Kills the primary, and starts it again. */
    void crash() {
        pair.crash();
    }

    /** Ends the replication, so that the replica lacks all later commits. */
    void cut() throws SQLException {
        pair.cut();
    }

    /** Kills the primary, and lets the replica take over on its port. */
    void takeOver() throws SQLException {
        pair.takeOver();
    }

    /** Locks a table against everybody else. */
    Cure lock(String table) throws SQLException {
        Connection connection = DriverManager.getConnection(url());
        if (isPostgreSql()) {
            connection.setAutoCommit(false);
            execute(connection, "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
        } else {
            execute(connection, "LOCK TABLES " + table + " WRITE");
        }
        return connection::close;
    }

    /** Makes new connections read-only. On PostgreSQL only: the users of the other servers may write nevertheless. */
    Cure readOnly() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url())) {
            execute(connection, "ALTER DATABASE idgen SET default_transaction_read_only = on");
        }
        return () -> {
            try (Connection connection = DriverManager.getConnection(url())) {
                execute(connection, "SET default_transaction_read_only = off");
                execute(connection, "ALTER DATABASE idgen RESET default_transaction_read_only");
            }
        };
    }

    /** Opens connections until the server refuses more. */
    Cure useUpConnections() throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            while (true) {
                all.add(DriverManager.getConnection(url()));
            }
        } catch (SQLException e) {
            if (all.isEmpty()) {
                throw e;
            }
            return () -> {
                for (Connection each : all) {
                    each.close();
                }
            };
        }
    }

    /** Returns all changes of the worker ids of a namespace that the server still has. */
    List<Change> history(String namespace) throws SQLException {
        List<Change> changes = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + COLUMNS.formatted("before") + ", "
                        + COLUMNS.formatted("after") + ", millis FROM proof_history WHERE (after).namespace = '"
                        + namespace + "' AND (after).worker_id >= 0 ORDER BY number")) {
            while (row.next()) {
                changes.add(new Change(read(row, 1), read(row, 1 + WIDTH), row.getLong(1 + 2 * WIDTH), null));
            }
        }
        return changes;
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
        pair.close();
    }
}
