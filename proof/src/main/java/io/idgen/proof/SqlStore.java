package io.idgen.proof;

import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.ops.IdgenTables;
import io.idgen.ops.Repair;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A database with idgen's tables. */
abstract class SqlStore implements Store {
    private static final List<String> BACKED_UP = List.of("idgen_worker", "idgen_segment");

    // the window twice, and what the horizon of a row of another server is ahead of it
    private static final Duration HORIZONS_PASS =
            Terms.WINDOW.multipliedBy(2).plus(LeaseStore.SERVER_SKEW).plus(RowRules.FENCING_MARGIN);

    private Instant backupTime = Instant.EPOCH;
    private long backupNanos;

    /** Allows the creation of functions on a server of MariaDB or MySQL. */
    static void allowFunctions(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            execute(connection, "SET GLOBAL log_bin_trust_function_creators = 1");
        }
    }

    final void createTables() throws SQLException {
        IdgenSchema schema = new IdgenSchema(dataSource());
        schema.create();
        try (Connection connection = connect()) {
            execute(connection, "CREATE TABLE " + HibernateIds.TABLE + " (id BIGINT PRIMARY KEY)");
            if (!sources().contains(Source.FUNCTION)) {
                return;
            }
            for (String statement : schema.functionsScript()
                    .replaceAll("(?m)^(DELIMITER |--).*$", "")
                    .strip()
                    .split("//\\s*")) {
                execute(connection, statement);
            }
            execute(
                    connection,
                    "INSERT INTO idgen_segment (biz_tag, max_id, step) VALUES ('" + Source.FUNCTION.text()
                            + "', 1, 1)");
        }
    }

    /** Returns the address of the server that writes. */
    String writableUrl() {
        return url(0);
    }

    private DataSource dataSource() {
        return new UrlDataSource(writableUrl(), "", "", Terms.TIMEOUT.multipliedBy(10));
    }

    final Connection connect() throws SQLException {
        return DriverManager.getConnection(writableUrl());
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void backUp() throws SQLException {
        backupTime = Instant.now(); // the servers have the clock of this process
        backupNanos = System.nanoTime();
        try (Connection connection = connect()) {
            for (String table : BACKED_UP) {
                execute(connection, "DROP TABLE IF EXISTS proof_" + table);
                execute(connection, "CREATE TABLE proof_" + table + " AS SELECT * FROM " + table);
            }
        }
    }

    /**
     * Puts the backup back, and repairs it, but not the rows of the controls. Waits until the horizons in the backup
     * have passed: the repair raises those ahead of the clock by the usual window, which lasts minutes.
     */
    final void restore() throws SQLException {
        while (System.nanoTime() - backupNanos < HORIZONS_PASS.toNanos()) {
            LockSupport.parkNanos(HORIZONS_PASS.toNanos() / 100);
        }
        putBack("1 = 1", "1 = 1");
        Repair.of(new IdgenTables(dataSource()).restoredFrom(backupTime)).afterRestore();
        putBack("namespace = '" + Terms.CONTROL + "'", "biz_tag = '" + Source.CONTROL_COUNTER.text() + "'");
    }

    /** Lets all rows count as granted by another server, to processes with the window of the run. */
    final void repairAfterPromotion() throws SQLException {
        Repair.of(new IdgenTables(dataSource())).afterPromotion();
        try (Connection connection = connect()) { // the repair knows only the usual window, which lasts minutes
            execute(connection, "UPDATE idgen_worker SET longest_window = " + Terms.WINDOW.toMillis());
        }
    }

    private void putBack(String ofWorkers, String ofCounters) throws SQLException {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            putBack(connection, "idgen_worker", ofWorkers);
            putBack(connection, "idgen_segment", ofCounters);
            connection.commit();
        }
    }

    private static void putBack(Connection connection, String table, String rows) throws SQLException {
        execute(connection, "DELETE FROM " + table + " WHERE " + rows);
        execute(connection, "INSERT INTO " + table + " SELECT * FROM proof_" + table + " WHERE " + rows);
    }

    @Override
    public String version() throws SQLException {
        try (Connection connection = connect()) {
            return connection.getMetaData().getDatabaseProductName() + " "
                    + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    /** Opens connections until the server refuses more. */
    final Cure useUpConnections() throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            while (true) {
                all.add(connect());
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
}
