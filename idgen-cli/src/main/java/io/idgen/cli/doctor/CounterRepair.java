package io.idgen.cli.doctor;

import io.idgen.cli.doctor.RepairReport.Change;
import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Raises the counters of one table above all ids that they can have granted. */
record CounterRepair(CounterTable table, IdgenTables tables, boolean writes) {

    /** How far a replica may lag, and clocks may step forward, in a window: half of the window. */
    private static final long MARGIN_MILLIS = Counter.Guard.WINDOW_MILLIS / 2;

    /** The ids of a window, and the two that the next server skips if one takes over in it. */
    private static final int REACHES_OF_A_WINDOW = 3;

    /** Raises all rows, and returns the changes. */
    List<Change> raise(Connection connection, Dialect dialect) throws SQLException {
        if (dialect.nowMillis().isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_DATABASE,
                    "the dialect " + dialect.name() + " has no clock, so a repair cannot know the age of a backup");
        }
        if (writes) { // locks the rows until this transaction ends
            new SqlText("UPDATE " + name())
                    .set(table.number() + " = " + table.number())
                    .update(connection);
        }
        List<Change> changes = new ArrayList<>();
        for (CounterRow row : CounterRow.all(connection, dialect, table, tables.prefix())) {
            long raised = raised(connection, dialect, row);
            if (writes) {
                set(connection, dialect, row, raised);
            }
            changes.add(
                    new Change(name().toString(), row.source(), String.valueOf(row.number()), String.valueOf(raised)));
        }
        return changes;
    }

    private SqlName name() {
        return table.named(tables.prefix());
    }

    private long raised(Connection connection, Dialect dialect, CounterRow row) throws SQLException {
        List<SqlName> columns = tables.columnsOf(row.source());
        Instant backup = tables.backup();
        boolean limited = backup != null && row.reach() != null;
        if (columns.isEmpty() && !limited) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "nothing says how far the ids of '" + row.source() + "' in " + name() + " went after the backup: "
                            + (row.reach() == null
                                    ? "its row has no reach"
                                    : "its reach limits them, but the time of the backup is not given")
                            + "; name the columns with its ids (idgen repair --column " + row.source()
                            + "=table.column)"
                            + (row.reach() == null ? "" : ", or the time of the backup (--backup-time)")
                            + "; nothing was changed");
        }
        long raised = row.number();
        if (backup != null && row.reach() != null) {
            raised = aboveGrants(row, row.reach(), backup);
        }
        for (SqlName column : columns) {
            long next = LargestValue.of(connection, dialect, column) + 1;
            if (next > raised) {
                raised = next + Math.floorMod(row.number() - next, row.stride()); // the remainder of the instance
            }
        }
        return raised;
    }

    /** Returns the number above all ids that the row can have granted since a backup. */
    private long aboveGrants(CounterRow row, long reach, Instant backup) {
        long ageMillis = row.now().toEpochMilli() - backup.toEpochMilli();
        if (ageMillis < 0) {
            throw new IllegalArgumentException(
                    "the time of the backup, " + backup + ", lies in the future: the database's time is " + row.now());
        }
        // the ten-minute window that was running at the backup, and all windows that began since
        long windows = 1 - Math.floorDiv(-ageMillis - MARGIN_MILLIS, Counter.Guard.WINDOW_MILLIS);
        try {
            long ids = Math.multiplyExact(windows * REACHES_OF_A_WINDOW, Math.multiplyExact(reach, row.stride()));
            return Math.addExact(row.number(), ids);
        } catch (ArithmeticException e) {
            throw new AllocationException(
                    ErrorCode.LIMIT_REACHED,
                    "in " + Duration.ofMillis(ageMillis).toDays() + " days '" + row.source() + "' in " + name()
                            + " may have granted more ids than a bigint holds, by its reach of " + reach
                            + "; name the columns with its ids in place of the time of the backup; nothing was changed",
                    e);
        }
    }

    private void set(Connection connection, Dialect dialect, CounterRow row, long raised) throws SQLException {
        new SqlText("UPDATE " + name())
                .set(table.number() + " = ?", raised)
                .where(table.source() + " = ?", row.source())
                .where(dialect.durableCommit())
                .update(connection);
    }
}
