package io.idgen.cli.doctor;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of worker ids for the doctor and repairs. All changes are one transaction.
 *
 * @param identity the configured name of the server, or null if the server reports its identity
 */
record WorkerTableAdmin(Transactions table, @Nullable String identity) implements LeaseAdmin {

    @Override
    public List<Namespace> namespaces(String known) {
        return table.commit(
                "reading the worker ids",
                (connection, dialect) -> namespaces(
                        connection,
                        dialect,
                        identity == null
                                ? new SqlText(dialect.serverIdentityOfLeases(connection))
                                : new SqlText("?", identity)));
    }

    private List<Namespace> namespaces(Connection connection, Dialect dialect, SqlText server) throws SQLException {
        Map<List<String>, List<Worker>> rows = new LinkedHashMap<>();
        new SqlText("SELECT namespace, layout, worker_id, " + dialect.nowMillis()
                        + ", fence, horizon, CASE WHEN server_id = ")
                .add(server)
                .add(" THEN 1 ELSE 0 END, owner_token, lease_until, owner_info FROM " + table + " WHERE "
                        + WorkerRows.IS_WORKER + " ORDER BY namespace, layout, worker_id")
                .all(
                        connection,
                        row -> rows.computeIfAbsent(
                                        List.of(row.getString(1), row.getString(2)), layout -> new ArrayList<>())
                                .add(new Worker(row.getInt(3), WorkerRows.state(row, 4))));
        List<Namespace> namespaces = new ArrayList<>();
        rows.forEach((key, workers) -> namespaces.add(new Namespace(
                key.get(0),
                table.toString(),
                true,
                key.get(1),
                "",
                Instant.ofEpochMilli(workers.get(workers.size() - 1).row().nowMillis()),
                workers)));
        return namespaces;
    }

    @Override
    public void checkWritable(String known) {
        table.commit(
                "trying to change " + table,
                (connection, dialect) -> new SqlText("UPDATE " + table)
                        .set("fence = fence")
                        .where("1 = 0")
                        .update(connection));
    }

    @Override
    public boolean forgetServers(List<Namespace> seen, String marker) {
        return forgetServers(seen, (connection, dialect) -> true);
    }

    /**
     * Does the same, and then other work in the same transaction. Processes heal rows of the future, so these are
     * raised; the others count as granted by another server.
     */
    boolean forgetServers(List<Namespace> seen, Transactions.Work<?> alongside) {
        return inOneStep((connection, dialect) -> {
            for (Namespace each : seen) {
                long now = each.now().toEpochMilli();
                List<Change> changes = each.workers().stream()
                        .map(worker -> forgotten(worker, now))
                        .toList();
                if (!change(connection, dialect, each, each.layout(), changes)) {
                    return false;
                }
            }
            alongside.in(connection, dialect);
            return true;
        });
    }

    private static Change forgotten(Worker worker, long nowMillis) {
        long horizon = worker.row().horizonMillis();
        return horizon > nowMillis
                ? new Change(worker, Math.max(horizon, nowMillis + LeaseTerms.GAP.toMillis()), false)
                : new Change(worker, horizon, true);
    }

    @Override
    public boolean change(Namespace seen, String layout, List<Change> changes) {
        return inOneStep((connection, dialect) -> change(connection, dialect, seen, layout, changes));
    }

    /** If the work returns false, nothing is changed. */
    private boolean inOneStep(Transactions.Work<Boolean> work) {
        return table.commit("repairing " + table, (connection, dialect) -> {
            boolean done = work.in(connection, dialect);
            if (!done) {
                connection.rollback();
            }
            return done;
        });
    }

    private boolean change(Connection connection, Dialect dialect, Namespace seen, String layout, List<Change> changes)
            throws SQLException {
        // so that no process creates rows of the namespace meanwhile
        WorkerRows.lockLayout(connection, table.toString(), seen.name());
        int rows = new SqlText("SELECT COUNT(*) FROM " + table)
                .where("namespace = ? AND layout = ? AND " + WorkerRows.IS_WORKER, seen.name(), seen.layout())
                .first(connection, found -> found.getInt(1))
                .orElseThrow();
        if (rows != seen.workers().size()) {
            return false;
        }
        SqlText ofLayout = new SqlText("namespace = ? AND " + WorkerRows.IS_LAYOUT, seen.name());
        if (layout.isEmpty()) {
            for (Worker each : seen.workers()) {
                if (delete().where(isAsSeen(seen.name(), each)).update(connection) != 1) {
                    return false;
                }
            }
            delete().where(ofLayout).update(connection);
            return true;
        }
        for (Change each : changes) {
            // without durableCommit(), a crash of the server could lose the repair, and ids would repeat
            int updated = update(layout)
                    .set("fence = fence + 1")
                    .set("horizon = ?", each.horizonMillis())
                    .set("owner_token = NULL")
                    .set("lease_until = 0")
                    .set("server_id = CASE WHEN ? = 1 THEN NULL ELSE server_id END", each.forgetsServer() ? 1 : 0)
                    .where(isAsSeen(seen.name(), each.seen()))
                    .where(dialect.durableCommit())
                    .update(connection);
            if (updated != 1) {
                return false;
            }
        }
        update(layout).where(ofLayout).update(connection);
        return true;
    }

    private SqlText update(String layout) {
        return new SqlText("UPDATE " + table).set("layout = ?", layout);
    }

    private SqlText delete() {
        return new SqlText("DELETE FROM " + table);
    }

    private static SqlText isAsSeen(String namespace, Worker seen) {
        RowState row = seen.row();
        return new SqlText(
                "namespace = ? AND worker_id = ? AND fence = ? AND horizon = ? AND lease_until = ?",
                namespace,
                seen.id(),
                row.fence(),
                row.horizonMillis(),
                row.heldUntilMillis());
    }

    /** Reports whose rows were healed. */
    @Override
    public List<Finding> findings(String known, InstantSource clock) {
        return table.commit(
                "looking for rows that were healed",
                (connection, dialect) -> new SqlText("SELECT namespace, MAX(generation) FROM " + table
                                + " GROUP BY namespace HAVING MAX(generation) > 0 ORDER BY namespace")
                        .all(
                                connection,
                                found -> Doctor.ok(
                                        "healed",
                                        found.getString(1) + ": " + found.getLong(2)
                                                + " times so far, a process found that somebody"
                                                + " had set worker ids back, and healed them (IDGEN-609); if you have not done so,"
                                                + " look for equal ids of those times")));
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
