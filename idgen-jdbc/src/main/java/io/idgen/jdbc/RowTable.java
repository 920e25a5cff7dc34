package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
 * A table of idgen's on one database, with one row per name and a number in each that allocations raise. Rows are made when
 * they are first needed, and their table's absence is told with the statement that makes it.
 */
final class RowTable {
    // An application that makes names up, one per customer or day, would fill the table for ever.
    private static final int MOST_NEW_NAMES = 10_000;

    private final OwnTable table;
    private final Counter counter;
    private final AtomicInteger rowsMade;
    private final HighWaterMarks marks = new HighWaterMarks();

    /**
     * A table.
     *
     * @param counter the number that is raised, and the columns that name a row, the name itself first
     */
    RowTable(OwnTable table, Counter counter) {
        this(table, counter, new AtomicInteger());
    }

    private RowTable(OwnTable table, Counter counter, AtomicInteger rowsMade) {
        this.table = table;
        this.counter = counter;
        this.rowsMade = rowsMade;
    }

    /** The table of a name that idgen's scripts have. */
    static RowTable of(
            Transactions transactions, String table, String column, List<String> keys, @Nullable String limit) {
        return new RowTable(
                new OwnTable(transactions, SqlName.parse(table, 1, 1), table), new Counter(table, column, keys, limit));
    }

    /** The same table as the options have it. */
    RowTable with(TableAllocator.Options options) {
        return new RowTable(
                table.with(options.table(), options.timeout()),
                new Counter(options.table().toString(), counter.column(), counter.keys(), counter.limitColumn()),
                rowsMade);
    }

    /**
     * Raises a row that is at most at {@code atMost}. Returns the new number, or nothing if there is no such row or if it lies
     * below what this process has raised it to; {@link #read} then reports the cause.
     */
    OptionalLong add(String name, List<?> key, long amount, long atMost) {
        long atLeast = marks.of(name).get();
        OptionalLong next = table.each(
                purpose(name),
                (connection, dialect) -> dialect.addAndGet(connection, counter, amount, key, atLeast, atMost));
        next.ifPresent(number -> marks.raise(name, number));
        return next;
    }

    /**
     * The numbers in these columns of a name's row, if it has one; the first is the one that is raised.
     *
     * @throws AllocationException {@link ErrorCode#SEGMENT_WENT_BACK} if the row is gone or lies below what this process has
     *     raised it to; {@link ErrorCode#INVALID_ROW} if it lies below 1
     */
    Optional<List<Long>> read(String name, List<String> columns, String order) {
        AtomicLong mark = marks.of(name); // before the row is read, for other threads raise both
        long atLeast = mark.get();
        Optional<List<Long>> row = query(name, columns, order, false);
        if (isBelow(row, atLeast)) {
            // a proxy may have asked a replica that lags; a transaction that has written reads from the primary
            row = query(name, columns, order, true);
            if (isBelow(row, atLeast) && marks.of(name) == mark) {
                throw wentBack(name, row.map(numbers -> numbers.get(0)), atLeast);
            }
        }
        if (row.isPresent() && row.get().get(0) < 1) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    counter.column() + " of '" + name + "' in " + table + " is "
                            + row.get().get(0)
                            + ", and ids begin at 1; set it above all ids in use, or to 1 if there are none");
        }
        return row;
    }

    private static boolean isBelow(Optional<List<Long>> row, long atLeast) {
        return atLeast != HighWaterMarks.NONE && (row.isEmpty() || row.get().get(0) < atLeast);
    }

    private AllocationException wentBack(String name, Optional<Long> found, long atLeast) {
        String fact = found.map(number -> counter.column() + " of '" + name + "' in " + table + " is " + number)
                .orElse("the row of '" + name + "' in " + table + " is gone");
        return new AllocationException(
                ErrorCode.SEGMENT_WENT_BACK,
                fact + ", and this process has raised it to " + atLeast
                        + "; it was restored, truncated or edited: stop all writers, give the row a " + counter.column()
                        + " above all ids in use and of at least " + atLeast + ", and start again");
    }

    private Optional<List<Long>> query(String name, List<String> columns, String order, boolean afterAWrite) {
        return table.in(purpose(name), (connection, dialect) -> {
            if (afterAWrite) {
                writeFirst(connection, name);
            }
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + String.join(", ", columns)
                    + " FROM " + table + " WHERE " + counter.keys().get(0) + " = ?" + order)) {
                statement.setString(1, name);
                try (ResultSet rows = statement.executeQuery()) {
                    if (!rows.next()) {
                        return Optional.empty();
                    }
                    List<Long> numbers = new ArrayList<>();
                    for (int i = 1; i <= columns.size(); i++) {
                        numbers.add(rows.getLong(i));
                    }
                    return Optional.of(numbers);
                }
            }
        });
    }

    /** What else stands in a new row, by column, when its ids begin at {@code first}. */
    interface NewRow {
        Map<String, Long> beginningAt(long first);
    }

    /** Makes the row of a name, or finds that another process just did. */
    void make(String name, TableAllocator.Options options, NewRow row) {
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
                    "this process has made " + MOST_NEW_NAMES + " rows in " + table + ", and none is made for '" + name
                            + "'; names are kinds of ids, of which there are few: are they made from data?");
        }
        table.in(purpose(name), (connection, dialect) -> {
            writeFirst(connection, name);
            insert(
                    connection,
                    dialect,
                    name,
                    row.beginningAt(options.start().read(connection, dialect, name, options.limit())));
            return true;
        });
    }

    /** Changes nothing: a transaction of SQLite that has only read may not go on to write when another has written. */
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
        String sql = "INSERT INTO " + table + " (" + counter.keys().get(0) + ", " + String.join(", ", columns)
                + ") VALUES (?" + String.join("", Collections.nCopies(columns.size(), ", ?")) + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            for (int i = 0; i < columns.size(); i++) {
                statement.setLong(i + 2, Objects.requireNonNull(numbers.get(columns.get(i))));
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            if (!dialect.isDuplicateKey(e)) {
                throw e;
            }
            connection.rollback(); // PostgreSQL does not commit a transaction in which a statement failed
        }
    }

    /**
     * Sets rows back from an end to the first of the ids that nobody has, where they still stand at that end. In one
     * transaction: a deadlock may then be repeated, for none of it is done.
     */
    void handBack(String name, List<long[]> endsAndFirsts) {
        marks.drop(name);
        table.in(purpose(name), (connection, dialect) -> {
            try (PreparedStatement statement = connection.prepareStatement("UPDATE " + table + " SET "
                    + counter.column() + " = ? WHERE " + counter.keys().get(0) + " = ? AND " + counter.column()
                    + " = ?")) {
                for (long[] endAndFirst : endsAndFirsts) {
                    statement.setLong(1, endAndFirst[1]);
                    statement.setString(2, name);
                    statement.setLong(3, endAndFirst[0]);
                    if (statement.executeUpdate() == 0) {
                        break;
                    }
                }
            }
            return true;
        });
    }

    private String purpose(String name) {
        return "allocating ids of '" + name + "' from " + table;
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
