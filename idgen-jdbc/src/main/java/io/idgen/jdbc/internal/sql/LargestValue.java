package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Reads the largest value of a column; new ids start above it. */
public final class LargestValue {
    private LargestValue() {}

    /**
     * Returns the largest value of a column, or empty if its table does not exist. Blocks for one transaction.
     *
     * @param purpose what it is read for, for the message of a failure
     */
    public static OptionalLong ifTableExists(Transactions transactions, String purpose, SqlName column) {
        return transactions.commit(
                purpose,
                (connection, dialect) ->
                        Transactions.exists(connection, dialect, column.table().toString())
                                ? OptionalLong.of(of(connection, dialect, column))
                                : OptionalLong.empty());
    }

    /**
     * Returns the largest value of a column.
     *
     * @param connection the connection to read with
     * @param dialect the dialect of the database
     * @param column the column, with its table
     * @return the largest value, or 0 if there is none
     * @throws SQLException if the database fails
     * @throws AllocationException {@link ErrorCode#START_UNKNOWN} if the column does not exist or may not be read
     */
    public static long of(Connection connection, Dialect dialect, SqlName column) throws SQLException {
        try {
            return new SqlText("SELECT MAX(" + column.column() + ") FROM " + column.table())
                    .first(connection, row -> row.getLong(1)) // 0 for NULL: there is no row
                    .orElseThrow();
        } catch (SQLException e) {
            if (dialect.failure(e).isRefusal()) {
                throw new AllocationException(
                        ErrorCode.START_UNKNOWN,
                        "cannot read the largest value of " + column + ", above which new ids start: " + e.getMessage(),
                        e);
            }
            throw e;
        }
    }
}
