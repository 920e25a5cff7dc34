package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.dialect.Addition;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Counter.Guard;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.SchemaScript;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A table of idgen on one database, with one row per name. Allocations raise the number in a row. A row is created when
 * it is first needed. If the table is missing, the exception contains the statement that creates it.
 *
 * <p>Allocations, reads and hand-backs share the high-water marks, so they are in one class.
 */
final class RowTable {

    // Protects the table from an application that invents names without limit, such as one per customer or day.
    private static final int MOST_NEW_NAMES = 10_000;

    // Between two statements, other processes may raise or create the row, or use it up. If that happens more often
    // than this, it is an error.
    private static final int ATTEMPTS = 10;

    private final OwnTable table;
    private final CounterTable kind;
    private final Counter counter;
    private final List<String> columns;
    private final GuardedCounter guarded;
    private final TableAllocator.Options options;
    private final AtomicInteger rowsMade;
    private final RowLift lift;
    private final HighWaterMarks marks = new HighWaterMarks();

    private RowTable(
            OwnTable table,
            CounterTable kind,
            List<String> keys,
            int stride,
            TableAllocator.Options options,
            AtomicInteger rowsMade) {
        this.table = table;
        this.kind = kind;
        this.counter = new Counter(options.table.toString(), kind.number(), keys, stride, null);
        this.columns =
                Stream.concat(Stream.of(kind.number()), keys.stream().skip(1)).toList();
        this.guarded = new GuardedCounter(counter, options.identity);
        this.options = options;
        this.rowsMade = rowsMade;
        this.lift = new RowLift(table, counter, guarded, options);
    }

    /**
     * Creates an instance for a table with the name from idgen's scripts. Opens no connection.
     *
     * @param keys the columns whose values a statement compares, beginning with the column of the name
     * @param stride how much the number rises for one id
     */
    static RowTable of(DataSource dataSource, CounterTable kind, List<String> keys, int stride) {
        TableAllocator.Options options = new TableAllocator.Options(kind.named(SchemaScript.PREFIX));
        Transactions transactions = new Transactions(Objects.requireNonNull(dataSource), options.timeout);
        return new RowTable(
                kind.in(transactions, SchemaScript.PREFIX), kind, keys, stride, options, new AtomicInteger());
    }

    /** Returns a copy with these options. */
    RowTable with(TableAllocator.Options newOptions) {
        return new RowTable(
                table.named(newOptions.table).withTimeout(newOptions.timeout),
                kind,
                counter.keys(),
                (int) counter.stride(),
                newOptions,
                rowsMade);
    }

    TableAllocator.Options options() {
        return options;
    }

