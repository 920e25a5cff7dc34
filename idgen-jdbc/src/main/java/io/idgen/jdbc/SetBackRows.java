package io.idgen.jdbc;

import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.jdbc.WorkerTable.Parameters;
import io.idgen.jdbc.WorkerTable.Sql;
import io.idgen.jdbc.internal.sql.WorkerRows;
import java.sql.PreparedStatement;

/** Finds, raises and heals rows of worker ids that were set back while processes run, for example by a restore. */
final class SetBackRows {
    private final WorkerTable table;
    private final NamespaceRows rows;

    SetBackRows(WorkerTable table, NamespaceRows rows) {
        this.table = table;
        this.rows = rows;
    }

    /** The condition of {@link LeaseStore#heal}, whose parameters are {@link Parameters#setBack}. */
    static String isSetBack(Sql sql) {
        return "server_id = ? AND server_id = " + sql.identity() + " AND generation <= ? AND (generation < ?"
                + " OR fence < ? OR horizon < ? OR (owner_token IS NULL OR owner_token <> ?)"
                + " AND (fence = ? OR granted_from < ?))";
    }

    /** See {@link LeaseStore#raise}. */
    boolean raise(Terms terms, Lease lease, long seenMillis) {
        return table.update("raising worker id " + lease.workerId() + " again", (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET horizon = ?, lease_until = " + sql.now() + " + ?" + JdbcWorkerIds.WHERE_ROW
                    + JdbcWorkerIds.WHERE_HELD + " AND server_id = " + sql.identity() + sql.durable());
            new Parameters(statement)
                    .add(lease.horizonMillis())
                    .add(terms.lease().toMillis())
                    .row(terms, lease.workerId())
                    .held(lease.withHorizon(seenMillis))
                    .identity(sql);
            return statement;
        });
    }

    /** See {@link LeaseStore#heal}. */
    boolean heal(Terms terms, Lease lease) {
        return table.transaction("healing the worker ids of '" + terms.namespace() + "'", (connection, sql) -> {
            rows.lockLayout(connection, terms.namespace()); // one process heals at a time
            // an UPDATE, because a SELECT may read a replica; the generation rises, because some drivers do not count a
            // row that keeps its values
            try (PreparedStatement proof = connection.prepareStatement("UPDATE " + table + " SET generation = ?"
                    + JdbcWorkerIds.WHERE_ROW + " AND " + isSetBack(sql) + sql.durable())) {
                new Parameters(proof)
                        .add(lease.generation() + 1)
                        .row(terms, lease.workerId())
                        .setBack(sql, lease);
                if (proof.executeUpdate() == 0) {
                    return false;
                }
            }
            long ahead = rows.windows(connection, terms).gap(terms) + RowRules.FENCING_MARGIN.toMillis();
            String beyond = sql.now() + " + ?";
            try (PreparedStatement free = connection.prepareStatement("UPDATE " + table
                    + " SET fence = fence + 1, owner_token = NULL, lease_until = 0, horizon = CASE WHEN horizon > "
                    + beyond + " THEN horizon ELSE " + beyond + " END WHERE namespace = ? AND worker_id > "
                    + WorkerRows.LAYOUT_ROW + " AND (generation <= ? OR worker_id = ?) AND lease_until < "
                    + WorkerRows.ENDLESS)) {
                new Parameters(free)
                        .add(ahead)
                        .add(ahead)
                        .add(terms.namespace())
                        .add(lease.generation())
                        .add(lease.workerId());
                free.executeUpdate();
            }
            try (PreparedStatement all = connection.prepareStatement(
                    "UPDATE " + table + " SET generation = ? WHERE namespace = ? AND generation <= ?")) {
                new Parameters(all)
                        .add(lease.generation() + 1)
                        .add(terms.namespace())
                        .add(lease.generation());
                all.executeUpdate();
            }
            return true;
        });
    }
}
