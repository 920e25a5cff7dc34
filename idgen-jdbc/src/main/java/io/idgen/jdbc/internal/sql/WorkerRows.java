package io.idgen.jdbc.internal.sql;

import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of worker ids: their special values, and how to read one. */
public final class WorkerRows {
    /**
     * Added to {@code lease_until} of a reserved row: {@value} ms, about 3,000 years. The lease of a reserved row ends
     * this long after its process counts as gone; without a process it ends at this number. So no statement of a lease
     * acquires the row.
     */
    public static final long ENDLESS = 100_000_000_000_000L;

    /** The worker id of the row that holds the namespace's layout: {@value}. No process leases it. */
    public static final int LAYOUT_ROW = -1;

    /** The condition for that row. */
    public static final String IS_LAYOUT = "worker_id = " + LAYOUT_ROW;

    /** The condition for the rows that processes lease. */
    public static final String IS_WORKER = "worker_id > " + LAYOUT_ROW;

    /** The token of a reserved row. If a process holds the row, a colon and the token of the process follow. */
    public static final String RESERVED = "reserved";

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
        String token = found.getString(first + 4);
        long leaseUntil = found.getLong(first + 5);
        boolean reserved = leaseUntil >= ENDLESS;
        return new RowState(
                found.getLong(first),
                found.getLong(first + 1),
                found.getLong(first + 2),
                found.getInt(first + 3) == 1,
                reserved,
                reserved ? reservedFor(token) : token,
                reserved ? leaseUntil - ENDLESS : leaseUntil,
                Objects.requireNonNullElse(found.getString(first + 6), "unknown"));
    }

    /** Returns the token of the process that holds a reserved row, or null if none does. */
    private static @Nullable String reservedFor(@Nullable String token) {
        return token != null && token.startsWith(RESERVED + ":") ? token.substring(RESERVED.length() + 1) : null;
    }
}
