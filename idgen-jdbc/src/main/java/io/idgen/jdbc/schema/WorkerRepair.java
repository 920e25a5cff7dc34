package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.LargestId;
import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.NamespaceUse;
import io.idgen.core.lease.RepairReport.Change;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.WorkerRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The rows of worker ids, for repairs that change them. A row without a server is advanced by a window and the skew of
 * servers before it is leased again. It is then above all ticks that can have been granted.
 *
 * @param writes false to change nothing
 */
record WorkerRepair(SqlName table, boolean writes) {
    private static final int HOLDERS_NAMED = 3;
    private static final String RESERVED = "lease_until >= " + WorkerRows.ENDLESS;

    /** The time until which the process that holds a row, by a lease or by a reservation, counts as alive. */
    private static final String HELD_UNTIL =
            "(lease_until - CASE WHEN " + RESERVED + " THEN " + WorkerRows.ENDLESS + " ELSE 0 END)";

    /** Ends leases, and keeps reservations without their processes. MariaDB assigns from left to right. */
    private static final String SET_FREE = " SET fence = fence + 1, owner_token = CASE WHEN " + RESERVED + " THEN '"
            + WorkerRows.RESERVED + "' ELSE NULL END, lease_until = CASE WHEN " + RESERVED + " THEN "
            + WorkerRows.ENDLESS + " ELSE 0 END, server_id = NULL";

    static WorkerRepair of(String prefix, boolean writes) {
        return new WorkerRepair(SqlName.parse(prefix + "worker", 1, 3), writes);
    }

    /** Restricts statements to some rows; the row of the layout is never among them. */
    private record Rows(String where, List<String> values) {
        static final Rows ALL = new Rows(" WHERE worker_id >= 0", List.of());

        static Rows of(String namespace, String layout) {
            return new Rows(ALL.where + " AND namespace = ? AND layout = ?", List.of(namespace, layout));
        }

        PreparedStatement set(PreparedStatement statement, int first) throws SQLException {
            for (int i = 0; i < values.size(); i++) {
                statement.setString(first + i, values.get(i));
            }
            return statement;
        }
    }

