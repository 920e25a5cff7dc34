package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SchemaScript;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link Counters}. They change only while {@link #changed} makes a copy.
 *
 * <p>A name that has no row yet starts at a given number, above the largest value of columns, or at the higher of the
 * two. If neither is configured, its start is unknown and no row is created.
 */
final class CounterOptions implements Cloneable {
    // A takeover skips twice the reach: 1/1024 of an INT column, and a negligible part of a BIGINT column.
    private static final long PARTS = 2_048;
    private static final long LEAST_REACH = 1_000;
    static final long MOST_REACH = 100_000_000;

    final DataSource dataSource;
    SqlName table = CounterRows.named(SchemaScript.PREFIX);
    Duration timeout = Counters.DEFAULT_TIMEOUT;
    long limit = Long.MAX_VALUE;
    int instance = 1;
    int instances = 1;
    boolean onDemand;

    @Nullable
    Long reach;

    @Nullable
    String identity;

    /** The first id, at least 1; null if not configured. */
    @Nullable
    Long first;

    /** Columns that contain existing ids. */
    List<SqlName> adopted = List.of();

    /** The database with these columns; null if it is the one with the row. */
    @Nullable
    Transactions elsewhere;

    CounterOptions(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource);
    }

    CounterOptions changed(Consumer<CounterOptions> change) {
        try {
            CounterOptions copy = (CounterOptions) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    static Duration checkTimeout(Duration timeout) {
        if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("timeout must be 1 ms to 24 days, got " + timeout);
        }
        return timeout;
    }

    static long checkLimit(long exclusiveLimit) {
        if (exclusiveLimit < 2) {
            throw new IllegalArgumentException("limit must be at least 2, got " + exclusiveLimit);
        }
        return exclusiveLimit;
    }

    /** Returns the reach for a row that has none yet. */
    long reachOr(long step) {
        long most = Math.min(MOST_REACH, Math.max(LEAST_REACH, limit / PARTS));
        return Math.max(step, reach == null ? most : reach);
    }

    /** Returns the largest id: it is below the limit, and its successor still fits a {@code long}. */
    long largestId() {
        return Math.min(limit - 1, Long.MAX_VALUE - instances);
    }

    boolean isStartKnown() {
        return first != null || !adopted.isEmpty();
    }

    /**
     * Returns the first id. Call it in the transaction that creates the row.
     *
     * @throws AllocationException if a column cannot be read, or contains the last id below the limit
     */
    long start(Connection connection, Dialect dialect, String name) throws SQLException {
        long start = first == null ? 1 : first;
        for (SqlName column : adopted) {
            Transactions.Work<Long> reading =
                    (its, dialectOfIt) -> LargestValue.of(its, dialectOfIt, column, first != null);
            long largest = elsewhere == null
                    ? reading.in(connection, dialect)
                    : elsewhere.commit("reading the largest value of " + column, reading);
            if (largest >= limit - 1) {
                throw Counters.limitReached(name, limit, column + " holds " + largest);
            }
            start = Math.max(start, largest + 1);
        }
        return start;
    }
}
