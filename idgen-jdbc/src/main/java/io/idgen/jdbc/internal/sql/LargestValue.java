package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The largest value of a column, above which new ids begin. */
public final class LargestValue {
    private LargestValue() {}

    /**
     * Reads it.
     *
     * @param connection to read by
     * @param dialect of the database
     * @param column with its table
     * @return 0 if the column has no value
     * @throws SQLException if the database fails
     */
    public static long of(Connection connection, Dialect dialect, SqlName column) throws SQLException {
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
