package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of worker ids for the doctor and repairs. All changes are one transaction. */
public final class WorkerAdmin implements LeaseAdmin {
    private static final String PARAMETER = "?";
    private static final String NO_SERVER = "'-'";
    private static final String AS_SEEN =
            " WHERE namespace = ? AND worker_id = ? AND fence = ? AND horizon = ? AND lease_until = ?";
    private static final List<String> KEYS = List.of("namespace", "worker_id");
    private static final List<String> COLUMNS = List.of(
            "layout",
            "fence",
            "owner_token",
            "lease_until",
            "horizon",
            "longest_window",
            "generation",
            "granted_from",
            "server_id",
            "owner_info");

    private final OwnTable table;
    private final @Nullable String identity;
    private final Transactions.Work<?> alongside;

    /**
     * Creates access to a table. Opens no connection.
     *
     * @param identity the configured name of the server, or null if the server reports its identity
     */
    public WorkerAdmin(OwnTable table, @Nullable String identity) {
        this(table, identity, (connection, dialect) -> Optional.empty());
    }

    private WorkerAdmin(OwnTable table, @Nullable String identity, Transactions.Work<?> alongside) {
        this.table = table;
        this.identity = identity;
        this.alongside = alongside;
    }

    /** Returns a copy whose changes include other work, in the same transaction, after the rows are changed. */
    public WorkerAdmin alongside(Transactions.Work<?> work) {
        return new WorkerAdmin(table, identity, work);
    }

