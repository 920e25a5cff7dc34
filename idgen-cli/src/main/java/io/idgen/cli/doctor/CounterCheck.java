package io.idgen.cli.doctor;

import static io.idgen.cli.doctor.Doctor.ok;
import static io.idgen.cli.doctor.Doctor.warn;
import static io.idgen.cli.doctor.Doctor.wrong;

import io.idgen.core.lease.Finding;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Evaluates the counters for the doctor. */
record CounterCheck(KnownTables tables) {
    private static final String COUNTER = "counter";
    private static final double PERCENT = 100;

    /** Over a shorter time, a rate is not meaningful, because a counter grants many ids at once. */
    private static final long SHORTEST_MILLIS = 60_000;

    /** Later dates are not reported. */
    private static final Duration FAR_AWAY = Duration.ofDays(100 * 365);

    /**
     * A range of numbers.
     *
     * @param largest the largest number in it
     * @param what the words for a message, for example {@code an int column holds}
     */
    private record Range(long largest, String what) {
        /** Returns the narrowest type that can hold a number. */
        static Range guessed(long number) {
            return number <= Integer.MAX_VALUE
                    ? new Range(Integer.MAX_VALUE, "an int column holds")
                    : new Range(Long.MAX_VALUE, "a bigint column holds");
        }

        double share(long number) {
            return (double) number / largest;
        }
    }

    /** A column with ids of a source, as it was before the counters were read. */
    private record Ids(SqlName column, long largest, Range range) {
        static Ids of(Connection connection, Dialect dialect, SqlName column) throws SQLException {
            long largest = LargestValue.of(connection, dialect, column, false);
            try (Statement statement = connection.createStatement();
                    ResultSet none = statement.executeQuery(
                            "SELECT " + column.column() + " FROM " + column.table() + " WHERE 1 = 0")) {
                Range range = new Range(largestOf(none.getMetaData()), "the column " + column + " holds");
                // a type that can hold more than its name indicates, such as SQLite's INTEGER
                return new Ids(
                        column, largest, largest > range.largest ? new Range(Long.MAX_VALUE, range.what) : range);
            }
        }

        private static long largestOf(ResultSetMetaData column) throws SQLException {
            long unsigned = column.isSigned(1) ? 1 : 2;
            return switch (column.getColumnType(1)) {
                case Types.TINYINT -> unsigned * (Byte.MAX_VALUE + 1) - 1;
                case Types.SMALLINT -> unsigned * (Short.MAX_VALUE + 1) - 1;
                case Types.INTEGER -> unsigned * (Integer.MAX_VALUE + 1L) - 1;
                default -> Long.MAX_VALUE;
            };
        }
    }

    /** Returns a finding for each counter, the most urgent and the fullest first, and for each source without one. */
    List<Finding> findings(Connection connection, Dialect dialect) throws SQLException {
        // reads the ids before the counters: even while processes run, counters that are read later are above these ids
        Map<String, Ids> ids = new TreeMap<>();
        for (KnownTables.Column each : tables.columns()) {
            ids.put(each.source(), Ids.of(connection, dialect, each.name()));
        }
        List<CounterRow> rows = CounterRow.all(connection, dialect, tables.counters());
        List<Finding> findings = rows.stream()
                .sorted(Comparator.comparingDouble((CounterRow row) ->
                                range(row, ids.get(row.source())).share(row.next()))
                        .reversed())
                .map(row -> finding(row, ids.remove(row.source())))
                .sorted(Comparator.comparing(Finding::level).reversed())
                .collect(Collectors.toCollection(ArrayList::new));
        ids.forEach((source, unknown) -> findings.add(warn(
                COUNTER,
                source + ": " + tables.counters()
                        + " has no such row; correct the name, or let the first process create the row")));
        return findings;
    }

    private static Range range(CounterRow row, @Nullable Ids ids) {
        return ids == null ? Range.guessed(row.next()) : ids.range;
    }

    private static Finding finding(CounterRow row, @Nullable Ids ids) {
        Range range = range(row, ids);
        String text = row.source() + ": next id " + row.next()
                + (row.instances() == 1 ? "" : ", instance " + row.instance() + " of " + row.instances())
                + (row.step() == 0 ? "" : ", step " + row.step());
        if (row.next() < 1) {
            return wrong(COUNTER, text + ", but ids start at 1: set it above the ids in use");
        }
        if (Math.floorMod(row.next() - row.instance(), row.instances()) != 0) {
            return wrong(
                    COUNTER,
                    text + ", but this is no id of that instance: set it to the next one above the ids in use");
        }
        if (ids != null && ids.largest >= row.next()) {
            return wrong(
                    COUNTER,
                    text + ", but " + ids.column + " holds " + ids.largest
                            + ": stop all processes, then raise the counter with idgen repair --column " + row.source()
                            + "=" + ids.column);
        }
        if (row.next() > range.largest) {
            return wrong(
                    COUNTER,
                    text + ", but " + range.what + " " + range.largest
                            + " at most: widen the column, or move to another name");
        }
        if (row.reach() != null && row.since() != null && row.used() >= row.reach()) {
            Instant end = row.since().plusMillis(CounterRows.PERIOD_MILLIS);
            if (row.now().isBefore(end) && end.isBefore(row.now().plusMillis(CounterRows.MOST_AHEAD_MILLIS))) {
                return wrong(
                        COUNTER,
                        text + ", but it has granted its reach of " + row.reach() + " ids since " + row.since()
                                + ": the next ids at " + NamespaceUse.time(end)
                                + "; if the load is intended, raise the reach");
            }
        }
        text += String.format(Locale.ROOT, ", %.2f %% of what %s", PERCENT * range.share(row.next()), range.what);
        if (range.share(row.next()) < NamespaceUse.NEARLY_USED_UP) {
            return ok(COUNTER, text);
        }
        return warn(
                COUNTER,
                text + "; " + end(row, range.largest) + "; widen the column, or move to another name before"
                        + (ids == null
                                ? "; if its column is wider, name it with --column " + row.source() + "=table.column"
                                : ""));
    }

    /** Returns when the counter reaches the end of its range at the rate since its last window began. */
    private static String end(CounterRow row, long largest) {
        if (row.since() == null || row.used() <= 0) {
            return "its row does not show how fast it rises";
        }
        long millis = Math.max(
                SHORTEST_MILLIS, Duration.between(row.since(), row.now()).toMillis());
        double left = (double) (largest - row.next()) / row.instances() / row.used() * millis;
        if (left > FAR_AWAY.toMillis()) {
            return "at the present rate it does not end within 100 years";
        }
        return "at the rate since " + row.since() + " it ends at "
                + NamespaceUse.time(row.now().plusMillis((long) left));
    }
}
