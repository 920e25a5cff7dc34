package io.idgen.jdbc;

import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.internal.lease.RowRules.LeasedRow;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.WorkerTable.Sql;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Finds and heals rows of worker ids that were set back while processes run, for example by a restore. */
final class SetBackRows {
    private final WorkerTable table;

    SetBackRows(WorkerTable table) {
        this.table = table;
    }

    /** Returns the columns that {@link #read} reads. */
    static SqlText columns(Sql sql) {
        return new SqlText("owner_token, fence, horizon, granted_from, server_id, ")
                .add(SqlText.flag(sql.isServer()))
                .add(", generation");
    }

    /**
     * Reads the columns.
     *
     * @param found at the row
     * @param first the number of the first column
     */
    static LeasedRow read(ResultSet found, int first) throws SQLException {
        return new LeasedRow(
                found.getString(first),
                found.getLong(first + 1),
                found.getLong(first + 2),
                found.getLong(first + 3),
                found.getString(first + 4),
                found.getInt(first + 5) == 1,
                found.getLong(first + 6));
    }

    /** See {@link LeaseStore#heal}. */
    boolean heal(LeaseTerms terms, Lease lease) {
        return table.transaction("healing the worker ids of '" + terms.namespace() + "'", (connection, sql) -> {
            WorkerRows.lockLayout(connection, table.toString(), terms.namespace()); // one process heals at a time
            Optional<LeasedRow> row = new SqlText("SELECT ")
                    .add(columns(sql))
                    .add(" FROM " + table)
                    .where(WorkerTable.row(terms, lease.workerId()))
                    .add(sql.dialect().rowLock())
                    .first(connection, found -> read(found, 1));
            if (row.isEmpty()
                    || !RowRules.isSetBack(row.get(), lease)
                    || !raiseGeneration(connection, sql, terms, lease, row.get())) {
                return false;
            }
            long ahead = terms.gapMillis() + RowRules.FENCING_MARGIN.toMillis();
            String beyond = sql.now() + " + ?";
            new SqlText("UPDATE " + table)
                    .set("fence = fence + 1")
                    .set("owner_token = NULL")
                    .set("lease_until = 0")
                    .set(
                            "horizon = CASE WHEN horizon > " + beyond + " THEN horizon ELSE " + beyond + " END",
                            ahead,
                            ahead)
                    .where("namespace = ?", terms.namespace())
                    .where(WorkerRows.IS_WORKER)
                    .where("(generation <= ? OR worker_id = ?)", lease.generation(), lease.workerId())
                    .update(connection);
            new SqlText("UPDATE " + table)
                    .set("generation = ?", lease.generation() + 1)
                    .where("namespace = ? AND generation <= ?", terms.namespace(), lease.generation())
                    .update(connection);
            return true;
        });
    }

    /**
     * Raises the generation of a row if it is as it was read, because a proxy may have read a replica. The generation
     * rises, because some drivers do not count a row that keeps its values.
     */
    private boolean raiseGeneration(Connection connection, Sql sql, LeaseTerms terms, Lease lease, LeasedRow seen)
            throws SQLException {
        return new SqlText("UPDATE " + table)
                        .set("generation = ?", lease.generation() + 1)
                        .where(WorkerTable.row(terms, lease.workerId()))
                        .where(
                                "fence = ? AND horizon = ? AND granted_from = ? AND generation = ?",
                                seen.fence(),
                                seen.horizonMillis(),
                                seen.grantedFromMillis(),
                                seen.generation())
                        .where(
                                seen.token() == null
                                        ? new SqlText("owner_token IS NULL")
                                        : new SqlText("owner_token = ?", seen.token()))
                        .where("server_id = ?", seen.server())
                        .where(sql.isServer())
                        .add(sql.flushed())
                        .update(connection)
                == 1;
    }
}
