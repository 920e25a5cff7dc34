package io.idgen.jdbc.dialect;

import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of a {@link Dialect} for sequences. A name is a valid one, as it is written in statements. */
public interface Sequences {

    /**
     * The query for the next value.
     *
     * @param sequence the name of the sequence
     * @return a query of one row with the value in its first column; empty if not overridden: the database has no
     *     sequences
     */
    default Optional<String> nextValue(String sequence) {
        return Optional.empty();
    }

    /**
     * The query for several values in one statement.
     *
     * @param sequence the name of the sequence
     * @param count how many, at least 2
     * @return a query of at most that many rows, each with another value in its first column; that of one value if not
     *     overridden
     */
    default String nextValues(String sequence, int count) {
        return nextValue(sequence).orElseThrow();
    }

    /**
     * The query for the next value together with the {@linkplain #sequenceFacts facts}.
     *
     * @param sequence the name of the sequence
     * @return a query of one row: the value, the increment, and whether the sequence cycles; empty if not overridden:
     *     idgen then reads them with two statements
     */
    default Optional<String> nextValueWithFacts(String sequence) {
        return Optional.empty();
    }

    /**
     * Reads the facts about a sequence; by default from {@code INFORMATION_SCHEMA} of the SQL standard.
     *
     * @param connection the connection to read with
     * @param schema as the catalog spells it, or null for the current one
     * @param name as the catalog spells it
     * @return the facts, or empty if the sequence does not exist or is not visible to the user
     * @throws SQLException if the database rejects the query or does not answer
     */
    default Optional<SequenceFacts> sequenceFacts(Connection connection, @Nullable String schema, String name)
            throws SQLException {
        return SequenceFacts.find(
                connection,
                "SELECT INCREMENT, CYCLE_OPTION FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_NAME = ?"
                        + " AND SEQUENCE_SCHEMA = " + (schema == null ? "CURRENT_SCHEMA" : "?"),
                schema == null ? List.of(name) : List.of(name, schema));
    }

    /**
     * The right to use a sequence.
     *
     * @param sequence the name of the sequence
     * @return the text between {@code GRANT} and {@code TO}; that of the SQL standard if not overridden
     */
    default String rightToSequence(String sequence) {
        return "USAGE ON SEQUENCE " + sequence;
    }

    /**
     * Why this server may return a value of a sequence twice, although the sequence does not cycle.
     *
     * @param connection the connection to read the server's properties with; called once per sequence
     * @return a clause after "the sequence may return a value twice, because"; empty if not overridden
     * @throws SQLException if the database rejects the query or does not answer
     */
    default Optional<String> sequenceRepeatsBecause(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * The facts about a sequence of a database.
     *
     * @param increment the distance between two values
     * @param cycles whether it starts again after its last value, and so repeats its values
     */
    record SequenceFacts(long increment, boolean cycles) {

        /**
         * Reads the facts from a catalog.
         *
         * @param connection the connection to read with
         * @param sql a query of the increment and of whether the sequence cycles, in any of the catalogs' spellings of
         *     yes and no
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
         * @param column the number of the column with the increment; the next column contains whether the sequence
         *     cycles
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
}
