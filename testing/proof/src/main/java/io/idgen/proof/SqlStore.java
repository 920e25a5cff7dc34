package io.idgen.proof;

import io.idgen.cli.doctor.KnownTables;
import io.idgen.cli.doctor.Repair;
import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** A database with idgen's tables. */
abstract class SqlStore implements Store {
    private static final List<String> BACKED_UP = List.of("idgen_worker", "idgen_counter");

    // the window twice, and what the horizon of a row of another server is ahead of it
    private static final Duration HORIZONS_PASS =
            Terms.WINDOW.multipliedBy(2).plus(LeaseStore.SERVER_SKEW).plus(RowRules.FENCING_MARGIN);

    private final List<TableCopy> backup = new ArrayList<>(); // not in the database, which may lose its last commits
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
        if (!sources().contains(Source.FUNCTION)) {
            return;
        }
        try (Connection connection = connect()) {
            for (String statement : schema.functionsScript()
                    .replaceAll("(?m)^(DELIMITER |--).*$", "")
                    .strip()
                    .split("//\\s*")) {
                execute(connection, statement);
            }
            execute(
                    connection,
                    "INSERT INTO idgen_counter (name, next_id) VALUES ('" + Source.FUNCTION.text() + "', 1)");
        }
    }

    private DataSource dataSource() {
        return new UrlDataSource(url(0), "", "", Terms.TIMEOUT.multipliedBy(10));
    }

    final Connection connect() throws SQLException {
        return DriverManager.getConnection(url(0));
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
        backup.clear();
        try (Connection connection = connect()) {
            for (String table : BACKED_UP) {
                backup.add(TableCopy.of(table, connection));
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
        putBack(name -> true);
        Repair.of(new KnownTables(dataSource()).restoredFrom(backupTime)).afterRestore("default");
        try (Connection connection = connect()) { // the repair knows only the usual window, which lasts minutes
            long longer = LeaseTerms.WINDOW.minus(Terms.WINDOW).toMillis();
            execute(
                    connection,
                    "UPDATE idgen_worker SET horizon = horizon - " + longer + " WHERE horizon > "
                            + (System.currentTimeMillis() + longer));
        }
        putBack(Set.of(Terms.CONTROL, Source.CONTROL_COUNTER.text())::contains);
    }

    /** Lets all rows count as granted by another server. */
    final void repairAfterPromotion() throws SQLException {
        Repair.of(new KnownTables(dataSource())).afterPromotion();
    }

    private void putBack(Predicate<String> names) throws SQLException {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            for (TableCopy table : backup) {
                table.putBack(names, connection);
            }
            connection.commit();
        }
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
