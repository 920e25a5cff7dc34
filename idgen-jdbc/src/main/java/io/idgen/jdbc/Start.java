package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
            long largest = largest(connection, dialect, column);
            if (largest >= limit - 1) {
                throw TableAllocator.limitReached(name, limit, column + " holds " + largest);
            }
            start = Math.max(start, largest + 1);
        }
        return start;
    }

    /** The largest value of a column, 0 if it has none. */
    static long largest(Connection connection, Dialect dialect, SqlName column) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT MAX(" + column.column() + ") FROM " + column.table());
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getLong(1) : 0; // 0 for NULL as well: there is no row
        } catch (SQLException e) {
            if (dialect.isRefusal(e) || dialect.isMissingTable(e)) {
                throw new AllocationException(
                        ErrorCode.START_UNKNOWN,
                        "cannot read the largest value of " + column + ", above which ids shall begin: "
                                + e.getMessage(),
                        e);
            }
            throw e;
        }
    }
}
