package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.SequenceFacts;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Allocates from the database's own sequences. A value is one id, or stands for a {@linkplain #inBlocks block} of as
 * many ids as the sequence's increment. The increment is read from the catalog and checked, because two users of one
 * sequence with different increments generate equal ids. A sequence that cycles is rejected.
 *
 * <p>idgen does not create the sequence. Create it with a start above the existing ids. Immutable and safe for many
 * threads.
 */
public final class NativeSequence implements SegmentAllocator {
    private final Transactions transactions;
    private final @Nullable SqlName sequence;
    private final int increment;
    private final ValueIs valueIs;
    private final long limit;

    // the sequences that have passed the check
    private final Set<String> checked = ConcurrentHashMap.newKeySet();

    /** Which id of its block a sequence value is. */
    public enum ValueIs {
        /**
         * The block of the value v is v to v + increment - 1, as in Hibernate's optimizer {@code pooled-lo}. Correct
         * for a sequence that starts right above the existing ids.
         */
        FIRST,
        /**
         * The block of the value v is v - increment + 1 to v, as in Hibernate's default optimizer {@code pooled}.
         * Correct only for a sequence that this optimizer uses as well.
         */
        LAST
    }

    /**
     * Creates an allocator for sequences of increment 1, each with the name of its source. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     */
    public NativeSequence(DataSource dataSource) {
        this(
                new Transactions(Objects.requireNonNull(dataSource), TableAllocator.DEFAULT_TIMEOUT),
                null,
                1,
                ValueIs.FIRST,
                Long.MAX_VALUE);
    }

    private NativeSequence(
            Transactions transactions, @Nullable SqlName sequence, int increment, ValueIs valueIs, long limit) {
        this.transactions = transactions;
        this.sequence = sequence;
        this.increment = increment;
        this.valueIs = valueIs;
        this.limit = limit;
    }

    /**
     * Returns a copy that uses one sequence for all names.
     *
     * @param name plain or quoted, optionally with its schema
     * @return a new allocator
     * @throws IllegalArgumentException if it is not a valid name
     */
    public NativeSequence named(String name) {
        return new NativeSequence(transactions, SqlName.parse(name, 1, 2), increment, valueIs, limit);
    }

    /**
     * Returns a copy for sequences with another increment. Each value stands for a block of that many ids.
     *
     * @param newIncrement the increment of the sequence, at least 1
     * @param newValueIs which id of its block a value is; must be the same for all users of the sequence
     * @return a new allocator
     * @throws IllegalArgumentException if the increment is below 1
     */
    public NativeSequence inBlocks(int newIncrement, ValueIs newValueIs) {
        if (newIncrement < 1) {
            throw new IllegalArgumentException("increment must be at least 1, got " + newIncrement);
        }
        return new NativeSequence(transactions, sequence, newIncrement, Objects.requireNonNull(newValueIs), limit);
    }

    /**
     * Returns a copy with another timeout, for opening a connection and then for each statement. The default is 5 s.
     *
     * @param timeout 1 ms to 24 days
     * @return a new allocator
     * @throws IllegalArgumentException if the timeout is out of range
     */
    public NativeSequence withTimeout(Duration timeout) {
        return new NativeSequence(
                transactions.withTimeout(TableAllocator.checkTimeout(timeout)), sequence, increment, valueIs, limit);
    }

    /**
     * Returns a copy with a limit, for columns narrower than a {@code long}.
     *
     * @param exclusiveLimit all ids are below it, for example 2147483648 for an {@code INT} column; at least 2
     * @return a new allocator
     * @throws IllegalArgumentException if the limit is below 2
     */
    public NativeSequence below(long exclusiveLimit) {
        return new NativeSequence(
                transactions, sequence, increment, valueIs, TableAllocator.checkLimit(exclusiveLimit));
    }

