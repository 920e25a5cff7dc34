package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.RepairReport.Change;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one table of counters, for repairs that raise them.
 *
 * @param number the column that allocations raise
 * @param name the column with the source's name
 * @param more further key columns
 * @param stride the column with the difference in number for one id, or null for 1
 */
record CounterRows(
        SqlName table,
        String number,
        String name,
        List<String> more,
        @Nullable String stride) {

    /** How far a replica may lag, and clocks may step forward, in a window: half of the window. */
    private static final long MARGIN_MILLIS = Counter.Guard.WINDOW_MILLIS / 2;

    private static final String NO_REACH = "0";

    static CounterRows segments(String prefix) {
        return new CounterRows(SqlName.parse(prefix + "segment", 1, 3), "max_id", "biz_tag", List.of(), null);
    }

    static CounterRows sequences(String prefix) {
        return new CounterRows(SqlName.parse(prefix + "sequence", 1, 3), "next_id", "table_name", List.of(), null);
    }

    static CounterRows stepped(String prefix) {
        return new CounterRows(
                SqlName.parse(prefix + "stepped", 1, 3), "next_id", "seq_name", List.of("generation"), "instances");
    }

    /**
     * A row.
     *
     * @param more the values of the further key columns
     * @param reach how many ids it grants at most in ten minutes; null if nothing limits them
     */
    private record Row(
            String name,
            List<Long> more,
            long number,
            long stride,
            @Nullable Long reach,
            long nowMillis) {
        String label() {
            return more.isEmpty() ? name : name + ", generation " + more.get(0);
        }
    }

    /**
     * Raises all rows, and returns the changes.
     *
     * @param given the user's facts about the ids
     */
    List<Change> raise(Connection connection, Dialect dialect, IdgenRepair.Given given) throws SQLException {
        if (given.writes()) {
            lock(connection);
        }
        List<Change> changes = new ArrayList<>();
        for (Row row : rows(connection, dialect)) {
            long raised = raised(connection, dialect, given, row);
            if (given.writes()) {
                set(connection, dialect, row, raised);
            }
            changes.add(new Change(table.toString(), row.label(), String.valueOf(row.number), String.valueOf(raised)));
        }
        return changes;
    }

    /** Whether a source has a row. */
    boolean has(Connection connection, String source) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT " + number + " FROM " + table + " WHERE " + name + " = ?")) {
            select.setString(1, source);
            try (ResultSet found = select.executeQuery()) {
                return found.next();
            }
        }
    }

    /** Locks the rows until this transaction ends. */
    private void lock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE " + table + " SET " + number + " = " + number);
        }
    }

    private List<Row> rows(Connection connection, Dialect dialect) throws SQLException {
        String now = IdgenRepair.now(dialect);
        String sql = "SELECT " + name + ", " + number + ", " + (stride == null ? "1" : stride) + ", "
                + (hasReach(connection) ? "reach" : NO_REACH) + ", " + now
                + (more.isEmpty() ? "" : ", " + String.join(", ", more)) + " FROM " + table + " ORDER BY " + name;
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<Row> rows = new ArrayList<>();
            while (found.next()) {
                List<Long> keys = new ArrayList<>();
                for (int i = 0; i < more.size(); i++) {
                    keys.add(found.getLong(6 + i));
                }
                long reach = found.getLong(4);
                boolean limited = !found.wasNull() && reach > 0;
                rows.add(new Row(
                        found.getString(1),
                        keys,
                        found.getLong(2),
                        found.getLong(3),
                        limited ? reach : null,
                        found.getLong(5)));
            }
            return rows;
        }
    }

    /**
     * Returns whether the table has the columns that limit which ids a takeover can repeat. Leaf's table does not have
     * them.
     */
    boolean hasReach(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            for (int i = 1; i <= none.getMetaData().getColumnCount(); i++) {
                if (none.getMetaData().getColumnName(i).toLowerCase(Locale.ROOT).equals("reach")) {
                    return true;
                }
            }
            return false;
        }
    }

    private long raised(Connection connection, Dialect dialect, IdgenRepair.Given given, Row row) throws SQLException {
        List<SqlName> columns = given.columns(row.name);
        Instant backup = given.backup();
        boolean limited = backup != null && row.reach != null;
        if (columns.isEmpty() && !limited) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "nothing says how far the ids of '" + row.name + "' in " + table + " went after the backup: "
                            + (row.reach == null
                                    ? "its row has no reach"
                                    : "its reach limits them, but the time of the backup is not given")
                            + "; name the columns with its ids (idgen repair --column " + row.name + "=table.column)"
                            + (row.reach == null ? "" : ", or the time of the backup (--backup-time)")
                            + "; nothing was changed");
        }
        long raised = row.number;
        if (backup != null && row.reach != null) {
            raised = aboveGrants(row, row.reach, backup);
        }
        for (SqlName column : columns) {
            long next = LargestValue.of(connection, dialect, column) + 1;
            if (next > raised) {
                raised = next + Math.floorMod(row.number - next, row.stride); // the remainder of the instance
            }
        }
        return raised;
    }

    /** Returns the number above all ids that the row can have granted since a backup. */
    private long aboveGrants(Row row, long reach, Instant backup) {
        long ageMillis = row.nowMillis - backup.toEpochMilli();
        if (ageMillis < 0) {
            throw new IllegalArgumentException("the time of the backup, " + backup
                    + ", lies in the future: the database's time is " + Instant.ofEpochMilli(row.nowMillis));
        }
        // the ten-minute window that was running at the backup, and all windows that began since
        long windows = 1 - Math.floorDiv(-ageMillis - MARGIN_MILLIS, Counter.Guard.WINDOW_MILLIS);
        try {
            return Math.addExact(row.number, Math.multiplyExact(windows, Math.multiplyExact(reach, row.stride)));
        } catch (ArithmeticException e) {
            throw new AllocationException(
                    ErrorCode.LIMIT_REACHED,
                    "in " + Duration.ofMillis(ageMillis).toDays() + " days '" + row.name + "' in " + table
                            + " may have granted more ids than a bigint holds, by its reach of " + reach
                            + "; name the columns with its ids in place of the time of the backup; nothing was changed",
                    e);
        }
    }

    private void set(Connection connection, Dialect dialect, Row row, long raised) throws SQLException {
        String sql = "UPDATE " + table + " SET " + number + " = ? WHERE " + name + " = ?"
                + String.join(
                        "", more.stream().map(key -> " AND " + key + " = ?").toList())
                + IdgenRepair.durable(dialect);
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, raised);
            update.setString(2, row.name);
            for (int i = 0; i < row.more.size(); i++) {
                update.setLong(3 + i, row.more.get(i));
            }
            update.executeUpdate();
        }
    }
}
