package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.sql.WorkerRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sets idgen's tables above the existing ids. Use it after a backup was restored or a table truncated, when a copy of
 * production becomes a separate installation, or when a wrong clock has left horizons far ahead. Stop all processes
 * that generate ids first; the repair fails while a lease is alive. Running it twice does no harm. Immutable and safe
 * for many threads.
 */
public final class IdgenRepair {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SHORTEST_GAP = Duration.ofMinutes(3);

    /** Excludes the row that holds the layout of the namespace. */
    private static final String WHERE_WORKERS = " WHERE namespace = ? AND layout = ? AND worker_id >= 0";

    private static final String RESERVED = "lease_until >= " + WorkerRows.ENDLESS;

    /** The time until which the process that holds a row, by a lease or by a reservation, counts as alive. */
    private static final String HELD_UNTIL =
            "(lease_until - CASE WHEN " + RESERVED + " THEN " + WorkerRows.ENDLESS + " ELSE 0 END)";

    private final Transactions transactions;
    private final String prefix;
    private final @Nullable String identity;

    /**
     * Creates a repair for one database. Opens no connection.
     *
     * @param dataSource provides connections that may read the application's tables and change idgen's
     */
    public IdgenRepair(DataSource dataSource) {
        this(new Transactions(Objects.requireNonNull(dataSource), TIMEOUT), IdgenSchema.DEFAULT_PREFIX, null);
    }

    private IdgenRepair(Transactions transactions, String prefix, @Nullable String identity) {
        this.transactions = transactions;
        this.prefix = prefix;
        this.identity = identity;
    }

    /**
     * Returns a copy for tables with another prefix, or in another schema.
     *
     * @param newPrefix replaces {@value IdgenSchema#DEFAULT_PREFIX}; to use another schema, begin it with the schema
     *     and a dot
     * @return a new repair
     * @throws IllegalArgumentException if table names cannot begin with the prefix
     */
    public IdgenRepair withPrefix(String newPrefix) {
        SqlName.parse(newPrefix + "segment", 1, 3);
        return new IdgenRepair(transactions, newPrefix, identity);
    }

    /**
     * Returns a copy with a name for this database server. Required if processes set {@code
     * idgen.jdbc.server-identity}: use the same name.
     *
     * @param newIdentity see {@link io.idgen.jdbc.JdbcWorkerIds#identifiedAs}; 1 to 64 characters, not blank
     * @return a new repair
     * @throws IllegalArgumentException if it is blank or too long
     */
    public IdgenRepair identifiedAs(String newIdentity) {
        return new IdgenRepair(transactions, prefix, ServerIdentity.check(newIdentity));
    }

    /**
     * Sets the horizons of all worker ids of a namespace. They are then a window and the skew of servers ahead of the
     * database's clock, and above the largest id in the columns. Without columns, horizons are only raised. All rows
     * get the identity of this server. Reserved worker ids stay reserved. Blocks for one transaction.
     *
     * @param namespace the namespace of the worker ids
     * @param layout the layout of the ids
     * @param columns all columns with ids of the namespace, for example {@code orders.id}; do not pass user input
     * @return the new horizon; new ids start there
     * @throws AllocationException if a lease is alive, or the database rejects a statement or does not answer
     * @throws IllegalArgumentException if a column is not a valid name of a table and column
     */
    public Instant workerIds(String namespace, SnowflakeLayout layout, String... columns) {
        SqlName table = SqlName.parse(prefix + "worker", 1, 3);
        List<SqlName> all = Arrays.stream(columns)
                .map(column -> SqlName.parse(column, 2, 4))
                .toList();
        return own(table, "worker").in("repairing " + table, (connection, dialect) -> {
            String now = now(dialect);
            Leases leases = leases(connection, table, now, namespace, layout);
            if (leases.alive > 0) {
                throw new AllocationException(
                        ErrorCode.NAMESPACE_IN_USE,
                        leases.alive + " worker ids of namespace '" + namespace + "' in " + table
                                + " are leased, the last until " + Instant.ofEpochMilli(leases.lastUntilMillis)
                                + "; stop the processes that hold them, or wait until then");
            }
            long gap = Math.max(SHORTEST_GAP.toMillis(), leases.windowMillis) + LeaseStore.SERVER_SKEW.toMillis();
            long horizon = leases.nowMillis + gap;
            for (SqlName column : all) {
                long largest = LargestValue.of(connection, dialect, column);
                if (largest > 0) {
                    horizon = Math.max(
                            horizon,
                            layout.parse(largest).time().plus(layout.tick()).toEpochMilli());
                }
            }
            horizon = roundedUp(layout, horizon);
            try (PreparedStatement update = connection.prepareStatement("UPDATE " + table
                    + " SET fence = fence + 1, owner_token = CASE WHEN " + RESERVED + " THEN '" + WorkerRows.RESERVED
                    + "' ELSE NULL END, lease_until = CASE WHEN " + RESERVED + " THEN " + WorkerRows.ENDLESS
                    + " ELSE 0 END, server_id = "
                    + (identity == null ? dialect.serverIdentity() : "?") + ", horizon = ?" + WHERE_WORKERS
                    + (all.isEmpty() ? " AND horizon < ?" : "") + durable(dialect))) {
                int next = 1;
                if (identity != null) {
                    update.setString(next++, identity);
                }
                update.setLong(next++, horizon);
                update.setString(next++, namespace);
                update.setString(next++, layout.toString());
                if (all.isEmpty()) {
                    update.setLong(next, horizon);
                }
                update.executeUpdate();
            }
            return Instant.ofEpochMilli(horizon);
        });
    }

