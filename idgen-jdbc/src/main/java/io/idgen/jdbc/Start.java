package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The start of a name that has no row yet: a given number, above the largest value of columns, or the higher of the
 * two. If neither is configured, the start is unknown and no row is created.
 *
 * @param first the first id, at least 1; null if not configured
 * @param adopted columns that contain existing ids
 * @param elsewhere the database with these columns; null if it is the one with the row
 */
record Start(
        @Nullable Long first,
        List<SqlName> adopted,
        @Nullable Transactions elsewhere) {
    static final Start UNKNOWN = new Start(null, List.of(), null);

    Start at(long newFirst) {
        if (newFirst < 1) {
            throw new IllegalArgumentException("start must be at least 1, got " + newFirst);
        }
        return new Start(newFirst, adopted, elsewhere);
    }

    Start above(SqlName column) {
        List<SqlName> columns = new ArrayList<>(adopted);
        columns.add(column);
        return new Start(first, List.copyOf(columns), elsewhere);
    }

    Start withColumnsIn(Transactions database) {
        return new Start(first, adopted, database);
    }

    boolean isKnown() {
        return first != null || !adopted.isEmpty();
    }

    /**
     * Returns the first id. Call it in the transaction that creates the row.
     *
     * @throws AllocationException if a column cannot be read, or contains the last id below the limit
     */
    long read(Connection connection, Dialect dialect, String name, long limit) throws SQLException {
        long start = first == null ? 1 : first;
        for (SqlName column : adopted) {
            long largest = largest(connection, dialect, column);
            if (largest >= limit - 1) {
                throw Counters.limitReached(name, limit, column + " holds " + largest);
            }
            start = Math.max(start, largest + 1);
        }
        return start;
    }

    private long largest(Connection connection, Dialect dialect, SqlName column) throws SQLException {
        if (elsewhere == null) {
            return LargestValue.of(connection, dialect, column, first != null);
        }
        try {
            return elsewhere.commit(
                    "reading the largest value of " + column,
                    (other, dialectOfOther) -> LargestValue.of(other, dialectOfOther, column, first != null));
        } catch (AllocationException e) {
            if (e.code() != ErrorCode.START_UNKNOWN) {
                throw e;
            }
            try {
                return LargestValue.of(connection, dialect, column, first != null);
            } catch (AllocationException missing) {
                e.addSuppressed(missing);
                throw e; // names the table in the database where it is expected
            }
        }
    }
}
