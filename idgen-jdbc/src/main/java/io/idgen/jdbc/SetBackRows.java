package io.idgen.jdbc;

import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.jdbc.WorkerTable.Sql;
import io.idgen.jdbc.internal.text.SqlText;
import io.idgen.jdbc.internal.sql.WorkerRows;
import java.util.Objects;

/** Finds, raises and heals rows of worker ids that were set back while processes run, for example by a restore. */
final class SetBackRows {
    private final WorkerTable table;
    private final NamespaceRows rows;

    SetBackRows(WorkerTable table, NamespaceRows rows) {
        this.table = table;
        this.rows = rows;
    }

    /** Returns the condition of {@link LeaseStore#heal}. */
    static SqlText isSetBack(Sql sql, Lease lease) {
        return new SqlText("server_id = ? AND ", Objects.requireNonNullElse(lease.server(), ""))
                .add(sql.isServer())
                .add(" AND generation <= ?", lease.generation())
                .add(" AND (generation < ?", lease.generation())
                .add(" OR fence < ?", lease.fence())
                .add(" OR horizon < ?", lease.horizonMillis())
                .add(" OR (owner_token IS NULL OR owner_token <> ?)", lease.token())
                .add(" AND (fence = ? OR granted_from < ?))", lease.fence(), lease.horizonMillis());
    }

    /** See {@link LeaseStore#raise}. */
    boolean raise(Terms terms, Lease lease, long seenMillis) {
        return table.update(
                "raising worker id " + lease.workerId() + " again",
                sql -> new SqlText("UPDATE " + table)
                        .set("horizon = ?", lease.horizonMillis())
                        .set(sql.leaseUntil(terms.lease().toMillis()))
                        .where(WorkerTable.row(terms, lease.workerId()))
                        .where(WorkerTable.held(lease.withHorizon(seenMillis)))
                        .where(sql.isServer())
                        .add(sql.durable()));
    }

    /** See {@link LeaseStore#heal}. */
    boolean heal(Terms terms, Lease lease) {
        return table.transaction("healing the worker ids of '" + terms.namespace() + "'", (connection, sql) -> {
            rows.lockLayout(connection, terms.namespace()); // one process heals at a time
            // an UPDATE, because a SELECT may read a replica; the generation rises, because some drivers do not count a
            // row that keeps its values
            int proved = new SqlText("UPDATE " + table)
                    .set("generation = ?", lease.generation() + 1)
                    .where(WorkerTable.row(terms, lease.workerId()))
                    .where(isSetBack(sql, lease))
                    .add(sql.durable())
                    .update(connection);
            if (proved == 0) {
                return false;
            }
            long ahead = rows.windows(connection, terms).gap(terms) + RowRules.FENCING_MARGIN.toMillis();
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
                    .where("lease_until < " + WorkerRows.ENDLESS)
                    .update(connection);
            new SqlText("UPDATE " + table)
                    .set("generation = ?", lease.generation() + 1)
                    .where("namespace = ? AND generation <= ?", terms.namespace(), lease.generation())
                    .update(connection);
            return true;
        });
    }
}