    /** {@inheritDoc} Returns a block of as many ids as the sequence's increment, whatever {@code wanted} is. */
    @Override
    public Segment allocate(String name, int wanted) {
        TableAllocator.checkWanted(wanted);
        SqlName called = sequence == null ? parse(name) : sequence;
        long value =
                transactions.commitEach("reading the next value of the sequence " + called, (connection, dialect) -> {
                    long next = next(connection, dialect, called);
                    // For blocks, check each time: if the increment has changed, they would overlap.
                    if (increment > 1 || !checked.contains(called.toString())) {
                        check(connection, dialect, called);
                        checked.add(called.toString());
                    }
                    return next;
                });
        long first = valueIs == ValueIs.FIRST ? value : Math.max(1, value - increment + 1);
        long last = valueIs == ValueIs.LAST ? value : value + increment - 1;
        if (value < 1) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    "the sequence " + called + " returned " + value
                            + ", but ids start at 1; restart it above the ids in use");
        }
        last = last < value ? limit - 1 : Math.min(last, limit - 1);
        if (first > last) {
            throw TableAllocator.limitReached(name, limit, "the sequence " + called + " returned " + value);
        }
        return new Segment(first, (int) (last - first + 1), 1);
    }

    private static SqlName parse(String name) {
        try {
            return SqlName.parse(name, 1, 2);
        } catch (IllegalArgumentException e) {
            throw new AllocationException(
                    ErrorCode.INVALID_NAME, "'" + name + "' is not a valid sequence name: " + e.getMessage(), e);
        }
    }

    private static long next(Connection connection, Dialect dialect, SqlName called) throws SQLException {
        String query = dialect.nextValue(called.toString())
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.SEQUENCE_MISSING,
                        dialect.name() + " has no sequences; choose the strategy sequence-table or segment"));
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                throw new SQLException("no value", "02000");
            }
            return rows.getLong(1);
        } catch (SQLException e) {
            if (dialect.isExhausted(e)) {
                throw new AllocationException(
                        ErrorCode.LIMIT_REACHED,
                        "the sequence " + called + " has reached its last value: " + e.getMessage()
                                + "; raise its MAXVALUE if its columns are wide enough",
                        e);
            }
            if (dialect.isRefusal(e) || dialect.isMissingTable(e)) {
                throw new AllocationException(
                        ErrorCode.SEQUENCE_MISSING,
                        "cannot read the next value of the sequence " + called + ": " + e.getMessage()
                                + "; create it with a start above the existing ids, or grant this user its use",
                        e);
            }
            throw e;
        }
    }

    private void check(Connection connection, Dialect dialect, SqlName called) throws SQLException {
        SequenceFacts facts = dialect.sequence(connection, schema(connection, called), spelled(connection, called))
                .orElseThrow(() -> new AllocationException(
                        ErrorCode.SEQUENCE_MISSING,
                        "the sequence " + called
                                + " is not visible to this user in the catalog, so its increment is unknown"));
        if (facts.cycles()) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the sequence " + called + " cycles and so repeats its values; alter it to NO CYCLE");
        }
        if (facts.increment() != increment) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the sequence " + called + " has the increment " + facts.increment() + " but is used in blocks of "
                            + increment
                            + "; set its increment, and which id of its block a value is for its other users, by"
                            + " idgen.sources.<name>.increment and .value-is or the method inBlocks, or alter the sequence");
        }
    }

    private static @Nullable String schema(Connection connection, SqlName called) throws SQLException {
        return called.parts().size() == 1
                ? null
                : spelled(connection.getMetaData(), called.parts().get(0));
    }

    private static String spelled(Connection connection, SqlName called) throws SQLException {
        return spelled(connection.getMetaData(), called.column());
    }

    /** The spelling in the catalog: quoted names without quotes, plain names in the case that the database uses. */
    private static String spelled(DatabaseMetaData database, String part) throws SQLException {
        if (!Character.isLetter(part.charAt(0)) && part.charAt(0) != '_') {
            return part.substring(1, part.length() - 1);
        }
        if (database.storesUpperCaseIdentifiers()) {
            return part.toUpperCase(Locale.ROOT);
        }
        return database.storesLowerCaseIdentifiers() ? part.toLowerCase(Locale.ROOT) : part;
    }

    /** {@inheritDoc} True: each call returns as many ids as the sequence's increment. */
    @Override
    public boolean isFixed() {
        return true;
    }

    /** {@inheritDoc} False: sessions may cache values, for example with {@code CACHE} on PostgreSQL. */
    @Override
    public boolean isRising() {
        return false;
    }

    @Override
    public long limit() {
        return limit;
    }
}
