package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Counter.Guard;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A table of idgen on one database, with one row per name. Allocations raise the number in a row. A row is created when
 * it is first needed. If the table is missing, the exception contains the statement that creates it.
 */
final class RowTable {

    // Protects the table from an application that invents names without limit, such as one per customer or day.
    private static final int MOST_NEW_NAMES = 10_000;

    private final OwnTable table;
    private final Counter counter;
    private final GuardedCounter guarded;
    private final TableAllocator.Options options;
    private final AtomicInteger rowsMade;
    private final RowLift lift;
    private final HighWaterMarks marks = new HighWaterMarks();

    private RowTable(OwnTable table, Counter counter, TableAllocator.Options options, AtomicInteger rowsMade) {
        this.table = table;
        this.counter = counter;
        this.guarded = new GuardedCounter(counter, options.identity());
        this.options = options;
        this.rowsMade = rowsMade;
        this.lift = new RowLift(table, counter, guarded, options);
    }

    /**
     * Creates an instance for a table with the name from idgen's scripts.
     *
     * @param keys the key columns, beginning with the column of the name
     * @param stride how much the number rises for one id
     */
    static RowTable of(
            Transactions transactions,
            String table,
            String column,
            List<String> keys,
            @Nullable String limit,
            long stride) {
        return new RowTable(
                new OwnTable(transactions, SqlName.parse(table, 1, 1), table),
                new Counter(table, column, keys, limit, stride, null),
                TableAllocator.Options.of(table),
                new AtomicInteger());
    }

    /** Returns a copy with these options. */
    RowTable with(TableAllocator.Options newOptions) {
        return new RowTable(
                table.with(newOptions.table(), newOptions.timeout()),
                new Counter(
                        newOptions.table().toString(),
                        counter.column(),
                        counter.keys(),
                        counter.limitColumn(),
                        counter.stride(),
                        null),
                newOptions,
                rowsMade);
    }

    /**
     * Raises a row whose number is at most {@code atMost}, and returns the new number. Returns empty if the row is
     * missing, if it lies below the high-water mark of this process, or if another server granted its last ids. {@link
     * #read} then reports the cause or removes it.
     */
    OptionalLong add(String name, List<?> key, long amount, long atMost) {
        long atLeast = marks.of(name).get();
        OptionalLong next = table.each(
                purpose(name, table),
                (connection, dialect) ->
                        dialect.addAndGet(connection, guarded.in(connection, dialect), amount, key, atLeast, atMost),
                OptionalLong::isEmpty);
        next.ifPresent(number -> marks.raise(name, number));
        return next;
    }

    /**
     * A row.
     *
     * @param numbers the values of the requested columns, beginning with the one that allocations raise
     * @param reach how many ids it grants at most in one window; 0 if no statement has set it yet
     * @param isOurs whether this server granted its last ids
     * @param left how many ids it may still grant in this window
     * @param windowEndMillis when that window ends
     */
    record Row(List<Long> numbers, long reach, boolean isOurs, long left, long windowEndMillis) {
        long number(int column) {
            return numbers.get(column);
        }

        long next() {
            return numbers.get(0);
        }
    }

    /**
     * Returns the row of a name, if there is one. If another server granted its last ids, first raises it above all ids
     * that this server may lack. If it lies below the high-water mark of this process, first raises it above that.
     *
     * @throws AllocationException {@link ErrorCode#SEGMENT_WENT_BACK} if the row is gone, or lies below the high-water
     *     mark and cannot be raised; {@link ErrorCode#INVALID_ROW} if it lies below 1; {@link ErrorCode#REACH_USED_UP}
     *     if it may grant nothing in this window; {@link ErrorCode#LIMIT_REACHED} if it cannot be raised after a
     *     takeover
     */
    Optional<Row> read(String name, List<String> columns, String order) {
        AtomicLong mark = marks.of(name); // before the row is read, because other threads raise both
        long atLeast = mark.get();
        Optional<Row> row = takenOver(name, columns, order, query(name, columns, order, false));
        if (row.isEmpty() || isBelow(row, atLeast)) {
            // a proxy may have asked a replica that lags; after a write, it sends reads to the primary
            row = takenOver(name, columns, order, query(name, columns, order, true));
            if (isBelow(row, atLeast) && marks.of(name) == mark) {
                lift.aboveMark(name, columns, row, atLeast);
                row = query(name, columns, order, true);
            }
        }
        row.ifPresent(found -> check(name, found));
        return row;
    }