    /**
     * Allocates ids of a name.
     *
     * @param take takes at most a number of ids of the row as it was last read; empty if the row has changed
     * @param left checks a row that was read, and returns how many ids it has left, at least 1
     * @param make creates the row, unless another process has just created it
     */
    Segment allocate(String name, LongFunction<Optional<Segment>> take, ToLongFunction<Row> left, Runnable make) {
        long most = options.limit - 1;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Segment> segment = take.apply(most);
            if (segment.isPresent()) {
                return segment.get();
            }
            Optional<Row> row = read(name);
            if (row.isPresent()) {
                most = Math.min(left.applyAsLong(row.get()), row.get().left());
            } else {
                make.run();
            }
        }
        throw new StoreUnavailableException("the row of '" + name + "' in " + table
                + " was changed by other processes during each of " + ATTEMPTS + " attempts to allocate from it");
    }

    /**
     * Takes ids of a row that has at least as many left. Returns empty if it has fewer, if it is missing, if it lies
     * below the high-water mark of this process, or if another server granted its last ids. {@link #read} then reports
     * the cause or removes it.
     *
     * @param key the values of the keys
     */
    Optional<Segment> take(String name, List<?> key, long count) {
        int stride = (int) counter.stride();
        long amount = count * stride;
        long atLeast = marks.of(name).get();
        long atMost = largestId() - (amount - stride);
        OptionalLong next = table.each(
                purpose(name, table),
                (connection, dialect) -> dialect.addAndGet(
                        connection, new Addition(guarded.in(connection, dialect), amount, key, atLeast, atMost)),
                OptionalLong::isEmpty);
        if (next.isEmpty()) {
            return Optional.empty();
        }
        marks.raise(name, next.getAsLong());
        return Optional.of(new Segment(next.getAsLong() - amount, (int) count, stride));
    }

    /** Returns the largest id: it is below the limit, and its successor still fits a {@code long}. */
    long largestId() {
        return Math.min(options.limit - 1, Long.MAX_VALUE - counter.stride());
    }

    /** Returns how many ids a row has left below the limit, at least 1, if the number rises by 1 for each. */
    long left(String name, Row row) {
        if (row.next() >= options.limit) {
            throw TableAllocator.limitReached(
                    name, options.limit, table + "." + counter.column() + " is " + row.next());
        }
        return options.limit - row.next();
    }

    /**
     * A row.
     *
     * @param next the number that allocations raise
     * @param numbers the values of the columns that it was read with
     * @param reach how many ids it grants at most in one window; 0 if no statement has set it yet
     * @param isOurs whether this server granted its last ids
     * @param left how many ids it may still grant in this window
     * @param windowEndMillis when that window ends
     */
    record Row(long next, Map<String, Long> numbers, long reach, boolean isOurs, long left, long windowEndMillis) {
        long number(String column) {
            return Objects.requireNonNull(numbers.get(column));
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
    Optional<Row> read(String name) {
        AtomicLong mark = marks.of(name); // before the row is read, because other threads raise both
        long atLeast = mark.get();
        Optional<Row> row = takenOver(name, query(name, false));
        if (row.isEmpty() || isBelow(row, atLeast)) {
            // a proxy may have asked a replica that lags; after a write, it sends reads to the primary
            row = takenOver(name, query(name, true));
            if (isBelow(row, atLeast) && marks.of(name) == mark) {
                lift.aboveMark(name, row, atLeast);
                row = query(name, true);
            }
        }
        row.ifPresent(found -> check(name, found));
        return row;
    }

    private Optional<Row> takenOver(String name, Optional<Row> found) {
        Optional<Row> row = found;
        for (int attempt = 0; isAnothers(row) && attempt < ATTEMPTS; attempt++) {
            lift.takeOver(name, row.orElseThrow());
            row = query(name, true);
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

    private Optional<Row> query(String name, boolean afterAWrite) {
        return table.in(purpose(name, table), (connection, dialect) -> {
            Guard guard = guarded.in(connection, dialect).guard();
            if (afterAWrite) {
                writeFirst(connection, name);
            }
            SqlText query = new SqlText("SELECT " + String.join(", ", columns));
            if (guard != null) {
                query.add(", reach, CASE WHEN server_id = ")
                        .add(server(guard))
                        .add(" THEN 1 ELSE 0 END, win, " + guard.used());
            }
            return query.add(" FROM " + table).where(hasName(name)).first(connection, row -> row(row, guard != null));
        });
    }

    /** Returns the condition for the rows of a name. */
    private SqlText hasName(String name) {
        return new SqlText(counter.keys().get(0) + " = ?", name);
    }

    /** Returns the expression for the identity of this server. */
    static SqlText server(Guard guard) {
        return new SqlText(guard.server(), guard.serverValues().toArray());
    }

    private static Map<String, Long> numbers(ResultSet row, List<String> columns) throws SQLException {
        Map<String, Long> numbers = new HashMap<>();
        for (String column : columns) {
            numbers.put(column, row.getLong(numbers.size() + 1));
        }
        return numbers;
    }

    private Row row(ResultSet row, boolean hasGuard) throws SQLException {
        Map<String, Long> numbers = numbers(row, columns);
        long next = row.getLong(1);
        if (!hasGuard) {
            return new Row(next, numbers, 0, true, Long.MAX_VALUE, 0);
        }
        int last = columns.size();
        long reach = row.getLong(last + 1);
        // without a reach, no statement of idgen has used the row, whatever its server is
        boolean isOurs = !row.wasNull() && row.getInt(last + 2) == 1;
        return new Row(next, numbers, reach, isOurs, reach - row.getLong(last + 4), row.getLong(last + 3));
    }

    /** Returns the numbers of the first row of a name that meets a condition. Raises nothing. */
    Optional<Map<String, Long>> find(String name, List<String> ofColumns, String condition) {
        return table.in(
                purpose(name, table),
                (connection, dialect) -> new SqlText("SELECT " + String.join(", ", ofColumns) + " FROM " + table)
                        .where(hasName(name))
                        .where(condition)
                        .first(connection, row -> numbers(row, ofColumns)));
    }

    /** Returns the first id of a new row according to this database. */
    long start(String purpose, String name) {
        return table.in(purpose, (connection, dialect) -> options.start.read(connection, dialect, name, options.limit));
    }

    /** The other columns of a new row, with their values, if its ids begin at {@code first}. */
    interface NewRow {
        Map<String, Long> beginningAt(long first);
    }

    /** Creates the row of a name, unless another process has just created it. */
    void make(String name, NewRow row) {
        if (!options.start.isKnown()) {
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
            long first = options.start.read(connection, dialect, name, options.limit);
            insert(connection, dialect, name, row.beginningAt(first));
            return true;
        });
    }

    /** Writes without a change: a SQLite transaction that begins with a read may be refused its first write. */
    private void writeFirst(Connection connection, String name) throws SQLException {
        new SqlText("UPDATE " + table)
                .set(counter.column() + " = " + counter.column())
                .where(hasName(name))
                .update(connection);
    }

    private void insert(Connection connection, Dialect dialect, String name, Map<String, Long> numbers)
            throws SQLException {
        Guard guard = guarded.in(connection, dialect).guard();
        SqlText insert = new SqlText(
                "INSERT INTO " + table + " (" + counter.keys().get(0) + ", " + String.join(", ", numbers.keySet())
                        + (guard == null ? "" : ", reach, server_id") + ") VALUES (?",
                name);
        numbers.values().forEach(number -> insert.add(", ?", number));
        if (guard != null) {
            insert.add(", " + options.reachOr(numbers.getOrDefault("step", 1L)) + ", ")
                    .add(server(guard));
        }
        try {
            insert.add(")").update(connection);
        } catch (SQLException e) {
            if (dialect.failure(e) != Failure.DUPLICATE_KEY) {
                throw e;
            }
            connection.rollback(); // PostgreSQL does not commit a transaction with a failed statement
        }
    }

    /**
     * Sets a row back from the end of each segment to its first id, if the row still has that end and this server
     * granted it. All updates are in one transaction: if a deadlock rolls them back, they can be retried.
     *
     * <p>The updates also compare how many ids the row has granted in its window, which rises with each grant. So an
     * update that a proxy sends again later matches nothing, even if another process was granted the same ids
     * meanwhile. A row without these columns keeps what it has granted.
     */
    void handBack(String name, List<Segment> newestFirst) {
        marks.drop(name);
        table.in(purpose(name, table), (connection, dialect) -> {
            Guard guard = guarded.in(connection, dialect).guard();
            if (guard == null) {
                return false;
            }
            writeFirst(connection, name);
            Granted granted = new SqlText("SELECT win, used FROM " + table)
                    .where(hasName(name))
                    .first(connection, found -> new Granted(found.getLong(1), found.getLong(2)))
                    .orElse(new Granted(0, 0));
            for (Segment segment : newestFirst) {
                int changed = new SqlText("UPDATE " + table)
                        .set(counter.column() + " = ?", segment.first())
                        .where(hasName(name))
                        .where(counter.column() + " = ?", segment.last() + 1)
                        .where("win = ? AND used = ?", granted.windowEndMillis, granted.ids)
                        .where(new SqlText("server_id = ").add(server(guard)))
                        .update(connection);
                if (changed == 0) {
                    break;
                }
            }
            return true;
        });
    }

    /** How many ids a row has granted in the window that ends then. */
    private record Granted(long windowEndMillis, long ids) {}

    static String purpose(String name, OwnTable table) {
        return "allocating ids of '" + name + "' from " + table;
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
