package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the ids of a name begin that has no row yet: at a number that was given, above the largest value of columns, or at the
 * higher of the two. If nothing is said it is not known, and no row is made.
 *
 * @param first the first id, or null
 * @param adopted columns whose values are ids that exist
 */
record Start(@Nullable Long first, List<SqlName> adopted) {
    static final Start UNKNOWN = new Start(null, List.of());

    Start at(long newFirst) {
        if (newFirst < 1) {
            throw new IllegalArgumentException("a start is above 0, got " + newFirst);
        }
        return new Start(newFirst, adopted);
    }

    Start above(SqlName column) {
        List<SqlName> columns = new ArrayList<>(adopted);
        columns.add(column);
        return new Start(first, List.copyOf(columns));
    }

    boolean isKnown() {
        return first != null || !adopted.isEmpty();
    }

    /**
     * The first id, read in the transaction that will write it.
     *
     * @throws AllocationException if a column cannot be read, or holds the last id below the limit
     */
    long read(Connection connection, Dialect dialect, String name, long limit) throws SQLException {
        long start = first == null ? 1 : first;
        for (SqlName column : adopted) {
            long largest = LargestValue.of(connection, dialect, column);
            if (largest >= limit - 1) {
                throw TableAllocator.limitReached(name, limit, column + " holds " + largest);
            }
            start = Math.max(start, largest + 1);
        }
        return start;
    }
}
