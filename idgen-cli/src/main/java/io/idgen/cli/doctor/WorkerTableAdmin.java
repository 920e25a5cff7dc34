package io.idgen.cli.doctor;

import io.idgen.core.layout.SnowflakeLayout;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of worker ids for the doctor and repairs. All changes are one transaction. */
final class WorkerTableAdmin implements LeaseAdmin {
    private final Transactions table;
    private final @Nullable String identity;
    private final Transactions.Work<?> alongside;

    /**
     * Creates access to a table. Opens no connection.
     *
     * @param identity the configured name of the server, or null if the server reports its identity
     */
    WorkerTableAdmin(Transactions table, @Nullable String identity) {
        this(table, identity, (connection, dialect) -> Optional.empty());
    }

    private WorkerTableAdmin(Transactions table, @Nullable String identity, Transactions.Work<?> alongside) {
        this.table = table;
        this.identity = identity;
        this.alongside = alongside;
    }

    /** Returns a copy whose changes include other work, in the same transaction, after the rows are changed. */
    WorkerTableAdmin alongside(Transactions.Work<?> work) {
        return new WorkerTableAdmin(table, identity, work);
    }

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
    public boolean change(List<Change> changes) {
        return table.commit("repairing " + table, (connection, dialect) -> {
            for (Change each : changes) {
                // without durably(), a crash of the server could lose the repair, and ids would repeat
                int updated = new SqlText("UPDATE " + table)
                        .set("fence = fence + 1")
                        .set("horizon = ?", each.horizonMillis())
                        .set("owner_token = NULL")
                        .set("lease_until = 0")
                        .set("server_id = CASE WHEN ? = 1 THEN NULL ELSE server_id END", each.forgetsServer() ? 1 : 0)
                        .where(isAsSeen(each.namespace(), each.seen()))
                        .where(dialect.durableCommit())
                        .update(connection);
                if (updated != 1) {
                    connection.rollback();
                    return false;
                }
            }
            alongside.in(connection, dialect);
            return true;
        });
    }

    @Override
    public boolean changeLayout(Namespace seen, SnowflakeLayout layout, long lowestMillis) {
        String text = LeaseTerms.layoutAndTimes(layout);
        return inNamespace(seen.name(), (connection, dialect) -> {
            for (Worker each : seen.workers()) {
                int updated = new SqlText("UPDATE " + table)
                        .set("layout = ?", text)
                        .set("horizon = ?", Math.max(each.row().horizonMillis(), lowestMillis))
                        .set("fence = fence + 1")
                        .where(isAsSeen(seen.name(), each))
                        .where(dialect.durableCommit())
                        .update(connection);
                if (updated != 1) {
                    return false;
                }
            }
            new SqlText("UPDATE " + table)
                    .set("layout = ?", text)
                    .set("horizon = ?", lowestMillis)
                    .where("namespace = ? AND " + WorkerRows.IS_LAYOUT, seen.name())
                    .update(connection);
            return rows(connection, seen.name()) == seen.workers().size();
        });
    }

    @Override
    public boolean remove(List<Namespace> seen) {
        String name = seen.get(0).name();
        return inNamespace(name, (connection, dialect) -> {
            for (Namespace each : seen) {
                for (Worker worker : each.workers()) {
                    if (delete(connection, isAsSeen(name, worker)) != 1) {
                        return false;
                    }
                }
            }
            delete(connection, new SqlText("namespace = ? AND " + WorkerRows.IS_LAYOUT, name));
            return rows(connection, name) == 0;
        });
    }

    private int delete(Connection connection, SqlText condition) throws SQLException {
        return new SqlText("DELETE FROM " + table).where(condition).update(connection);
    }

    /**
     * Locks the row of the layout, so that no process creates rows of the namespace meanwhile. If the work returns
     * false, nothing is changed.
     */
    private boolean inNamespace(String name, Transactions.Work<Boolean> work) {
        return table.commit("repairing namespace '" + name + "' in " + table, (connection, dialect) -> {
            WorkerRows.lockLayout(connection, table.toString(), name);
            boolean done = work.in(connection, dialect);
            if (!done) {
                connection.rollback();
            }
            return done;
        });
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

    private int rows(Connection connection, String namespace) throws SQLException {
        return new SqlText("SELECT COUNT(*) FROM " + table)
                .where("namespace = ? AND " + WorkerRows.IS_WORKER, namespace)
                .first(connection, found -> found.getInt(1))
                .orElseThrow();
    }

    /** Compares the clocks. The doctor of a database examines the rest by itself. */
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
