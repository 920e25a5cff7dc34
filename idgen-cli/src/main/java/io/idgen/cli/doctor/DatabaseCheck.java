package io.idgen.cli.doctor;

import static io.idgen.cli.doctor.Doctor.ok;
import static io.idgen.cli.doctor.Doctor.warn;
import static io.idgen.cli.doctor.Doctor.wrong;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Examines one database: its tables, connections, commits and counters, and the worker ids in it. */
final class DatabaseCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final List<String> COUNTER_COLUMNS = List.of("next_id", "server_id", "reach", "win", "used");
    private static final List<String> WORKER_COLUMNS = List.of(
            "layout",
            "fence",
            "owner_token",
            "lease_until",
            "horizon",
            "generation",
            "granted_from",
            "server_id",
            "owner_info");

    /** The length of a {@code server_id} that changes with each restart; with a history it is longer. */
    private static final int WITHOUT_HISTORY = 32;

    private final KnownTables tables;
    private final InstantSource clock;
    private final Transactions transactions;
    private final List<Finding> findings = new ArrayList<>();

    /** The tables that exist. */
    private final List<SqlName> there = new ArrayList<>();

    DatabaseCheck(KnownTables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
        this.transactions = new Transactions(tables.dataSource(), TIMEOUT);
    }

    /** Runs all examinations once. Blocks for several short transactions. */
    List<Finding> findings() {
        findings.add(transactions.commit("reading the database's metadata", DatabaseCheck::product));
        long start = System.nanoTime();
        if (check(
                "connections",
                () -> transactions.commit(
                        "opening a connection",
                        (one, dialect) -> transactions.commit(
                                "opening a second connection, which each process with idgen needs",
                                (two, same) -> true)))) {
            findings.add(ok(
                    "connections",
                    OwnConnections.MOST + " at a time, which each process with idgen needs, opened in "
                            + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms"));
        }
        tables();
        if (all(
                "durability",
                table -> in("checking " + table, (connection, dialect) -> {
                    Transactions.checkRowsSurvive(connection, dialect, table.toString());
                    return List.of();
                }))) {
            check("durability", () -> in("checking the durability of commits", this::durability));
        }
        if (!there.isEmpty()) {
            checkTables();
        }
        return findings;
    }

    private void checkTables() {
        boolean changeable = all("changes", table -> trial(table).run());
        if (changeable) {
            findings.add(ok(
                    "changes",
                    "this server and the rights of this user permit them in " + names(there)
                            + ", and no row is locked"));
        }
        Optional<AllocationException> identity = identityFailure(there.get(0));
        // on a replica, both fail for one reason
        identity.filter(e -> e.code() == ErrorCode.STATEMENT_REFUSED || changeable)
                .ifPresent(e -> findings.add(wrong(
                        "identity",
                        "idgen cannot tell this server from one that takes over, so leases and counters fail: "
                                + e.getMessage() + "; allow this user to use that function, or set"
                                + " idgen.jdbc.server-identity in all processes; if it is set, pass it with"
                                + " --server-identity")));
        check("clock", () -> in("comparing clocks", this::clocks));
        if (there.contains(tables.workers())) {
            check("worker ids", () -> workers(identity.isEmpty()));
        }
        if (there.contains(tables.counters()) || !tables.columns().isEmpty()) {
            if (identity.isEmpty()) {
                in("looking for what a restart changes", this::restarts);
            }
            findings.addAll(CounterRows.in(transactions, tables.counters())
                    .commit("reading " + tables.counters(), new CounterCheck(tables)::findings));
        }
    }

    /** Turns a failed examination into a finding, so that the others still run. Returns whether it did not fail. */
    private boolean check(String subject, Runnable examination) {
        try {
            examination.run();
            return true;
        } catch (AllocationException e) {
            findings.add(wrong(subject, String.valueOf(e.getMessage())));
            return false;
        }
    }

    /** Examines each table. Returns whether none failed. */
    private boolean all(String subject, Consumer<SqlName> examination) {
        boolean succeeds = true;
        for (SqlName table : there) {
            succeeds &= check(subject, () -> examination.accept(table));
        }
        return succeeds;
    }

    private void in(String purpose, Transactions.Work<List<Finding>> work) {
        findings.addAll(transactions.commit(purpose, work));
    }

    private void tables() {
        List<SqlName> all = List.of(tables.workers(), tables.counters());
        boolean readable = true;
        for (SqlName table : all) {
            readable &= check("tables", () -> {
                if (exists(table)) {
                    there.add(table);
                }
            });
        }
        if (!there.isEmpty()) {
            findings.add(ok("tables", names(there) + (there.size() == 1 ? " exists" : " exist")));
        } else if (readable) {
            findings.add(wrong(
                    "tables",
                    "none of idgen's tables exists (" + names(all)
                            + "); create them with the script that idgen schema prints, or name their prefix or schema"
                            + " with --prefix"));
        }
    }

    /** If the table does not answer, the trial names the session that has locked it. */
    private boolean exists(SqlName table) {
        try {
            return transactions.exists(table);
        } catch (StoreUnavailableException e) {
            trial(table).run();
            throw e;
        }
    }

    private ChangeTrial trial(SqlName table) {
        boolean isOfCounters = table.equals(tables.counters());
        return new ChangeTrial(
                isOfCounters ? CounterRows.in(transactions, table) : tables.workers(transactions),
                isOfCounters ? List.of("name") : List.of("namespace", "worker_id"),
                isOfCounters ? COUNTER_COLUMNS : WORKER_COLUMNS);
    }

    private static String names(List<SqlName> tables) {
        return tables.stream().map(SqlName::toString).collect(Collectors.joining(", "));
    }

    private static Finding product(Connection connection, Dialect dialect) throws SQLException {
        DatabaseMetaData product = connection.getMetaData();
        return ok(
                "database",
                product.getDatabaseProductName() + " " + product.getDatabaseProductVersion() + ", dialect "
                        + dialect.name() + ", driver " + product.getDriverName() + " " + product.getDriverVersion());
    }

    /** A database in memory ends with its process, so its durability does not matter. */
    private List<Finding> durability(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> query = dialect.settingsThatLoseCommits();
        if (query.isEmpty() || EmbeddedDatabase.isInMemory(connection)) {
            return List.of();
        }
        return List.of(new SqlText(query.get())
                .first(connection, row -> row.getString(1))
                .map(settings -> warn(
                        "durability",
                        settings + ": a crash can lose the last commits, and their ids can then repeat; let the"
                                + " database write each commit to disk before it acknowledges it, or repair idgen's"
                                + " tables after each crash"))
                .orElse(ok("durability", "commits are written to disk before they are acknowledged")));
    }

    /** Reports what a restart changes, on databases where that depends on their settings. */
    private List<Finding> restarts(Connection connection, Dialect dialect) throws SQLException {
        Dialect.CounterServer server = dialect.counterServer(connection);
        if (!server.moves() || tables.identity() != null) {
            return List.of();
        }
        int length = new SqlText("SELECT " + server.id())
                .first(connection, row -> row.getString(1).length())
                .orElse(0);
        if (length > WITHOUT_HISTORY) {
            return List.of(ok("restarts", "a restart skips no ids of counters"));
        }
        boolean mayLoseCommits = durability(connection, dialect).stream().anyMatch(each -> each.level() == Level.WARN);
        return List.of(warn(
                "restarts",
                "each restart skips twice the reach of each counter, because "
                        + (mayLoseCommits
                                ? "a crash can lose commits"
                                : "the binary log has no GTIDs, and without idgen repair after-promotion ids can repeat"
                                        + " if a former primary takes over again; set gtid_mode=ON and"
                                        + " enforce_gtid_consistency=ON")));
    }

    /** Evaluates the server's identity, as the statements of leases and counters do. */
    private Optional<AllocationException> identityFailure(SqlName table) {
        if (tables.identity() != null) {
            return Optional.empty();
        }
        try {
            transactions.commit(
                    "reading the server's identity",
                    (connection, dialect) -> new SqlText("SELECT 1 FROM " + table)
                                    .where("server_id = " + dialect.serverIdentityOfLeases(connection))
                                    .finds(connection)
                            | new SqlText("SELECT 1 FROM " + table)
                                    .where(dialect.counterServer(connection).isThis())
                                    .finds(connection));
            return Optional.empty();
        } catch (AllocationException e) {
            return Optional.of(e);
        }
    }

    /** Compares the clocks if the table has a row. */
    private List<Finding> clocks(Connection connection, Dialect dialect) throws SQLException {
        Instant before = clock.instant();
        return new SqlText("SELECT " + dialect.nowMillis() + " FROM " + there.get(0))
                .atMost(1)
                .all(
                        connection,
                        row -> Finding.ofClocks(
                                "the database's", Instant.ofEpochMilli(row.getLong(1)), before, clock.instant()));
    }

    private void workers(boolean knowsServer) {
        WorkerTableAdmin admin = knowsServer ? tables.admin(transactions) : tables.withoutServer(transactions);
        List<Finding> workers = Doctor.workers(admin.namespaces(""), knowsServer);
        findings.addAll(
                workers.isEmpty()
                        ? List.of(ok("worker ids", "none yet; the first process creates the rows of its namespace"))
                        : workers);
        findings.addAll(admin.findings("", clock));
    }
}
