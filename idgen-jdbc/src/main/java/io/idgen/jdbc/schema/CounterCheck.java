package io.idgen.jdbc.schema;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.NamespaceUse;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import java.math.BigDecimal;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table of counters for the doctor.
 *
 * @param rows the table
 * @param subject the name of its counters in findings
 * @param limitColumn the column with the number below which ids stay, or null if the table has none
 */
record CounterCheck(
        CounterRows rows, String subject, @Nullable String limitColumn) {
    private static final double PERCENT = 100;

    /** Over a shorter time, a rate is not meaningful, because a counter grants many ids at once. */
    private static final long SHORTEST_MILLIS = 60_000;

    /** Later dates are not reported. */
    private static final Duration FAR_AWAY = Duration.ofDays(100 * 365);

    static CounterCheck segments(String prefix) {
        return new CounterCheck(CounterRows.segments(prefix), "segment", null);
    }

    static CounterCheck sequences(String prefix) {
        return new CounterCheck(CounterRows.sequences(prefix), "sequence", null);
    }

    static CounterCheck stepped(String prefix) {
        return new CounterCheck(CounterRows.stepped(prefix), "stepped", "id_limit");
    }

    /** The columns with ids of the sources, and the limits of their ids, as the user gave them. */
    record Known(Map<String, SqlName> columns, Map<String, Long> limits) {
        Known {
            columns = Map.copyOf(columns);
            limits = Map.copyOf(limits);
        }
    }

    /**
     * A range of numbers.
     *
     * @param largest the largest number in it
     * @param what the words for a message, for example {@code an int column holds}
     */
    private record Range(long largest, String what) {
        static Range narrower(Range one, Range other) {
            return one.largest <= other.largest ? one : other;
        }

        /** Returns the narrowest type that can hold a number. */
        static Range guessed(long number) {
            return number <= Integer.MAX_VALUE
                    ? new Range(Integer.MAX_VALUE, "an int column holds")
                    : number <= 1L << 53
                            ? new Range(1L << 53, "JavaScript's numbers hold")
                            : new Range(Long.MAX_VALUE, "a bigint column holds");
        }

        double share(long number) {
            return (double) number / largest;
        }
    }

    /** A column with ids of a source, as it was before the counters were read. */
    private record Ids(SqlName column, long largest, Range range) {
        static Ids of(Connection connection, Dialect dialect, SqlName column) throws SQLException {
            long largest = LargestValue.of(connection, dialect, column);
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
                case Types.DECIMAL, Types.NUMERIC -> {
                    int digits = column.getPrecision(1) - Math.max(0, column.getScale(1));
                    yield digits < 1
                            ? Long.MAX_VALUE
                            : BigDecimal.TEN
                                    .pow(digits)
                                    .subtract(BigDecimal.ONE)
                                    .min(BigDecimal.valueOf(Long.MAX_VALUE))
                                    .longValue();
                }
                default -> Long.MAX_VALUE;
            };
        }
    }

    /**
     * A row.
     *
     * @param limit the number below which its ids stay, or null
     * @param used how much the number rose since {@code since}
     * @param since the beginning of the last ten minutes in which the row granted ids; null if the row does not record
     *     it
     */
    private record Row(
            String name,
            long next,
            @Nullable Long limit,
            long used,
            @Nullable Instant since,
            Instant now) {}

    /** A finding, and the share of its range by which findings are ordered. */
    private record Ranked(double share, Finding finding) {}

    /** Returns a finding for each counter, the fullest first. Those that need no action are listed up to a limit. */
    List<Finding> findings(Connection connection, Dialect dialect, Known known) throws SQLException {
        // reads the ids before the counters: even while processes run, counters that are read later are above these ids
        Map<String, Ids> ids = new LinkedHashMap<>();
        for (Map.Entry<String, SqlName> each : known.columns.entrySet()) {
            ids.put(each.getKey(), Ids.of(connection, dialect, each.getValue()));
        }
        List<Ranked> all = new ArrayList<>();
        for (Row row : read(connection, dialect)) {
            all.add(ranked(row, ids.get(row.name), known.limits.get(row.name)));
        }
        all.sort(Comparator.comparing((Ranked each) -> each.finding.level())
                .thenComparing(Ranked::share)
                .reversed());
        List<Finding> findings = new ArrayList<>();
        for (Ranked each : all) {
            if (findings.size() == IdgenDoctor.MOST_ROWS && each.finding.level() == Level.OK) {
                findings.add(new Finding(
                        Level.OK, subject, "and " + (all.size() - findings.size()) + " more that need no action"));
                break;
            }
            findings.add(each.finding);
        }
        return findings;
    }

    /** Whether a source has a row. */
    boolean has(Connection connection, String source) throws SQLException {
        return rows.has(connection, source);
    }

    private List<Row> read(Connection connection, Dialect dialect) throws SQLException {
        boolean counts = rows.hasReach(connection) && dialect.nowMillis().isPresent();
        String stride = rows.stride() == null ? "1" : rows.stride();
        String sql = "SELECT " + rows.name() + ", " + rows.number() + ", " + (limitColumn == null ? "0" : limitColumn)
                + ", "
                + (counts ? "used * " + stride + ", win, " + dialect.nowMillis().orElseThrow() : "0, 0, 0")
                + " FROM " + rows.table();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<Row> all = new ArrayList<>();
            while (found.next()) {
                long windowEnd = found.getLong(5);
                all.add(new Row(
                        found.getString(1),
                        found.getLong(2),
                        limitColumn == null || found.getLong(3) == Long.MAX_VALUE ? null : found.getLong(3),
                        found.getLong(4),
                        windowEnd == 0 ? null : Instant.ofEpochMilli(windowEnd - Counter.Guard.WINDOW_MILLIS),
                        Instant.ofEpochMilli(found.getLong(6))));
            }
            return all;
        }
    }

    private Ranked ranked(Row row, @Nullable Ids ids, @Nullable Long limit) {
        Range range = ids == null ? new Range(Long.MAX_VALUE, "a bigint column holds") : ids.range;
        if (row.limit != null) {
            range = Range.narrower(new Range(row.limit - 1, "the row's limit allows"), range);
        }
        if (limit != null) {
            range = Range.narrower(new Range(limit - 1, "its limit allows"), range);
        }
        boolean guessed = range.largest == Long.MAX_VALUE && ids == null;
        if (guessed) {
            range = Range.guessed(row.next);
        }
        return new Ranked(range.share(row.next), finding(row, ids, range, guessed));
    }

    private Finding finding(Row row, @Nullable Ids ids, Range range, boolean guessed) {
        String text = row.name + ": next id " + row.next;
        if (row.next < 1) {
            return new Finding(Level.WRONG, subject, text + ", but ids start at 1: set it above the ids in use");
        }
        if (ids != null && ids.largest >= row.next) {
            return new Finding(
                    Level.WRONG,
                    subject,
                    text + ", but " + ids.column + " holds " + ids.largest
                            + ": stop all processes, then raise the counter with idgen repair --column " + row.name
                            + "=" + ids.column);
        }
        if (row.next > range.largest) {
            return new Finding(
                    Level.WRONG,
                    subject,
                    text + ", but " + range.what + " " + range.largest
                            + " at most: widen the column or the limit, or move to another name");
        }
        text += String.format(Locale.ROOT, ", %.2f %% of what %s", PERCENT * range.share(row.next), range.what);
        if (range.share(row.next) < NamespaceUse.NEARLY_USED_UP) {
            return new Finding(Level.OK, subject, text);
        }
        return new Finding(
                Level.WARN,
                subject,
                text + "; " + end(row, range.largest) + "; widen the column, or move to another name before"
                        + (guessed
                                ? "; if its column is wider, name it with --column " + row.name + "=table.column"
                                : ""));
    }

    /** Returns when the counter reaches the end of its range at the rate since its last window began. */
    private static String end(Row row, long largest) {
        if (row.since == null || row.used <= 0) {
            return "its row does not show how fast it rises";
        }
        long millis =
                Math.max(SHORTEST_MILLIS, Duration.between(row.since, row.now).toMillis());
        double left = (double) (largest - row.next) / row.used * millis;
        if (left > FAR_AWAY.toMillis()) {
            return "at the present rate it does not end within 100 years";
        }
        return "at the rate since " + row.since + " it ends at " + NamespaceUse.time(row.now.plusMillis((long) left));
    }
}