    /** Removes the server from all rows, so that the next lease of each begins above all ticks that were granted. */
    List<Change> forgetServers(Connection connection, Dialect dialect) throws SQLException {
        String now = IdgenRepair.now(dialect);
        // before the rows are read: updated rows are locked, so no process can lease them in between
        if (writes) {
            try (PreparedStatement update = connection.prepareStatement("UPDATE " + table + SET_FREE + Rows.ALL.where
                    + " AND " + HELD_UNTIL + " < " + now + IdgenRepair.durable(dialect))) {
                update.executeUpdate();
            }
        }
        refuseIfHeld(connection, now, Rows.ALL);
        List<Change> changes = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement("SELECT namespace, COUNT(*), MAX(horizon),"
                        + " MAX(longest_window), MAX(" + now + ") FROM " + table + Rows.ALL.where
                        + " GROUP BY namespace ORDER BY namespace");
                ResultSet found = select.executeQuery()) {
            while (found.next()) {
                long begin = Math.max(found.getLong(3), found.getLong(5) + gapMillis(found.getLong(4)));
                changes.add(new Change(
                        table.toString(),
                        found.getString(1) + ", " + found.getLong(2) + " worker ids",
                        "horizons up to " + time(found.getLong(3)),
                        "ids begin at " + time(begin) + " or later"));
            }
        }
        return changes;
    }

    private static String time(long millis) {
        return NamespaceUse.time(Instant.ofEpochMilli(millis));
    }

    private static long gapMillis(long longestWindowMillis) {
        return NamespaceUse.gap(Duration.ofMillis(longestWindowMillis)).toMillis();
    }

    private void refuseIfHeld(Connection connection, String now, Rows rows) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT namespace, worker_id, owner_info, "
                + HELD_UNTIL + " FROM " + table + rows.where + " AND " + HELD_UNTIL + " >= " + now
                + " ORDER BY 4 DESC")) {
            long held = 0;
            StringJoiner holders = new StringJoiner("; ");
            try (ResultSet found = rows.set(select, 1).executeQuery()) {
                for (; found.next(); held++) {
                    if (held < HOLDERS_NAMED) {
                        holders.add("worker id " + found.getInt(2) + " of namespace '" + found.getString(1) + "' by "
                                + found.getString(3) + " until " + time(found.getLong(4)));
                    }
                }
            }
            if (held > 0) {
                throw new AllocationException(
                        ErrorCode.NAMESPACE_IN_USE,
                        held + " worker ids in " + table + " are leased or held: " + holders
                                + (held > HOLDERS_NAMED ? "; and " + (held - HOLDERS_NAMED) + " more" : "")
                                + "; stop these processes, or wait until then if they were killed, and repair again;"
                                + " nothing was changed");
            }
        }
    }

    /**
     * Lowers the horizons of a namespace that no correct clock can have granted. The next lease of a lowered row begins
     * a gap ahead of the database's clock, so nearer horizons stay as they are. Empty if there is none to lower.
     */
    Optional<Change> lowerHorizons(
            Connection connection, Dialect dialect, String namespace, String layout, LargestId largest)
            throws SQLException {
        String now = IdgenRepair.now(dialect);
        Rows rows = Rows.of(namespace, layout);
        long far = furthestGranted(connection, now, rows, largest)
                .orElseThrow(() -> new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "namespace '" + namespace + "' has no worker ids of layout " + layout + " in " + table
                                + "; SELECT DISTINCT namespace, layout FROM " + table + " lists them"));
        Optional<Change> change = lowered(connection, namespace, rows, far, largest);
        if (writes) {
            try (PreparedStatement update = connection.prepareStatement("UPDATE " + table + SET_FREE + ", horizon = ?"
                    + rows.where + " AND horizon > ? AND " + HELD_UNTIL + " < " + now + IdgenRepair.durable(dialect))) {
                update.setLong(1, largest.end().toEpochMilli());
                rows.set(update, 2).setLong(2 + rows.values.size(), far);
                update.executeUpdate();
            }
        }
        refuseIfHeld(connection, now, rows);
        return change;
    }

    /** Returns the furthest horizon that a correct clock can have granted; empty if there are no rows. */
    private Optional<Long> furthestGranted(Connection connection, String now, Rows rows, LargestId largest)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT COUNT(*), MAX(longest_window), MAX(" + now + ") FROM " + table + rows.where);
                ResultSet found = rows.set(select, 1).executeQuery()) {
            found.next();
            if (found.getLong(1) == 0) {
                return Optional.empty();
            }
            largest.refuseIfAfter(Instant.ofEpochMilli(found.getLong(3)));
            return Optional.of(found.getLong(3) + gapMillis(found.getLong(2)));
        }
    }

    private Optional<Change> lowered(Connection connection, String namespace, Rows rows, long far, LargestId largest)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT COUNT(*), MAX(horizon) FROM " + table + rows.where + " AND horizon > ?")) {
            rows.set(select, 1).setLong(1 + rows.values.size(), far);
            try (ResultSet found = select.executeQuery()) {
                found.next();
                return found.getLong(1) == 0
                        ? Optional.empty()
                        : Optional.of(new Change(
                                table.toString(),
                                namespace + ", " + found.getLong(1) + " worker ids",
                                "horizons up to " + time(found.getLong(2)),
                                "horizons at " + NamespaceUse.time(largest.end())));
            }
        }
    }

    // ---- reservations ----

    /** A reserved row, and the time of the database when it was read. */
    private record Reservation(int workerId, RowState row, long leaseUntilMillis, long windowMillis) {}

    /** Ends the reservation of a worker id; empty if it is not reserved. */
    Optional<Change> unreserve(Connection connection, Dialect dialect, String namespace, int workerId)
            throws SQLException {
        Optional<Reservation> reservation = reservation(connection, IdgenRepair.now(dialect), namespace, workerId);
        return reservation.isEmpty()
                ? Optional.empty()
                : Optional.of(end(connection, dialect, namespace, reservation.get()));
    }

    private Optional<Reservation> reservation(Connection connection, String now, String namespace, int workerId)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT " + now + ", fence, horizon, lease_until, longest_window, owner_info, owner_token FROM " + table
                        + " WHERE namespace = ? AND worker_id = ? AND " + RESERVED)) {
            select.setString(1, namespace);
            select.setInt(2, workerId);
            try (ResultSet found = select.executeQuery()) {
                if (!found.next()) {
                    return Optional.empty();
                }
                RowState row = new RowState(
                        found.getLong(1),
                        found.getLong(2),
                        found.getLong(3),
                        true,
                        true,
                        WorkerRows.reservedFor(found.getString(7)),
                        found.getLong(4) - WorkerRows.ENDLESS,
                        String.valueOf(found.getString(6)));
                return Optional.of(new Reservation(workerId, row, found.getLong(4), found.getLong(5)));
            }
        }
    }

    private Change end(Connection connection, Dialect dialect, String namespace, Reservation reserved)
            throws SQLException {
        String row = "worker id " + reserved.workerId + " of namespace '" + namespace + "' in " + table;
        RowState state = reserved.row;
        if (RowRules.isAlive(state)) {
            throw new AllocationException(
                    ErrorCode.WORKER_ID_IN_USE,
                    row + " is reserved by a process that counts as alive until "
                            + time(state.heldUntilMillis()) + ", " + state.holder()
                            + "; stop that process, or wait until then if it was killed");
        }
        long horizonMillis = RowRules.freedMillis(state, NamespaceUse.gap(Duration.ofMillis(reserved.windowMillis)));
        if (writes && !setFree(connection, dialect, namespace, reserved, horizonMillis)) {
            throw new AllocationException(
                    ErrorCode.WORKER_ID_IN_USE, row + " has just been taken by a process; stop that process");
        }
        return new Change(
                table.toString(),
                namespace + ", worker id " + reserved.workerId,
                "reserved, horizon at " + time(state.horizonMillis()),
                "free to lease, horizon at " + time(horizonMillis));
    }

    private boolean setFree(
            Connection connection, Dialect dialect, String namespace, Reservation reserved, long horizonMillis)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table
                + " SET fence = fence + 1, owner_token = NULL, lease_until = 0, horizon = ?"
                + " WHERE namespace = ? AND worker_id = ? AND fence = ? AND lease_until = ?"
                + IdgenRepair.durable(dialect))) {
            update.setLong(1, horizonMillis);
            update.setString(2, namespace);
            update.setInt(3, reserved.workerId);
            update.setLong(4, reserved.row.fence());
            update.setLong(5, reserved.leaseUntilMillis);
            return update.executeUpdate() == 1;
        }
    }
}