    /**
     * Ends the reservation of worker ids, so that processes lease them again. Raises their horizons above all ids that
     * a process with such a worker id can have generated. Ignores worker ids that are not reserved. Blocks for one
     * transaction.
     *
     * @param namespace the namespace of the worker ids
     * @param workerIds the worker ids as in the table, with the datacenter in the upper bits
     * @throws AllocationException if a process holds one of them, or the database rejects a statement or does not
     *     answer; then nothing is changed
     */
    public void unreserve(String namespace, int... workerIds) {
        SqlName table = SqlName.parse(prefix + "worker", 1, 3);
        own(table, "worker").in("ending reservations in " + table, (connection, dialect) -> {
            for (int workerId : workerIds) {
                Reservation reservation = reservation(connection, table, now(dialect), namespace, workerId);
                if (reservation != null) {
                    reservation.end(connection, table, namespace, workerId);
                }
            }
            return true;
        });
    }

    /** A reserved row, and the time of the database when it was read. */
    private record Reservation(
            long nowMillis, long fence, long horizonMillis, long leaseUntilMillis, long windowMillis, String holder) {

        void end(Connection connection, SqlName table, String namespace, int workerId) throws SQLException {
            long heldUntilMillis = leaseUntilMillis - WorkerRows.ENDLESS;
            if (heldUntilMillis >= nowMillis) {
                throw new AllocationException(
                        ErrorCode.WORKER_ID_IN_USE,
                        "worker id " + workerId + " of namespace '" + namespace + "' in " + table
                                + " is reserved by a process that counts as alive until "
                                + Instant.ofEpochMilli(heldUntilMillis) + ", " + holder
                                + "; stop that process, or wait until then if it was killed");
            }
            // the holder's clock may be ahead of the database's by as much as its horizon was at the last renewal
            long aheadMillis = heldUntilMillis == 0 ? 0 : Math.max(0, horizonMillis - heldUntilMillis);
            long gapMillis =
                    Math.max(SHORTEST_GAP.toMillis(), windowMillis) + LeaseStore.SERVER_SKEW.toMillis() + aheadMillis;
            try (PreparedStatement update = connection.prepareStatement("UPDATE " + table
                    + " SET fence = fence + 1, owner_token = NULL, lease_until = 0, horizon = ?"
                    + " WHERE namespace = ? AND worker_id = ? AND fence = ? AND lease_until = ?")) {
                update.setLong(1, Math.max(horizonMillis, nowMillis + gapMillis));
                update.setString(2, namespace);
                update.setInt(3, workerId);
                update.setLong(4, fence);
                update.setLong(5, leaseUntilMillis);
                if (update.executeUpdate() != 1) {
                    throw new AllocationException(
                            ErrorCode.WORKER_ID_IN_USE,
                            "worker id " + workerId + " of namespace '" + namespace + "' in " + table
                                    + " has just been taken by a process; stop that process");
                }
            }
        }
    }

