package io.idgen.jdbc.internal.sql;

import io.idgen.core.lease.LeaseAdmin.RowState;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/** The rows of worker ids: their special values, and how to read one. */
public final class WorkerRows {
    /** The worker id of the row that holds the namespace's layout: {@value}. No process leases it. */
    public static final int LAYOUT_ROW = -1;

    /** The condition for that row. */
    public static final String IS_LAYOUT = "worker_id = " + LAYOUT_ROW;

    /** The condition for the rows that processes lease. */
    public static final String IS_WORKER = "worker_id > " + LAYOUT_ROW;

    private WorkerRows() {}

    /** Locks the row of the layout, so that other transactions that change rows of the namespace's layout wait. */
    public static void lockLayout(Connection connection, String table, String namespace) throws SQLException {
        // some drivers do not count a row that keeps its values
        new SqlText("UPDATE " + table)
                .set("layout = layout")
                .where("namespace = ? AND " + IS_LAYOUT, namespace)
                .update(connection);
    }

    /**
     * Reads a row from columns that follow each other: the server's time in milliseconds, {@code fence}, {@code
     * horizon}, 1 if this server has granted it, {@code owner_token}, {@code lease_until} and {@code owner_info}.
     *
     * @param found at the row
     * @param first the number of the first of these columns
     * @throws SQLException if the driver cannot read it
     */
    public static RowState state(ResultSet found, int first) throws SQLException {
        return new RowState(
                found.getLong(first),
                found.getLong(first + 1),
                found.getLong(first + 2),
                found.getInt(first + 3) == 1,
                found.getString(first + 4),
                found.getLong(first + 5),
                Objects.requireNonNullElse(found.getString(first + 6), "unknown"));
    }
}
