package io.idgen.cli.doctor;

import io.idgen.cli.doctor.RepairReport.Change;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
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
record Promotion(KnownTables tables, boolean dryRun) {

    /** Forgets the servers in one transaction, and returns the changes. */
    List<Change> forgetServers(Duration timeout) {
        Transactions transactions = tables.transactions(timeout);
        List<SqlName> existing = tables.existing(transactions);
        return transactions.commit("forgetting the servers of " + tables.prefix() + "…", (connection, dialect) -> {
            refuseReadOnly(connection, dialect);
            List<Change> changes = new ArrayList<>();
            if (existing.contains(tables.workers())) {
                changes.addAll(workers(connection, dialect));
            }
            if (existing.contains(tables.counters())) {
                changes.addAll(counters(connection, dialect));
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

    private List<Change> counters(Connection connection, Dialect dialect) throws SQLException {
        SqlName table = tables.counters();
        List<Change> changes = CounterRow.all(connection, dialect, table).stream()
                .filter(CounterRow::hasServer)
                .map(row -> new Change(table.toString(), row.source(), String.valueOf(row.next()), after(row)))
                .toList();
        forget(connection, dialect, table, "server_id IS NOT NULL");
        return changes;
    }

    private static String after(CounterRow row) {
        String after = row.next() + " without a server";
        return row.reach() == null
                ? after
                : after + "; the next ids begin at " + (row.next() + 2 * row.instances() * row.reach());
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
