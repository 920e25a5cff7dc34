package io.idgen.cli.doctor;

import static io.idgen.cli.doctor.Findings.ok;
import static io.idgen.cli.doctor.Findings.warn;
import static io.idgen.cli.doctor.Findings.wrong;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.LeaseAdmin.Namespace;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Examines one database: its tables, connections, commits, triggers and counters, and the worker ids in it. */
final class DatabaseCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String CHANGES = "changes";
    private static final String UNKNOWN_SERVER = "?";

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

    DatabaseCheck(KnownTables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
        this.transactions = tables.transactions(TIMEOUT);
    }

    /** Runs all examinations. Blocks for several short transactions. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(in("reading the database's metadata", DatabaseCheck::product));
        findings.add(connections());
        List<SqlName> there = new ArrayList<>();
        List<Finding> unreadable = new ArrayList<>();
        for (SqlName table : tables.examined()) {
            unreadable.addAll(orWrong("tables", () -> {
                if (exists(table)) {
                    there.add(table);
                }
                return List.of();
            }));
        }
        findings.addAll(unreadable.isEmpty() ? tables(there) : unreadable);
        findings.addAll(durability(there));
        if (there.isEmpty()) {
            return findings;
        }
        List<Finding> changes =
                there.stream().flatMap(table -> changes(table).stream()).toList();
        findings.addAll(changes.isEmpty() ? List.of(changesAreAccepted(there)) : changes);
        Optional<AllocationException> identity = identityFailure(there.get(0));
        // on a replica, both fail for one reason
        identity.filter(e -> e.code() == ErrorCode.STATEMENT_REFUSED || changes.isEmpty())
                .map(DatabaseCheck::identityIsUnknown)
                .ifPresent(findings::add);
        findings.addAll(orWrong(
                "triggers",
                () -> in("looking for triggers", (connection, dialect) -> triggers(connection, dialect, there))));
        findings.addAll(orWrong(
                "clock",
                () -> in(
                        "comparing clocks",
                        (connection, dialect) ->
                                WorkerTableAdmin.clock(
                                                connection,
                                                dialect,
                                                there.get(0).toString(),
                                                clock)
                                        .stream()
                                        .toList())));
        if (there.contains(tables.workers())) {
            findings.addAll(orWrong("worker ids", () -> workers(identity.isEmpty())));
        }
        if (there.contains(tables.counters())
                || !tables.columns().isEmpty()
                || !tables.limits().isEmpty()) {
            if (identity.isEmpty()) {
                findings.addAll(in("looking for what a restart changes", this::restarts));
            }
            findings.addAll(CounterRows.in(transactions, tables.counters())
                    .commit("reading " + tables.counters(), new CounterCheck(tables)::findings));
        }
        return findings;
    }

    /** Turns a failed examination into a finding, so that the others still run. */
    private static List<Finding> orWrong(String subject, Supplier<List<Finding>> examination) {
        try {
            return examination.get();
        } catch (AllocationException e) {
            return List.of(wrong(subject, String.valueOf(e.getMessage())));
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

    /** Returns what keeps processes from changing a table; nothing if they can. */
    private List<Finding> changes(SqlName table) {
        List<Finding> wrong = orWrong(CHANGES, () -> {
            trial(table).run();
            return List.of();
        });
        if (!wrong.isEmpty()) {
            return wrong;
        }
        try {
            trial(table).insert();
            return List.of();
        } catch (AllocationException e) {
            return List.of(warn(
                    CHANGES,
                    "processes can use the rows of " + table + ", but add none: " + e.getMessage()
                            + "; grant INSERT if a" + " process needs a row that does not exist yet"));
        }
    }

    private static Finding changesAreAccepted(List<SqlName> there) {
        return ok(
                CHANGES,
                "this server and the rights of this user permit them in " + names(there) + ", and no row is locked");
    }

    private List<Finding> in(String purpose, Transactions.Work<List<Finding>> work) {
        return transactions.commit(purpose, work);
    }

    private static String names(Collection<SqlName> tables) {
        return tables.stream().map(SqlName::toString).collect(Collectors.joining(", "));
    }

    private static List<Finding> product(Connection connection, Dialect dialect) throws SQLException {
        DatabaseMetaData product = connection.getMetaData();
        return List.of(ok(
                "database",
                product.getDatabaseProductName() + " " + product.getDatabaseProductVersion() + ", dialect "
                        + dialect.name() + ", driver " + product.getDriverName() + " " + product.getDriverVersion()));
    }

    /** Opens as many connections at a time as a process with idgen opens. */
    private Finding connections() {
        long start = System.nanoTime();
        try {
            transactions.commit(
                    "opening a connection",
                    (one, dialect) -> transactions.commit("opening a second connection", (two, same) -> true));
        } catch (AllocationException e) {
            return wrong(
                    "connections",
                    "cannot open " + OwnConnections.MOST + " at a time, which each process with idgen needs: "
                            + e.getMessage());
        }
        return ok(
                "connections",
                OwnConnections.MOST + " at a time, which each process with idgen needs, opened in "
                        + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
    }

    private List<Finding> tables(List<SqlName> there) {
        List<Finding> findings = new ArrayList<>();
        if (there.isEmpty() && tables.expected().isEmpty()) {
            findings.add(wrong(
                    "tables",
                    "none of idgen's tables exists ("
                            + names(tables.examined())
                            + "); create them with the script that idgen schema prints, or name their prefix or schema"
                            + " with --prefix"));
        }
        if (!there.isEmpty()) {
            findings.add(ok("tables", names(there) + (there.size() == 1 ? " exists" : " exist")));
        }
        for (String strategy : tables.expected()) {
            SqlName table = tables.tableOf(strategy);
            if (!there.contains(table)) {
                findings.add(wrong(
                        "tables",
                        table + " does not exist, and the strategy " + strategy
                                + " needs it; create it with the script that idgen schema prints"));
            }
        }
        return findings;
    }

    private List<Finding> durability(List<SqlName> there) {
        String subject = "durability";
        List<Finding> lost = new ArrayList<>();
        for (SqlName table : there) {
            lost.addAll(orWrong(
                    subject,
                    () -> in("checking " + table, (connection, dialect) -> {
                        Transactions.checkRowsSurvive(connection, dialect, table.toString());
                        return List.of();
                    })));
        }
        return lost.isEmpty()
                ? orWrong(subject, () -> in("checking the durability of commits", this::durability))
                : lost;
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
            in("reading the server's identity", (connection, dialect) -> {
                for (String each : List.of(
                        "server_id = " + dialect.serverIdentityOfLeases(connection),
                        dialect.counterServer(connection).isThis())) {
                    new SqlText("SELECT 1 FROM " + table + " WHERE " + each).finds(connection);
                }
                return List.of();
            });
            return Optional.empty();
        } catch (AllocationException e) {
            return Optional.of(e);
        }
    }

    private static Finding identityIsUnknown(AllocationException e) {
        return wrong(
                "identity",
                "idgen cannot tell this server from one that takes over, so leases and counters fail: "
                        + e.getMessage() + "; allow this user to use that function, or set"
                        + " idgen.jdbc.server-identity in all processes; if it is set, pass it with --server-identity");
    }

    private List<Finding> triggers(Connection connection, Dialect dialect, List<SqlName> there) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (SqlName table : dialect.triggers().isEmpty() ? List.<SqlName>of() : there) {
            SqlText query;
            try (Statement statement = connection.createStatement();
                    ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
                ResultSetMetaData columns = none.getMetaData();
                query = new SqlText(
                        dialect.triggers().orElseThrow(), columns.getCatalogName(1), columns.getTableName(1));
            }
            findings.addAll(query.all(
                    connection,
                    row -> wrong(
                            "triggers",
                            table + " has the trigger " + row.getString(1)
                                    + ", with which the database does not report granted ids: drop the trigger")));
        }
        return findings;
    }

    private List<Finding> workers(boolean knowsServer) {
        WorkerTableAdmin admin = knowsServer
                ? tables.admin(transactions)
                : tables.identifiedAs(UNKNOWN_SERVER).admin(transactions);
        List<Namespace> namespaces = admin.namespaces("");
        if (namespaces.isEmpty()) {
            return List.of(ok("worker ids", "none yet; the first process creates the rows of its namespace"));
        }
        List<Finding> findings = new ArrayList<>(Doctor.workers(namespaces, knowsServer));
        findings.addAll(admin.healed());
        return findings;
    }
}