    private static String now(Dialect dialect) {
        return dialect.nowMillis()
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.UNKNOWN_DATABASE, "the dialect " + dialect.name() + " has no clock for worker ids"));
    }

    @Override
    public List<Namespace> namespaces(String known) {
        try {
            return table.in(
                    "reading the worker ids",
                    (connection, dialect) -> namespaces(
                            connection,
                            dialect,
                            identity == null ? dialect.serverIdentityOfLeases(connection) : PARAMETER));
        } catch (AllocationException e) {
            if (e.code() != ErrorCode.STATEMENT_REFUSED) {
                throw e;
            }
            // this user may not read the server's identity, so no row counts as granted by this server
            return table.in(
                    "reading the worker ids", (connection, dialect) -> namespaces(connection, dialect, NO_SERVER));
        }
    }

    /** The namespace and the layout of a row. */
    private record Key(String namespace, String layout) {}

    private List<Namespace> namespaces(Connection connection, Dialect dialect, String server) throws SQLException {
        Map<Key, List<Worker>> workers = new LinkedHashMap<>();
        Map<Key, Long> windows = new LinkedHashMap<>();
        try (PreparedStatement select = connection.prepareStatement("SELECT namespace, layout, worker_id, "
                + now(dialect) + ", fence, horizon, CASE WHEN server_id = " + server
                + " THEN 1 ELSE 0 END, owner_token, lease_until, owner_info, longest_window FROM " + table
                + " WHERE worker_id >= 0 ORDER BY namespace, layout, worker_id")) {
            if (server.equals(PARAMETER)) {
                select.setString(1, identity);
            }
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    Key key = new Key(found.getString(1), found.getString(2));
                    workers.computeIfAbsent(key, each -> new ArrayList<>())
                            .add(new Worker(found.getInt(3), WorkerRows.state(found, 4)));
                    windows.merge(key, found.getLong(11), Math::max);
                }
            }
        }
        List<Namespace> namespaces = new ArrayList<>();
        workers.forEach((key, rows) -> namespaces.add(new Namespace(
                key.namespace,
                table.toString(),
                true,
                key.layout,
                "",
                Instant.ofEpochMilli(rows.get(rows.size() - 1).row().nowMillis()),
                Duration.ofMillis(windows.getOrDefault(key, 0L)),
                rows)));
        return namespaces;
    }

    @Override
    public void checkWritable(String known) {
        trial().run();
    }

    /** Returns a trial to change the rows, as leases do. */
    public ChangeTrial trial() {
        return new ChangeTrial(table, KEYS, COLUMNS);
    }

    @Override
    public boolean change(List<Change> changes) {
        return table.in("repairing " + table, (connection, dialect) -> {
            // without the condition, a crash of the server could lose the repair, and ids would repeat
            String sql = "UPDATE " + table + " SET fence = fence + 1, horizon = ?, owner_token = ?, lease_until = ?,"
                    + " server_id = CASE WHEN ? = 1 THEN NULL ELSE server_id END" + AS_SEEN
                    + dialect.durableCommit().map(" AND "::concat).orElse("");
            try (PreparedStatement update = connection.prepareStatement(sql)) {
                for (Change each : changes) {
                    if (!update(update, each)) {
                        connection.rollback();
                        return false;
                    }
                }
            }
            alongside.in(connection, dialect);
            return true;
        });
    }

    private static boolean update(PreparedStatement update, Change change) throws SQLException {
        update.setLong(1, change.horizonMillis());
        update.setString(2, change.reserved() ? WorkerRows.RESERVED : null);
        update.setLong(3, change.reserved() ? WorkerRows.ENDLESS : 0);
        update.setInt(4, change.forgetsServer() ? 1 : 0);
        return isUpdated(update, 5, change.namespace(), change.seen());
    }

    @Override
    public boolean changeLayout(Namespace seen, SnowflakeLayout layout, long lowestMillis) {
        return inNamespace(seen.name(), (connection, dialect) -> {
            String sql = "UPDATE " + table + " SET layout = ?, horizon = ?, fence = fence + 1" + AS_SEEN
                    + dialect.durableCommit().map(" AND "::concat).orElse("");
            try (PreparedStatement update = connection.prepareStatement(sql)) {
                for (Worker each : seen.workers()) {
                    update.setString(1, layout.toString());
                    update.setLong(2, Math.max(each.row().horizonMillis(), lowestMillis));
                    if (!isUpdated(update, 3, seen.name(), each)) {
                        return false;
                    }
                }
            }
            try (PreparedStatement update = connection.prepareStatement(
                    "UPDATE " + table + " SET layout = ?, horizon = ? WHERE namespace = ? AND worker_id < 0")) {
                update.setString(1, layout.toString());
                update.setLong(2, lowestMillis);
                update.setString(3, seen.name());
                if (update.executeUpdate() == 0) {
                    addLayoutRow(connection, seen.name());
                }
            }
            return rows(connection, seen.name()) == seen.workers().size();
        });
    }

    /** Adds the row of the layout, which an operator has deleted. */
    private void addLayoutRow(Connection connection, String name) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table
                + " (namespace, worker_id, layout, fence, lease_until, horizon, longest_window, generation)"
                + " SELECT namespace, " + WorkerRows.LAYOUT_ROW + ", layout, 0, 0, MIN(horizon), MAX(longest_window),"
                + " MAX(generation) FROM " + table + " WHERE namespace = ? GROUP BY namespace, layout")) {
            insert.setString(1, name);
            insert.executeUpdate();
        }
    }

    @Override
    public boolean remove(List<Namespace> seen) {
        String name = seen.get(0).name();
        return inNamespace(name, (connection, dialect) -> {
            try (PreparedStatement delete = connection.prepareStatement("DELETE FROM " + table + AS_SEEN)) {
                for (Namespace each : seen) {
                    for (Worker worker : each.workers()) {
                        if (!isUpdated(delete, 1, name, worker)) {
                            return false;
                        }
                    }
                }
            }
            try (PreparedStatement delete =
                    connection.prepareStatement("DELETE FROM " + table + " WHERE namespace = ? AND worker_id < 0")) {
                delete.setString(1, name);
                delete.executeUpdate();
            }
            return rows(connection, name) == 0;
        });
    }

    /**
     * Locks the row of the layout, so that no process creates rows of the namespace meanwhile. If the work returns
     * false, nothing is changed.
     */
    private boolean inNamespace(String name, Transactions.Work<Boolean> work) {
        return table.in("repairing namespace '" + name + "' in " + table, (connection, dialect) -> {
            try (PreparedStatement lock = connection.prepareStatement(
                    "UPDATE " + table + " SET layout = layout WHERE namespace = ? AND worker_id < 0")) {
                lock.setString(1, name);
                lock.executeUpdate();
            }
            boolean done = work.in(connection, dialect);
            if (!done) {
                connection.rollback();
            }
            return done;
        });
    }

    private static boolean isUpdated(PreparedStatement statement, int first, String namespace, Worker seen)
            throws SQLException {
        RowState row = seen.row();
        statement.setString(first, namespace);
        statement.setInt(first + 1, seen.id());
        statement.setLong(first + 2, row.fence());
        statement.setLong(first + 3, row.horizonMillis());
        statement.setLong(first + 4, row.heldUntilMillis() + (row.reserved() ? WorkerRows.ENDLESS : 0));
        return statement.executeUpdate() == 1;
    }

    private int rows(Connection connection, String namespace) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT COUNT(*) FROM " + table + " WHERE namespace = ? AND worker_id >= 0")) {
            select.setString(1, namespace);
            try (ResultSet found = select.executeQuery()) {
                found.next();
                return found.getInt(1);
            }
        }
    }

    /** Compares the clocks. The doctor of a database examines the rest by itself. */
    @Override
    public List<Finding> findings(String known, InstantSource clock) {
        return table.in(
                "comparing clocks",
                (connection, dialect) -> clock(connection, dialect, table.toString(), clock)
                        .map(List::of)
                        .orElse(List.of()));
    }

    /** Returns how often the rows of each namespace were healed after somebody had set rows back. */
    public List<Finding> healed() {
        return table.in("looking for rows that were healed", (connection, dialect) -> {
            List<Finding> findings = new ArrayList<>();
            try (PreparedStatement select = connection.prepareStatement("SELECT namespace, MAX(generation) FROM "
                            + table + " GROUP BY namespace HAVING MAX(generation) > 0 ORDER BY namespace");
                    ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    findings.add(new Finding(
                            Finding.Level.OK,
                            "healed",
                            found.getString(1) + ": " + found.getLong(2)
                                    + " times so far, a process found that somebody"
                                    + " had set worker ids back, and healed them (IDGEN-609); if you have not done so,"
                                    + " look for equal ids of those times"));
                }
            }
            return findings;
        });
    }

    /**
     * Compares this host's clock with the database's; empty if the table has no rows, because the query needs one to
     * return the time.
     */
    public static Optional<Finding> clock(Connection connection, Dialect dialect, String table, InstantSource clock)
            throws SQLException {
        if (dialect.nowMillis().isEmpty()) {
            return Optional.empty();
        }
        try (PreparedStatement select =
                connection.prepareStatement("SELECT MAX(" + dialect.nowMillis().get() + "), COUNT(*) FROM " + table)) {
            Instant before = clock.instant();
            try (ResultSet found = select.executeQuery()) {
                found.next();
                return found.getLong(2) == 0
                        ? Optional.empty()
                        : Optional.of(Finding.ofClocks(
                                "the database's", Instant.ofEpochMilli(found.getLong(1)), before, clock.instant()));
            }
        }
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