    private static @Nullable Reservation reservation(
            Connection connection, SqlName table, String now, String namespace, int workerId) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT " + now + ", fence, horizon, lease_until, longest_window, owner_info FROM " + table
                        + " WHERE namespace = ? AND worker_id = ? AND " + RESERVED)) {
            select.setString(1, namespace);
            select.setInt(2, workerId);
            try (ResultSet found = select.executeQuery()) {
                return found.next()
                        ? new Reservation(
                                found.getLong(1),
                                found.getLong(2),
                                found.getLong(3),
                                found.getLong(4),
                                found.getLong(5),
                                String.valueOf(found.getString(6)))
                        : null;
            }
        }
    }

    private OwnTable own(SqlName table, String inScripts) {
        return new OwnTable(transactions, table, IdgenSchema.DEFAULT_PREFIX + inScripts);
    }

    /**
     * The number of leases that are alive and the end of the last one, by the database's clock; and the longest window
     * in use.
     */
    private record Leases(long alive, long lastUntilMillis, long nowMillis, long windowMillis) {}

    private static Leases leases(
            Connection connection, SqlName table, String now, String namespace, SnowflakeLayout layout)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT COUNT(CASE WHEN " + HELD_UNTIL + " >= "
                + now + " THEN 1 END), MAX(" + HELD_UNTIL + "), MAX(" + now + "), MAX(longest_window), COUNT(*) FROM "
                + table + WHERE_WORKERS)) {
            statement.setString(1, namespace);
            statement.setString(2, layout.toString());
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                if (found.getLong(5) == 0) {
                    throw new AllocationException(
                            ErrorCode.LAYOUT_MISMATCH,
                            "namespace '" + namespace + "' has no worker ids of layout " + layout + " in " + table
                                    + "; SELECT DISTINCT namespace, layout FROM " + table + " lists them");
                }
                return new Leases(found.getLong(1), found.getLong(2), found.getLong(3), found.getLong(4));
            }
        }
    }

    /**
     * A condition that makes the commit durable. Processes that start later rely on the repair: if a crash of the
     * server lost it, ids would repeat.
     */
    private static String durable(Dialect dialect) {
        return dialect.durableCommit().map(" AND "::concat).orElse("");
    }

    private static String now(Dialect dialect) {
        return dialect.nowMillis()
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.UNKNOWN_DATABASE, "the dialect " + dialect.name() + " has no clock for worker ids"));
    }

    private static long roundedUp(SnowflakeLayout layout, long millis) {
        long tick = layout.tick().toMillis();
        long epoch = layout.epoch().toEpochMilli();
        return epoch - Math.floorDiv(epoch - millis, tick) * tick;
    }

    /**
     * Raises the row of a name in the segment table above the largest value of a column; never lowers it. Blocks for
     * one transaction.
     *
     * @param name the name of the source
     * @param column the column with the ids, for example {@code orders.id}; do not pass user input
     * @return the next id
     * @throws AllocationException if there is no row, or the database rejects a statement or does not answer
     * @throws IllegalArgumentException if {@code column} is not a valid name of a table and column
     */
    public long segments(String name, String column) {
        return raise("segment", "max_id", "biz_tag", name, column);
    }

    /**
     * Raises the row of a name in the sequence table above the largest value of a column; never lowers it. Blocks for
     * one transaction.
     *
     * @param name the name of the source
     * @param column the column with the ids, for example {@code orders.id}; do not pass user input
     * @return the next id
     * @throws AllocationException if there is no row, or the database rejects a statement or does not answer
     * @throws IllegalArgumentException if {@code column} is not a valid name of a table and column
     */
    public long sequence(String name, String column) {
        return raise("sequence", "next_id", "table_name", name, column);
    }

    private long raise(String tableName, String number, String key, String name, String column) {
        SqlName table = SqlName.parse(prefix + tableName, 1, 3);
        SqlName from = SqlName.parse(column, 2, 4);
        return own(table, tableName).in("repairing '" + name + "' in " + table, (connection, dialect) -> {
            long next = LargestValue.of(connection, dialect, from) + 1;
            try (PreparedStatement update = connection.prepareStatement("UPDATE " + table + " SET " + number
                    + " = ? WHERE " + key + " = ? AND " + number + " < ?" + durable(dialect))) {
                update.setLong(1, next);
                update.setString(2, name);
                update.setLong(3, next);
                update.executeUpdate();
            }
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT " + number + " FROM " + table + " WHERE " + key + " = ?")) {
                select.setString(1, name);
                try (ResultSet found = select.executeQuery()) {
                    if (!found.next()) {
                        throw new AllocationException(
                                ErrorCode.START_UNKNOWN,
                                "no row for '" + name + "' in " + table + "; create it above " + from
                                        + " with idgen.sources." + name + ".adopt=" + from);
                    }
                    return found.getLong(1);
                }
            }
        });
    }
}
