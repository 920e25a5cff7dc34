package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Base class of the allocators over idgen's tables. It holds the table, the start of new names, the limit of ids, and
 * the timeout.
 *
 * <p>Each allocation runs in its own transaction on its own connection from the data source, and is committed before
 * the method returns. Do not pass the pool whose threads wait for ids: a thread that holds its last connection would
 * wait forever.
 *
 * <p>If a name has no row, its start must be known ({@link #startingAt}, {@link #adopting}); otherwise the allocation
 * fails. A row that silently starts at 1 although ids exist would later produce duplicates. Immutable and safe for many
 * threads.
 *
 * @param <T> the type of the allocator
 */
public abstract sealed class TableAllocator<T extends TableAllocator<T>> implements SegmentAllocator
        permits SegmentTable, SequenceTable, SteppedSequence {

    // A takeover skips twice the reach: 1/1024 of an INT column, and a negligible part of a BIGINT column.
    private static final long PARTS = 2_048;
    private static final long LEAST_REACH = 1_000;
    private static final long MOST_REACH = 1_000_000_000;
    private static final long MOST_REACH_GIVEN = 1L << 40;

    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    final Options options;

    TableAllocator(Options options) {
        this.options = options;
    }

    /** The options of an allocator. They change only while {@link TableAllocator#changed} makes a copy. */
    static final class Options {
        SqlName table;
        Duration timeout = DEFAULT_TIMEOUT;
        long limit = Long.MAX_VALUE;
        Start start = Start.UNKNOWN;
        private @Nullable Long reach;

        @Nullable
        String identity;

        Options(SqlName table) {
            this.table = table;
        }

        private Options(Options other) {
            this(other.table);
            timeout = other.timeout;
            limit = other.limit;
            start = other.start;
            reach = other.reach;
            identity = other.identity;
        }

        /** Returns the reach for a row that has none yet. */
        long reachOr(long step) {
            long most = Math.min(MOST_REACH, Math.max(LEAST_REACH, limit / PARTS));
            return Math.max(step, reach == null ? most : reach);
        }
    }

    private T changed(Consumer<Options> change) {
        Options copy = new Options(options);
        change.accept(copy);
        return with(copy);
    }

    abstract T with(Options newOptions);

    /**
     * Returns a copy for a table of another name, with the same columns.
     *
     * @param name plain or quoted, optionally with its schema
     * @return a new allocator
     * @throws IllegalArgumentException if it is not a valid name of a table
     */
    public T inTable(String name) {
        return changed(copy -> copy.table = SqlName.parse(name, 1, 3));
    }

    /**
     * Returns a copy with another timeout, for opening a connection and then for each statement. The default is 5 s.
     *
     * @param timeout 1 ms to 24 days
     * @return a new allocator
     * @throws IllegalArgumentException if the timeout is out of range
     */
    public T withTimeout(Duration timeout) {
        return changed(copy -> copy.timeout = checkTimeout(timeout));
    }

    static Duration checkTimeout(Duration timeout) {
        if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("timeout must be 1 ms to 24 days, got " + timeout);
        }
        return timeout;
    }

    /**
     * Returns a copy with a limit, for columns narrower than a {@code long}.
     *
     * @param exclusiveLimit all ids are below it, for example 2147483648 for an {@code INT} column; at least 2
     * @return a new allocator
     * @throws IllegalArgumentException if the limit is below 2
     */
    public T below(long exclusiveLimit) {
        return changed(copy -> copy.limit = checkLimit(exclusiveLimit));
    }

    static long checkLimit(long exclusiveLimit) {
        if (exclusiveLimit < 2) {
            throw new IllegalArgumentException("limit must be at least 2, got " + exclusiveLimit);
        }
        return exclusiveLimit;
    }

    /**
     * Returns a copy that creates missing rows with this start.
     *
     * @param first the first id, at least 1
     * @return a new allocator
     * @throws IllegalArgumentException if {@code first} is below 1
     */
    public T startingAt(long first) {
        return changed(copy -> copy.start = copy.start.at(first));
    }

    /**
     * Returns a copy that creates missing rows with a start above the largest value of a column. Call it several times
     * for several columns. The transaction that creates the row reads the columns. Transactions that insert ids from
     * another source must have ended by then.
     *
     * @param column the column with its table, for example {@code orders.id}; do not pass user input
     * @return a new allocator
     * @throws IllegalArgumentException if it is not a valid name of a column
     */
    public T adopting(String column) {
        return changed(copy -> copy.start = copy.start.above(SqlName.parse(column, 2, 4)));
    }

    /**
     * Returns a copy that reads the columns of {@link #adopting} in another database, if they exist there. Use this if
     * the tables with the ids are not in the database of the allocator.
     *
     * @param database the database with the columns
     * @return a new allocator
     */
    public T adoptingFrom(DataSource database) {
        return changed(copy -> copy.start = copy.start.withColumnsIn(new Transactions(database, copy.timeout)));
    }

    /**
     * Returns a copy with another reach for rows that have none yet. The reach is how many ids of a name are granted at
     * most in ten minutes. A replica that takes over may lack that many and skips twice as many. The default is
     * 1,000,000,000 or 1/2048 of the limit, whichever is less, but at least 1,000 and the row's step. Has no effect on
     * a row that has a reach, or on a table without that column.
     *
     * @param ids at least 1, at most 2<sup>40</sup>
     * @return a new allocator
     * @throws IllegalArgumentException if it is outside these limits
     */
    public T withReach(long ids) {
        if (ids < 1 || ids > MOST_REACH_GIVEN) {
            throw new IllegalArgumentException("a reach is 1 to " + MOST_REACH_GIVEN + ", got " + ids);
        }
        return changed(copy -> copy.reach = ids);
    }

    /**
     * Returns a copy with a name for the database server, which replaces the identity that the server reports. Use this
     * if idgen cannot read that identity, or if the same identity returns after a failback. Use the same name in all
     * processes, and a new one after each promotion. Names are compared exactly, including their case.
     *
     * @param identity 1 to 64 characters
     * @return a new allocator
     * @throws IllegalArgumentException if it is blank or longer
     */
    public T identifiedAs(String identity) {
        return changed(copy -> copy.identity = ServerIdentity.check(identity));
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
                "all ids of '" + name + "' below " + limit + " are used (" + fact
                        + "); widen the column, then raise the limit by idgen.sources." + name
                        + ".limit or the method below");
    }
}
