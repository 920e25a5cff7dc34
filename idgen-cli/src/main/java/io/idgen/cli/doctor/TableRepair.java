package io.idgen.cli.doctor;

import io.idgen.cli.doctor.RepairReport.Change;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The repairs of tables: raises counters above all ids that they can have granted, and forgets servers. */
record TableRepair(KnownTables tables, boolean writes) {
    private static final String READ_ONLY = "SELECT CONCAT('read_only=', @@global.read_only) FROM DUAL"
            + " WHERE @@global.read_only NOT IN ('0', 'OFF')"; // a number or, from MariaDB 12 on, a word

    /** By dialect, a query of the settings by which a server rejects changes: it is a replica, or it is read-only. */
    private static final Map<String, String> SETTINGS_THAT_REJECT_CHANGES = Map.of(
            "postgresql",
            "SELECT 'it is a standby (pg_is_in_recovery)' WHERE pg_is_in_recovery()",
            "mariadb",
            READ_ONLY,
            "mysql",
            READ_ONLY);

    /** How far a replica may lag, and clocks may step forward, in a window: half of the window. */
    private static final long MARGIN_MILLIS = CounterRows.PERIOD_MILLIS / 2;

    /** The ids of a window, and the two that the next server skips if one takes over in it. */
    private static final int REACHES_OF_A_WINDOW = 3;

    /** Raises all rows, and returns the changes. */
    List<Change> raise(Connection connection, Dialect dialect) throws SQLException {
        SqlName table = tables.counters();
        if (writes) { // locks the rows until this transaction ends
            new SqlText("UPDATE " + table).set("next_id = next_id").update(connection);
        }
        List<CounterRow> rows = CounterRow.all(connection, dialect, table);
        refuseUnknownSources(rows);
        List<Change> changes = new ArrayList<>();
        for (CounterRow row : rows) {
            long raised = raised(connection, dialect, row);
            if (writes) {
                new SqlText("UPDATE " + table)
                        .set("next_id = ?", raised)
                        .where("name = ?", row.source())
                        .where(dialect.durableCommit())
                        .update(connection);
            }
            changes.add(new Change(table.toString(), row.source(), String.valueOf(row.next()), String.valueOf(raised)));
        }
        return changes;
    }

    /** A mistyped name would leave a counter where it is. */
    private void refuseUnknownSources(List<CounterRow> rows) {
        for (KnownTables.Column each : tables.columns()) {
            if (rows.stream().noneMatch(row -> row.source().equals(each.source()))) {
                throw new AllocationException(
                        ErrorCode.START_UNKNOWN,
                        "no row for '" + each.source() + "' in " + tables.counters()
                                + "; correct the name, or leave it out and let the first process create the row"
                                + " with idgen.sources." + each.source() + ".adopt=" + each.name()
                                + "; nothing was changed");
            }
        }
    }

    private long raised(Connection connection, Dialect dialect, CounterRow row) throws SQLException {
        List<SqlName> columns = tables.columnsOf(row.source());
        Instant backup = tables.backup();
        boolean limited = backup != null && row.reach() != null;
        if (columns.isEmpty() && !limited) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "nothing says how far the ids of '" + row.source() + "' in " + tables.counters()
                            + " went after the backup: "
                            + (row.reach() == null
                                    ? "its row has no reach"
                                    : "its reach limits them, but the time of the backup is not given")
                            + "; name the columns with its ids (idgen repair --column " + row.source()
                            + "=table.column)"
                            + (row.reach() == null ? "" : ", or the time of the backup (--backup-time)")
                            + "; nothing was changed");
        }
        long raised = row.next();
        if (backup != null && row.reach() != null) {
            raised = aboveGrants(row, row.reach(), backup);
        }
        for (SqlName column : columns) {
            long next = LargestValue.of(connection, dialect, column, false) + 1;
            if (next > raised) {
                raised = next + Math.floorMod(row.next() - next, row.instances()); // the remainder of the instance
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
        long windows = 1 - Math.floorDiv(-ageMillis - MARGIN_MILLIS, CounterRows.PERIOD_MILLIS);
        try {
            long ids = Math.multiplyExact(windows * REACHES_OF_A_WINDOW, Math.multiplyExact(reach, row.instances()));
            return Math.addExact(row.next(), ids);
        } catch (ArithmeticException e) {
            throw new AllocationException(
                    ErrorCode.LIMIT_REACHED,
                    "in " + Duration.ofMillis(ageMillis).toDays() + " days '" + row.source() + "' in "
                            + tables.counters()
                            + " may have granted more ids than a bigint holds, by its reach of " + reach
                            + "; name the columns with its ids in place of the time of the backup; nothing was changed",
                    e);
        }
    }

    /**
     * Lets all rows of a promoted server count as granted by another server, whatever its identity is. The identity
     * of a former primary may be the same as before it failed, and then the rows alone do not show that commits are
     * missing.
     *
     * <p>Leases stay leased, because processes that run keep their windows. At their next renewal, they find another
     * server and lease anew, as after each takeover.
     */
    List<Change> forgetServers(Connection connection, Dialect dialect, List<SqlName> existing) throws SQLException {
        refuseReadOnly(connection, dialect);
        List<Change> changes = new ArrayList<>();
        for (SqlName table : existing) {
            changes.addAll(
                    table.equals(tables.workers()) ? workers(connection, table) : counters(connection, dialect, table));
            if (writes) {
                new SqlText("UPDATE " + table)
                        .set("server_id = NULL")
                        .where("server_id IS NOT NULL")
                        .where(dialect.durableCommit())
                        .update(connection);
            }
        }
        return changes;
    }

    /** Some users may change data on a replica that is read-only for others. */
    private static void refuseReadOnly(Connection connection, Dialect dialect) throws SQLException {
        String query = SETTINGS_THAT_REJECT_CHANGES.get(dialect.name());
        Optional<String> settings =
                query == null ? Optional.empty() : new SqlText(query).first(connection, row -> row.getString(1));
        if (settings.isPresent()) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    "this server accepts no changes, because " + settings.get()
                            + "; promote it first, then run this repair, and only then let the application connect;"
                            + " nothing was changed");
        }
    }

    private static List<Change> workers(Connection connection, SqlName table) throws SQLException {
        return new SqlText("SELECT namespace, COUNT(*), MAX(horizon) FROM " + table)
                .where(WorkerRows.IS_WORKER + " AND server_id IS NOT NULL")
                .add(" GROUP BY namespace ORDER BY namespace")
                .all(
                        connection,
                        found -> new Change(
                                table.toString(),
                                found.getString(1) + ", " + found.getLong(2) + " worker ids",
                                "horizons up to " + NamespaceUse.time(found.getLong(3)),
                                "without a server; the next leases begin above all that another server can have granted"));
    }

    private static List<Change> counters(Connection connection, Dialect dialect, SqlName table) throws SQLException {
        return CounterRow.all(connection, dialect, table).stream()
                .filter(CounterRow::hasServer)
                .map(row -> new Change(table.toString(), row.source(), String.valueOf(row.next()), after(row)))
                .toList();
    }

    private static String after(CounterRow row) {
        String after = row.next() + " without a server";
        return row.reach() == null
                ? after
                : after + "; the next ids begin at " + (row.next() + 2 * row.instances() * row.reach());
    }
}
