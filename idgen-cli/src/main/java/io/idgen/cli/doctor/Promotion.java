package io.idgen.cli.doctor;

import io.idgen.cli.doctor.RepairReport.Change;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets all rows of a promoted server count as granted by another server, whatever its identity is. The identity of a
 * former primary may be the same as before it failed, and then the rows alone do not show that commits are missing.
 *
 * <p>Leases stay leased, because processes that run keep their windows. At their next renewal, they find another server
 * and lease anew, as after each takeover.
 */
record Promotion(IdgenTables tables, boolean dryRun) {

    /** Forgets the servers in one transaction, and returns the changes. */
    List<Change> forgetServers(Duration timeout) {
        Transactions transactions = tables.transactions(timeout);
        IdgenTables.Existing existing = tables.existing(transactions);
        return transactions.commit("forgetting the servers of " + tables.prefix() + "…", (connection, dialect) -> {
            refuseReadOnly(connection, dialect);
            List<Change> changes = new ArrayList<>();
            if (existing.workers()) {
                changes.addAll(workers(connection, dialect));
            }
            for (CounterTable each : existing.counters()) {
                changes.addAll(counters(connection, dialect, each));
            }
            return changes;
        });
    }

    /** Some users may change data on a replica that is read-only for others. */
    private static void refuseReadOnly(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> query = dialect.settingsThatRejectChanges();
        if (query.isEmpty()) {
            return;
        }
        Optional<String> settings = new SqlText(query.get()).first(connection, row -> row.getString(1));
        if (settings.isPresent()) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    "this server accepts no changes, because " + settings.get()
                            + "; promote it first, then run this repair, and only then let the application connect;"
                            + " nothing was changed");
        }
    }

    /** The row of the layout has granted nothing. */
    private List<Change> workers(Connection connection, Dialect dialect) throws SQLException {
        String rows = WorkerRows.IS_WORKER + " AND server_id IS NOT NULL";
        List<Change> changes = new SqlText("SELECT namespace, COUNT(*), MAX(horizon) FROM " + tables.workers())
                .where(rows)
                .add(" GROUP BY namespace ORDER BY namespace")
                .all(
                        connection,
                        found -> new Change(
                                tables.workers().toString(),
                                found.getString(1) + ", " + found.getLong(2) + " worker ids",
                                "horizons up to " + NamespaceUse.time(found.getLong(3)),
                                "without a server; the next leases begin above all that another server can have granted"));
        forget(connection, dialect, tables.workers(), rows);
        return changes;
    }

    private List<Change> counters(Connection connection, Dialect dialect, CounterTable table) throws SQLException {
        SqlName name = table.named(tables.prefix());
        if (!CounterRow.isGuarded(connection, table, tables.prefix())) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    name + " has no columns server_id, reach, win and used, so ids that this server lacks would repeat;"
                            + " stop all processes, and set its counters above all ids by idgen repair --column, or add"
                            + " the columns as idgen schema prints them; nothing was changed");
        }
        List<Change> changes = new ArrayList<>();
        for (CounterRow row : CounterRow.all(connection, dialect, table, tables.prefix())) {
            if (row.hasServer()) {
                changes.add(new Change(name.toString(), row.source(), String.valueOf(row.number()), after(row)));
            }
        }
        forget(connection, dialect, name, "server_id IS NOT NULL");
        return changes;
    }

    private static String after(CounterRow row) {
        if (row.reach() == null) {
            return row.number() + " without a server";
        }
        long next = row.number() + 2 * row.stride() * row.reach();
        return row.number() + " without a server; the next ids begin at " + next;
    }

    private void forget(Connection connection, Dialect dialect, SqlName table, String rows) throws SQLException {
        if (!dryRun) {
            new SqlText("UPDATE " + table)
                    .set("server_id = NULL")
                    .where(rows)
                    .where(dialect.durableCommit())
                    .update(connection);
        }
    }
}
