package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.Segment;
import io.idgen.core.SegmentAllocator;
import io.idgen.jdbc.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Segments of a table with one row per name: {@code max_id} is the next id, and an allocation of {@code n} raises it by
 * {@code n} in one atomic statement and owns what it passed. Any number of processes may use one row.
 *
 * <p>Each allocation is a transaction of its own on a connection of its own from the data source, committed before it
 * returns. Do not give it the pool whose threads wait for ids: a thread that holds the last connection would wait for ever.
 *
 * <p>A row is made on first use if its start is known ({@link #startingAt}, {@link #adopting}), and otherwise refused: a row
 * that silently begins at 1 beside existing ids is a duplicate waiting. Immutable and safe for many threads.
 *
 * @see <a href="https://tech.meituan.com/2017/04/21/mt-leaf.html">Leaf, whose table this is</a>
 */
public final class SegmentTable implements SegmentAllocator {

    /** The table's name where none is given: {@value}. */
    public static final String DEFAULT_TABLE = "idgen_segment";

    // The row may be raised, made, or brought to its limit by others between our statements; more often than this is no
    // accident.
    private static final int ATTEMPTS = 10;

    private final Transactions transactions;
    private final SqlName table;
    private final long limit;
    private final @Nullable Long start;
    private final List<SqlName> adopted;

    /**
     * Segments of the table {@value #DEFAULT_TABLE}, for names that have a row. Opens no connection.
     *
     * @param dataSource gives connections that idgen alone uses
     */
    public SegmentTable(DataSource dataSource) {
        this(
                new Transactions(Objects.requireNonNull(dataSource), Duration.ofSeconds(5)),
                SqlName.parse(DEFAULT_TABLE, 1, 1),
                Long.MAX_VALUE,
                null,
                List.of());
    }

    private SegmentTable(
            Transactions transactions, SqlName table, long limit, @Nullable Long start, List<SqlName> adopted) {
        this.transactions = transactions;
        this.table = table;
        this.limit = limit;
        this.start = start;
        this.adopted = adopted;
    }

    /**
     * The same for a table of another name, with the columns {@code biz_tag}, {@code max_id} and {@code step}.
     *
     * @param name plain or quoted, with its schema if need be
     * @return an allocator
     * @throws IllegalArgumentException if it is no name of a table
     */
    public SegmentTable inTable(String name) {
        return new SegmentTable(transactions, SqlName.parse(name, 1, 3), limit, start, adopted);
    }

    /**
     * The same with another limit on how long the database may take to answer; 5 s if not said.
     *
     * @param timeout 1 ms to 24 days
     * @return an allocator
     */
    public SegmentTable withTimeout(Duration timeout) {
        if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a timeout is 1 ms to 24 days, got " + timeout);
        }
        return new SegmentTable(transactions.withTimeout(timeout), table, limit, start, adopted);
    }

    /**
     * The same with a limit, for columns narrower than a {@code long}.
     *
     * @param exclusiveLimit all ids are below it, for example 2147483648 for an {@code INT} column
     * @return an allocator
     */
    public SegmentTable below(long exclusiveLimit) {
        if (exclusiveLimit < 2) {
            throw new IllegalArgumentException("a limit is above 1, got " + exclusiveLimit);
        }
        return new SegmentTable(transactions, table, exclusiveLimit, start, adopted);
    }

    /**
     * The same for names that may have no row yet: it is made with this start.
     *
     * @param first the first id, above 0
     * @return an allocator
     */
    public SegmentTable startingAt(long first) {
        if (first < 1) {
            throw new IllegalArgumentException("a start is above 0, got " + first);
        }
        return new SegmentTable(transactions, table, limit, first, adopted);
    }

    /**
     * The same for names that may have no row yet: it is made to begin above the largest value of a column, read in the
     * transaction that makes the row. Can be said for several columns. Rows that others insert with ids of another kind must
     * have ended by then.
     *
     * @param column with its table, for example {@code orders.id}; not a user's input
     * @return an allocator
     * @throws IllegalArgumentException if it is no name of a column
     */
    public SegmentTable adopting(String column) {
        List<SqlName> columns = new ArrayList<>(adopted);
        columns.add(SqlName.parse(column, 2, 4));
        return new SegmentTable(transactions, table, limit, start, List.copyOf(columns));
    }

    @Override
    public Segment allocate(String name, int wanted) {
        if (wanted < 1) {
            throw new IllegalArgumentException("wanted must be at least 1, got " + wanted);
        }
        int count = (int) Math.min(wanted, limit - 1);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int asked = count;
            OptionalLong end = inTransaction(name, (connection, dialect) -> add(connection, dialect, name, asked));
            if (end.isPresent()) {
                return new Segment(end.getAsLong() - asked, asked, 1);
            }
            OptionalLong next = inTransaction(name, (connection, dialect) -> read(connection, name));
            if (next.isEmpty()) {
                makeRow(name, wanted);
            } else if (next.getAsLong() >= limit) {
                throw limitReached(name, table + ".max_id is " + next.getAsLong());
            } else {
                count = (int) Math.min(count, limit - next.getAsLong());
            }
        }
        throw new AllocationException(
                ErrorCode.DATABASE_FAILED,
                "the row of '" + name + "' in " + table + " changed under " + ATTEMPTS
                        + " attempts to allocate from it");
    }

    private AllocationException limitReached(String name, String fact) {
        return new AllocationException(
                ErrorCode.LIMIT_REACHED,
                "all ids of '" + name + "' below " + limit + " are given out (" + fact
                        + "); widen the column and raise idgen.sources." + name + ".limit");
    }

    private OptionalLong add(Connection connection, Dialect dialect, String name, int count) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.addAndGet(table))) {
            statement.setInt(1, count);
            statement.setString(2, name);
            statement.setLong(3, limit - count);
            OptionalLong end = firstNumber(statement);
            if (end.isPresent() && end.getAsLong() - count < 1) {
                throw new AllocationException(
                        ErrorCode.INVALID_ROW,
                        "max_id of '" + name + "' in " + table + " is " + (end.getAsLong() - count)
                                + ", and ids begin at 1; set it to 1 or above the ids in use");
            }
            return end;
        }
    }

    private OptionalLong read(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT max_id FROM " + table + " WHERE biz_tag = ?")) {
            statement.setString(1, name);
            return firstNumber(statement);
        }
    }

    /** Makes the row, or finds that another process just did. */
    private void makeRow(String name, int step) {
        if (start == null && adopted.isEmpty()) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "no row for '" + name + "' in " + table + " and no start given; set idgen.sources." + name
                            + ".start to the first id, or .adopt=table.column to begin above the ids that are there");
        }
        inTransaction(name, (connection, dialect) -> {
            long first = start == null ? 1 : start;
            for (SqlName column : adopted) {
                long largest = largest(connection, column);
                if (largest >= limit - 1) {
                    throw limitReached(name, column + " holds " + largest);
                }
                first = Math.max(first, largest + 1);
            }
            try (PreparedStatement statement =
                    connection.prepareStatement("INSERT INTO " + table + " (biz_tag, max_id, step) VALUES (?, ?, ?)")) {
                statement.setString(1, name);
                statement.setLong(2, first);
                statement.setInt(3, step);
                statement.executeUpdate();
            } catch (SQLException e) {
                if (!dialect.isDuplicateKey(e)) {
                    throw e;
                }
                connection.rollback(); // PostgreSQL does not commit a transaction in which a statement failed
            }
            return true;
        });
    }

    private static long largest(Connection connection, SqlName column) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT COALESCE(MAX(" + column.column() + "), 0) FROM " + column.table())) {
            return firstNumber(statement).orElse(0);
        } catch (SQLException e) {
            if (e.getSQLState() != null
                    && e.getSQLState().startsWith("42")) { // no such table or column, or no right to read it
                throw new AllocationException(
                        ErrorCode.START_UNKNOWN,
                        "cannot read the largest value of " + column + ", above which ids shall begin: "
                                + e.getMessage(),
                        e);
            }
            throw e;
        }
    }

    private static OptionalLong firstNumber(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
        }
    }

    /** What is done to the table, in the words of its database. */
    private interface Work<T> {
        T in(Connection connection, Dialect dialect) throws SQLException;
    }

    private <T> T inTransaction(String name, Work<T> work) {
        return transactions.commit("allocating ids of '" + name + "' from " + table, connection -> {
            Dialect dialect = Dialects.of(connection);
            try {
                return work.in(connection, dialect);
            } catch (SQLException e) {
                if (dialect.isMissingTable(e)) {
                    throw new AllocationException(
                            ErrorCode.TABLE_MISSING,
                            table + " does not exist (" + e.getMessage()
                                    + "); create it by the Flyway location db/idgen/" + dialect.name()
                                    + ", by idgen.jdbc.initialize-schema=always, or by\n"
                                    + IdgenSchema.createScript(dialect, table),
                            e);
                }
                throw e;
            }
        });
    }
}
