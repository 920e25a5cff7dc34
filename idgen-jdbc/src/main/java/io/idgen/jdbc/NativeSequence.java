package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.dialect.Sequences.SequenceFacts;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/**
 * Allocates from a sequence of the database. A value is one id, or stands for a {@linkplain #inBlocks block} of as
 * many ids as the sequence's increment. The increment is read from the catalog and checked, because two users of one
 * sequence with different increments generate equal ids. A sequence that cycles is rejected.
 *
 * <p>A source takes single ids only for calls that wait for them. If the database can return several values at once
 * (PostgreSQL, MariaDB, H2, HSQLDB), one statement serves all calls that wait at that moment. Otherwise, one statement
 * serves one call. A crash loses at most the ids of the statement in progress. Of blocks, a source keeps one in
 * reserve, so a crash loses at most two.
 *
 * <p>idgen does not create the sequence. Create it with a start above the existing ids. Safe for many threads.
 */
public final class NativeSequence implements SegmentAllocator {
    // below 1000, the default of MariaDB's max_recursive_iterations
    private static final int MOST_VALUES = 500;

    private final Transactions transactions;
    private final SqlName sequence;
    private final int increment;
    private final ValueIs valueIs;
    private final long limit;

    private volatile boolean isChecked;

    // Values that a statement has returned in advance. If other users take values too, the values of one statement have
    // gaps, but a segment has none.
    private final Queue<Segment> rest = new ConcurrentLinkedQueue<>();

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
     * Creates an allocator for a sequence of increment 1. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     * @param name the sequence, plain or quoted, optionally with its schema
     * @throws IllegalArgumentException if it is not a valid name
     */
    public NativeSequence(DataSource dataSource, String name) {
        this(
                new Transactions(Objects.requireNonNull(dataSource), Counters.DEFAULT_TIMEOUT),
                SqlName.parse(name, 1, 2),
                1,
                ValueIs.FIRST,
                Long.MAX_VALUE);
    }

    private NativeSequence(Transactions transactions, SqlName sequence, int increment, ValueIs valueIs, long limit) {
        this.transactions = transactions;
        this.sequence = sequence;
        this.increment = increment;
        this.valueIs = valueIs;
        this.limit = limit;
    }

    /**
     * Returns a copy for another increment of the sequence. Each value stands for a block of that many ids.
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
                transactions.withTimeout(CounterOptions.checkTimeout(timeout)), sequence, increment, valueIs, limit);
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
                transactions, sequence, increment, valueIs, CounterOptions.checkLimit(exclusiveLimit));
    }

    /** {@inheritDoc} In blocks, returns one of as many ids as the sequence's increment, whatever {@code wanted} is. */
    @Override
    public Segment allocate(String name, int wanted) {
        Counters.checkWanted(wanted);
        Segment first = rest.poll();
        if (first != null) {
            return first;
        }
        int count = increment == 1 ? Math.min(wanted, MOST_VALUES) : 1;
        List<Long> values = transactions.commitEach(
                "reading the next value of the sequence " + sequence,
                (connection, dialect) -> next(connection, dialect, count));
        Deque<Segment> runs = new ArrayDeque<>();
        values.forEach(value -> add(value, runs));
        first = runs.poll();
        if (first == null) {
            throw Counters.limitReached(name, limit, "the sequence " + sequence + " returned " + values.get(0));
        }
        rest.addAll(runs);
        return first;
    }

