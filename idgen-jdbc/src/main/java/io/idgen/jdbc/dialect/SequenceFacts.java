package io.idgen.jdbc.dialect;

import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The facts about a sequence of a database.
 *
 * @param increment the distance between two values
 * @param cycles whether it starts again after its last value, and so repeats its values
 */
public record SequenceFacts(long increment, boolean cycles) {

    /**
     * Reads the facts from a catalog.
     *
     * @param connection the connection to read with
     * @param sql a query of the increment and of whether the sequence cycles, in any of the catalogs' spellings of yes
     *     and no
     * @param parameters the parameters of the query
     * @return the facts, or empty if the query has no row
     * @throws SQLException if the database rejects the query or does not answer
     */
    public static Optional<SequenceFacts> find(Connection connection, String sql, List<String> parameters)
            throws SQLException {
        return new SqlText(sql, parameters.toArray()).first(connection, row -> of(row, 1));
    }

    /**
     * Reads the facts from a row.
     *
     * @param row the current row of a query
     * @param column the number of the column with the increment; the next column contains whether the sequence cycles
     * @return the facts
     * @throws SQLException if the driver fails
     */
    public static SequenceFacts of(ResultSet row, int column) throws SQLException {
        return new SequenceFacts(row.getLong(column), isYes(row.getString(column + 1)));
    }

    private static boolean isYes(String text) {
        return "YyTt1".indexOf(text.charAt(0)) >= 0;
    }
}