    private Optional<Row> takenOver(String name, List<String> columns, String order, Optional<Row> found) {
        Optional<Row> row = found;
        for (int attempt = 0; isAnothers(row) && attempt < TableAllocator.ATTEMPTS; attempt++) {
            lift.takeOver(name, columns, row.orElseThrow());
            row = query(name, columns, order, true);
        }
        return row;
    }

    private void check(String name, Row row) {
        if (row.next() < 1) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    counter.column() + " of '" + name + "' in " + table + " is " + row.next()
                            + ", and ids begin at 1; set it above all ids in use, or to 1 if there are none");
        }
        if (row.left() < 1) {
            throw new AllocationException(
                    ErrorCode.REACH_USED_UP,
                    "'" + name + "' in " + table + " has granted " + row.reach()
                            + " ids in ten minutes, which is its reach; it grants more at "
                            + Instant.ofEpochMilli(row.windowEndMillis())
                            + "; raise the column reach as docs/databases.md describes, or take fewer ids");
        }
    }

    /** Returns whether another server granted the last ids. A number below 1 is an error, whichever server wrote it. */
    private static boolean isAnothers(Optional<Row> row) {
        return row.isPresent() && !row.get().isOurs() && row.get().next() >= 1;
    }

    private static boolean isBelow(Optional<Row> row, long atLeast) {
        return atLeast != HighWaterMarks.NONE && (row.isEmpty() || row.get().next() < atLeast);
    }

    private Optional<Row> query(String name, List<String> columns, String order, boolean afterAWrite) {
        return table.in(purpose(name, table), (connection, dialect) -> {
            Guard guard = guarded.in(connection, dialect).guard();
            if (afterAWrite) {
                writeFirst(connection, name);
            }
            String sql = "SELECT " + String.join(", ", columns)
                    + (guard == null
                            ? ""
                            : ", reach, CASE WHEN server_id = " + guard.server() + " THEN 1 ELSE 0 END, win, "
                                    + guard.used())
                    + " FROM " + table + " WHERE " + counter.keys().get(0) + " = ?" + order;
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(guard == null ? 1 : guard.setServer(statement, 1), name);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? Optional.of(row(rows, columns.size(), guard != null)) : Optional.empty();
                }
            }
        });
    }

    private static List<Long> numbers(ResultSet rows, int columns) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
            numbers.add(rows.getLong(i));
        }
        return numbers;
    }

    private static Row row(ResultSet rows, int columns, boolean guarded) throws SQLException {
        List<Long> numbers = numbers(rows, columns);
        if (!guarded) {
            return new Row(numbers, 0, true, Long.MAX_VALUE, 0);
        }
        long reach = rows.getLong(columns + 1);
        // without a reach, no statement of idgen has used the row, whatever its server is
        boolean isOurs = !rows.wasNull() && rows.getInt(columns + 2) == 1;
        return new Row(numbers, reach, isOurs, reach - rows.getLong(columns + 4), rows.getLong(columns + 3));
    }

    /** Returns the first row of a name that meets a condition. Raises nothing. */
    Optional<List<Long>> find(String name, List<String> columns, String condition) {
        return table.in(purpose(name, table), (connection, dialect) -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + String.join(", ", columns)
                    + " FROM " + table + " WHERE " + counter.keys().get(0) + " = ? AND " + condition)) {
                statement.setString(1, name);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? Optional.of(numbers(rows, columns.size())) : Optional.empty();
                }
            }
        });
    }

    /** The other columns of a new row, with their values, if its ids begin at {@code first}. */
    interface NewRow {
        Map<String, Long> beginningAt(long first);
    }

    /** Creates the row of a name, unless another process has just created it. */
    void make(String name, NewRow row) {
        if (!options.start().isKnown()) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "no row for '" + name + "' in " + table + " and no start given; set the first id by idgen.sources."
                            + name
                            + ".start or the method startingAt, or begin above the ids that exist by .adopt=table.column or the"
                            + " method adopting");
        }
        try {
            SegmentAllocator.checkName(name);
        } catch (IllegalArgumentException e) {
            throw new AllocationException(ErrorCode.INVALID_NAME, String.valueOf(e.getMessage()), e);
        }
        if (rowsMade.incrementAndGet() > MOST_NEW_NAMES) {
            throw new AllocationException(
                    ErrorCode.INVALID_NAME,
                    "cannot create a row for '" + name + "' in " + table + ": this process has created "
                            + MOST_NEW_NAMES
                            + ", which is the limit; use one name for each kind of ids, and do not derive names from data");
        }
        table.in(purpose(name, table), (connection, dialect) -> {
            writeFirst(connection, name);
            long first = options.start().read(connection, dialect, name, options.limit());
            insert(connection, dialect, name, row.beginningAt(first));
            return true;
        });
    }

    /** Writes without a change: a SQLite transaction that begins with a read may be refused its first write. */
    private void writeFirst(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("UPDATE " + table + " SET " + counter.column()
                + " = " + counter.column() + " WHERE " + counter.keys().get(0) + " = ?")) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
    }

    private void insert(Connection connection, Dialect dialect, String name, Map<String, Long> numbers)
            throws SQLException {
        List<String> columns = new ArrayList<>(numbers.keySet());
        Guard guard = guarded.in(connection, dialect).guard();
        long reach = options.reachOr(numbers.getOrDefault("step", 1L));
        String sql = "INSERT INTO " + table + " (" + counter.keys().get(0) + ", " + String.join(", ", columns)
                + (guard == null ? "" : ", reach, server_id") + ") VALUES (?"
                + String.join("", Collections.nCopies(columns.size(), ", ?"))
                + (guard == null ? "" : ", " + reach + ", " + guard.server()) + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            statement.setString(next++, name);
            for (String column : columns) {
                statement.setLong(next++, Objects.requireNonNull(numbers.get(column)));
            }
            if (guard != null) {
                guard.setServer(statement, next);
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            if (dialect.failure(e) != Failure.DUPLICATE_KEY) {
                throw e;
            }
            connection.rollback(); // PostgreSQL does not commit a transaction with a failed statement
        }
    }

    /**
     * Sets rows back from an end to the first unused id, if they still have that end and this server granted it. All
     * updates are in one transaction: if a deadlock rolls them back, they can be retried.
     *
     * <p>The updates also compare how many ids the row has granted in its window, which rises with each grant. So an
     * update that a proxy sends again later matches nothing, even if another process was granted the same ids
     * meanwhile. A row without these columns keeps what it has granted.
     */
    void handBack(String name, List<long[]> endsAndFirsts) {
        marks.drop(name);
        table.in(purpose(name, table), (connection, dialect) -> {
            Guard guard = guarded.in(connection, dialect).guard();
            if (guard == null) {
                return false;
            }
            writeFirst(connection, name);
            Granted granted = granted(connection, name);
            try (PreparedStatement statement = connection.prepareStatement("UPDATE " + table + " SET "
                    + counter.column() + " = ? WHERE " + counter.keys().get(0) + " = ? AND " + counter.column()
                    + " = ? AND win = ? AND used = ? AND server_id = " + guard.server())) {
                for (long[] endAndFirst : endsAndFirsts) {
                    statement.setLong(1, endAndFirst[1]);
                    statement.setString(2, name);
                    statement.setLong(3, endAndFirst[0]);
                    statement.setLong(4, granted.windowEndMillis);
                    statement.setLong(5, granted.ids);
                    guard.setServer(statement, 6);
                    if (statement.executeUpdate() == 0) {
                        break;
                    }
                }
            }
            return true;
        });
    }

    /** How many ids a row has granted in the window that ends then. */
    private record Granted(long windowEndMillis, long ids) {}

    private Granted granted(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT win, used FROM " + table + " WHERE " + counter.keys().get(0) + " = ?")) {
            statement.setString(1, name);
            try (ResultSet found = statement.executeQuery()) {
                return found.next() ? new Granted(found.getLong(1), found.getLong(2)) : new Granted(0, 0);
            }
        }
    }

    static String purpose(String name, OwnTable table) {
        return "allocating ids of '" + name + "' from " + table;
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