    /** Adds the ids of a value that are below the limit, to the last run if they follow it. */
    private void add(long value, Deque<Segment> runs) {
        if (value < 1) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    "the sequence " + sequence + " returned " + value
                            + ", but ids start at 1; restart it above the ids in use");
        }
        long first = valueIs == ValueIs.FIRST ? value : Math.max(1, value - increment + 1);
        long last = valueIs == ValueIs.LAST ? value : value + increment - 1;
        last = last < value ? limit - 1 : Math.min(last, limit - 1);
        Segment before = runs.peekLast();
        if (before != null && before.last() + 1 == first && first <= last) {
            runs.removeLast();
            runs.add(new Segment(before.first(), before.count() + (int) (last - first + 1), 1));
        } else if (first <= last) {
            runs.add(new Segment(first, (int) (last - first + 1), 1));
        }
    }

    @Override
    public void forget(String name) {
        rest.clear();
    }

    /**
     * Returns the next values: as many as wanted, or one if the database cannot return several. Checks the increment of
     * blocks each time: if it has changed, they would overlap.
     */
    private List<Long> next(Connection connection, Dialect dialect, int wanted) throws SQLException {
        Optional<String> single = dialect.nextValue(sequence.toString());
        if (single.isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.SEQUENCE_MISSING,
                    dialect.name() + " has no sequences; choose the strategy sequence-table or segment");
        }
        if (!isChecked) {
            checkServer(connection, dialect);
        }
        Optional<String> withFacts =
                increment == 1 ? Optional.empty() : dialect.nextValueWithFacts(sequence.toString());
        String sql = wanted == 1 ? single.get() : dialect.nextValues(sequence.toString(), wanted);
        List<Long> values = query(connection, dialect, withFacts.orElse(sql), row -> {
            if (withFacts.isPresent()) {
                check(SequenceFacts.of(row, 2));
            }
            return row.getLong(1);
        });
        if (withFacts.isEmpty() && (increment > 1 || !isChecked)) {
            check(facts(connection, dialect));
        }
        isChecked = true;
        return values;
    }

    /** Reads the rows of a query, at least one. */
    private List<Long> query(Connection connection, Dialect dialect, String sql, SqlText.Reader<Long> reader)
            throws SQLException {
        try {
            List<Long> all = new SqlText(sql).all(connection, reader);
            if (all.isEmpty()) {
                throw new SQLException("no value", "02000");
            }
            return all;
        } catch (SQLException e) {
            Failure failure = dialect.failure(e);
            if (failure == Failure.SEQUENCE_EXHAUSTED) {
                throw new AllocationException(
                        ErrorCode.LIMIT_REACHED,
                        "the sequence " + sequence + " has reached its last value: " + e.getMessage()
                                + "; raise its MAXVALUE if its columns are wide enough",
                        e);
            }
            String fact = "cannot read the next value of the sequence " + sequence + ": " + e.getMessage();
            if (failure.isRefusal()) {
                throw new AllocationException(
                        ErrorCode.SEQUENCE_MISSING,
                        failure == Failure.FORBIDDEN
                                ? Transactions.forbidden(connection, fact, dialect.rightToSequence(sequence.toString()))
                                : fact + "; run CREATE SEQUENCE " + sequence + " START WITH 1 INCREMENT BY " + increment
                                        + ", with a start above the existing ids",
                        e);
            }
            throw e;
        }
    }

    private SequenceFacts facts(Connection connection, Dialect dialect) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        String schema = sequence.parts().size() == 1
                ? null
                : SqlName.spelled(database, sequence.parts().get(0));
        return dialect.sequenceFacts(connection, schema, SqlName.spelled(database, sequence.column()))
                .orElseThrow(() -> new AllocationException(
                        ErrorCode.SEQUENCE_MISSING,
                        "the sequence " + sequence
                                + " is not visible to this user in the catalog, so its increment is unknown"));
    }

    private void checkServer(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> reason = dialect.sequenceRepeatsBecause(connection);
        if (reason.isPresent()) {
            throw new AllocationException(
                    ErrorCode.SEQUENCE_MISSING,
                    "the sequence " + sequence + " may return a value twice, because " + reason.get()
                            + "; choose the strategy segment or sequence-table, and begin above the existing ids by"
                            + " idgen.sources.<name>.adopt=table.column");
        }
        Transactions.checkRowsSurvive(connection, dialect, sequence.toString());
    }

    private void check(SequenceFacts facts) {
        if (facts.cycles()) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the sequence " + sequence + " cycles and so repeats its values; alter it to NO CYCLE");
        }
        if (facts.increment() != increment) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the sequence " + sequence + " has the increment " + facts.increment()
                            + " but is used in blocks of "
                            + increment
                            + "; set its increment, and which id of its block a value is for its other users, by"
                            + " idgen.sources.<name>.increment and .value-is or the method inBlocks, or alter the sequence");
        }
    }

    /** {@inheritDoc} Returns true for single ids. Returns false for blocks: a source keeps one block in reserve. */
    @Override
    public boolean isOnDemand() {
        return increment == 1;
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
