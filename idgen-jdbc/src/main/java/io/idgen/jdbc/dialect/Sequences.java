package io.idgen.jdbc.dialect;

import java.sql.Connection;
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
}
