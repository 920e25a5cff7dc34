package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.internal.sql.SqlName;
import java.time.Duration;

/**
 * What the allocators over a table of idgen's have in common: which table, where new names begin, where ids end, and how long
 * the database may take.
 *
 * <p>Each allocation is a transaction of its own on a connection of its own from the data source, committed before it
 * returns. Do not give it the pool whose threads wait for ids: a thread that holds the last connection would wait for ever.
 *
 * <p>A row is made on first use if its start is known ({@link #startingAt}, {@link #adopting}), and otherwise refused: a row
 * that silently begins at 1 beside existing ids is a duplicate waiting. Immutable and safe for many threads.
 *
 * @param <T> the allocator itself
 */
public abstract sealed class TableAllocator<T extends TableAllocator<T>> implements SegmentAllocator
        permits SegmentTable, SequenceTable, SteppedSequence {

    // The row may be raised, made, or brought to its limit by others between our statements; more often than this is no
    // accident.
    static final int ATTEMPTS = 10;

    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    final Options options;

    TableAllocator(Options options) {
        this.options = options;
    }

    /** What is said by the methods below. */
    record Options(SqlName table, Duration timeout, long limit, Start start) {
        static Options of(String table) {
            return new Options(SqlName.parse(table, 1, 1), DEFAULT_TIMEOUT, Long.MAX_VALUE, Start.UNKNOWN);
        }

        Options withStart(Start newStart) {
            return new Options(table, timeout, limit, newStart);
        }
    }

    abstract T with(Options newOptions);

    /**
     * The same for a table of another name, with the same columns.
     *
     * @param name plain or quoted, with its schema if need be
     * @return an allocator
     * @throws IllegalArgumentException if it is no name of a table
     */
    public T inTable(String name) {
        return with(new Options(SqlName.parse(name, 1, 3), options.timeout, options.limit, options.start));
    }

    /**
     * The same with another limit on how long the database may take, to give a connection and then to answer each statement; 5 s
     * if not said.
     *
     * @param timeout 1 ms to 24 days
     * @return an allocator
     */
    public T withTimeout(Duration timeout) {
        return with(new Options(options.table, checkTimeout(timeout), options.limit, options.start));
    }

    static Duration checkTimeout(Duration timeout) {
        if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a timeout is 1 ms to 24 days, got " + timeout);
        }
        return timeout;
    }

    /**
     * The same with a limit, for columns narrower than a {@code long}.
     *
     * @param exclusiveLimit all ids are below it, for example 2147483648 for an {@code INT} column
     * @return an allocator
     */
    public T below(long exclusiveLimit) {
        return with(new Options(options.table, options.timeout, checkLimit(exclusiveLimit), options.start));
    }

    static long checkLimit(long exclusiveLimit) {
        if (exclusiveLimit < 2) {
            throw new IllegalArgumentException("a limit is above 1, got " + exclusiveLimit);
        }
        return exclusiveLimit;
    }

    /**
     * The same for names that may have no row yet: it is made with this start.
     *
     * @param first the first id, above 0
     * @return an allocator
     */
    public T startingAt(long first) {
        return with(options.withStart(options.start.at(first)));
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
    public T adopting(String column) {
        return with(options.withStart(options.start.above(SqlName.parse(column, 2, 4))));
    }

    @Override
    public long limit() {
        return options.limit;
    }

    static void checkWanted(int wanted) {
        if (wanted < 1) {
            throw new IllegalArgumentException("wanted must be at least 1, got " + wanted);
        }
    }

    static AllocationException limitReached(String name, long limit, String fact) {
        return new AllocationException(
                ErrorCode.LIMIT_REACHED,
                "all ids of '" + name + "' below " + limit + " are given out (" + fact
                        + "); widen the column and raise the limit by idgen.sources." + name
                        + ".limit or the method below");
    }

    static StoreUnavailableException changedTooOften(String name, SqlName table) {
        return new StoreUnavailableException("the row of '" + name + "' in " + table + " changed under " + ATTEMPTS
                + " attempts to allocate from it");
    }
}
