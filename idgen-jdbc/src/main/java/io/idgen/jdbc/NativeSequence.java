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
 * The database's own sequences. A value is one id, or stands for a {@linkplain #inBlocks block} as long as the sequence's
 * increment; that increment is read from the catalog and checked, for two that count differently give the same ids. A sequence
 * that cycles is refused.
 *
 * <p>Where such a sequence begins is for whoever creates it to say, above the ids that exist. Immutable and safe for many
 * threads.
 */
public final class NativeSequence implements SegmentAllocator {
    private final Transactions transactions;
    private final @Nullable SqlName sequence;
    private final int increment;
    private final ValueIs valueIs;
    private final long limit;

    // the sequences whose facts were looked at and are as we believe
    private final Set<String> checked = ConcurrentHashMap.newKeySet();

    /** Which id of its block a sequence's value is. */
    public enum ValueIs {
        /**
         * The block of the value v is v to v + increment - 1, as Hibernate's optimizer {@code pooled-lo} has it. Right for a
         * sequence that starts right above the ids that exist.
         */
        FIRST,
        /**
         * The block of the value v is v - increment + 1 to v, as Hibernate's default optimizer {@code pooled} has it: right for
         * a sequence that it uses as well, and for no other.
         */
        LAST
    }

    /**
     * Sequences of increment 1, each called as its source is. Opens no connection.
     *
     * @param dataSource gives connections that idgen alone uses
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
     * The same with one sequence, whatever the source is called.
     *
     * @param name plain or quoted, with its schema if need be
     * @return an allocator
     * @throws IllegalArgumentException if it is no name of a sequence
     */
    public NativeSequence named(String name) {
        return new NativeSequence(transactions, SqlName.parse(name, 1, 2), increment, valueIs, limit);
    }

    /**
     * The same for sequences of another increment, each value of which stands for a block of that many ids.
     *
     * @param newIncrement that of the sequence, at least 1
     * @param newValueIs which id of its block a value is; all who use the sequence must read it in the same way
     * @return an allocator
     */
    public NativeSequence inBlocks(int newIncrement, ValueIs newValueIs) {
        if (newIncrement < 1) {
            throw new IllegalArgumentException("an increment is at least 1, got " + newIncrement);
        }
        return new NativeSequence(transactions, sequence, newIncrement, Objects.requireNonNull(newValueIs), limit);
    }

    /**
     * The same with another limit on how long the database may take, to give a connection and then to answer each statement; 5 s
     * if not said.
     *
     * @param timeout 1 ms to 24 days
     * @return an allocator
     */
    public NativeSequence withTimeout(Duration timeout) {
        return new NativeSequence(
                transactions.withTimeout(TableAllocator.checkTimeout(timeout)), sequence, increment, valueIs, limit);
    }

    /**
     * The same with a limit, for columns narrower than a {@code long}.
     *
     * @param exclusiveLimit all ids are below it, for example 2147483648 for an {@code INT} column
     * @return an allocator
     */
    public NativeSequence below(long exclusiveLimit) {
        return new NativeSequence(
                transactions, sequence, increment, valueIs, TableAllocator.checkLimit(exclusiveLimit));
    }

    /** {@inheritDoc} Gives a block of the sequence's increment, however many ids are wanted. */
    @Override
    public Segment allocate(String name, int wanted) {
        TableAllocator.checkWanted(wanted);
        SqlName called = sequence == null ? parse(name) : sequence;
        long value = transactions.commitEach("taking a value of the sequence " + called, (connection, dialect) -> {
            long next = next(connection, dialect, called);
            // Blocks are asked for each time: an increment that was changed meanwhile would make them overlap.
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
                    "the sequence " + called + " gave " + value
                            + ", and ids begin at 1; restart it above the ids in use");
        }
        last = last < value ? limit - 1 : Math.min(last, limit - 1);
        if (first > last) {
            throw TableAllocator.limitReached(name, limit, "the sequence " + called + " gave " + value);
        }
        return new Segment(first, (int) (last - first + 1), 1);
    }

    private static SqlName parse(String name) {
        try {
            return SqlName.parse(name, 1, 2);
        } catch (IllegalArgumentException e) {
            throw new AllocationException(
                    ErrorCode.INVALID_NAME, "no sequence can be called '" + name + "': " + e.getMessage(), e);
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
                        "the sequence " + called + " has given its last value: " + e.getMessage()
                                + "; raise its MAXVALUE if its columns are wide enough",
                        e);
            }
            if (dialect.isRefusal(e) || dialect.isMissingTable(e)) {
                throw new AllocationException(
                        ErrorCode.SEQUENCE_MISSING,
                        "cannot take a value of the sequence " + called + ": " + e.getMessage()
                                + "; create it above the ids that exist, or grant its use",
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
                                + " is not in the catalog that this user sees, and its increment unknown"));
        if (facts.cycles()) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the sequence " + called + " cycles, and so repeats its values; alter it to NO CYCLE");
        }
        if (facts.increment() != increment) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the sequence " + called + " increases by " + facts.increment() + " and is used in blocks of "
                            + increment + "; set its increment, and what its other users take a value for, by"
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

    /** As the catalog has it: quoted names as they stand, plain ones in the case that the database gives them. */
    private static String spelled(DatabaseMetaData database, String part) throws SQLException {
        if (!Character.isLetter(part.charAt(0)) && part.charAt(0) != '_') {
            return part.substring(1, part.length() - 1);
        }
        if (database.storesUpperCaseIdentifiers()) {
            return part.toUpperCase(Locale.ROOT);
        }
        return database.storesLowerCaseIdentifiers() ? part.toLowerCase(Locale.ROOT) : part;
    }

    /** {@inheritDoc} It is: the sequence's increment. */
    @Override
    public boolean isFixed() {
        return true;
    }

    /** {@inheritDoc} They do not where sessions keep values of their own, as with {@code CACHE} on PostgreSQL. */
    @Override
    public boolean isRising() {
        return false;
    }

    @Override
    public long limit() {
        return limit;
    }
}
