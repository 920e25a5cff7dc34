package io.idgen.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** What an error of a database means for idgen, which decides whether it retries, and on which connection. */
public enum Failure {
    /** The table does not exist. */
    MISSING_TABLE,
    /** An insert found its key in the table. */
    DUPLICATE_KEY,
    /** A sequence has no more values. */
    SEQUENCE_EXHAUSTED,
    /**
     * This server, or this connection to it, is read-only: a replica, or a server that is becoming one. Another
     * connection may lead to another server.
     */
    READ_ONLY,
    /**
     * The database has rolled the transaction back because of concurrent ones: a deadlock or a serialization failure.
     * The transaction had no effect and can be retried at once.
     */
    ROLLED_BACK,
    /**
     * The statement was not executed, because a connection pooler has changed the session behind the connection, and
     * the prepared statements of the two sessions differ. It can be retried at once on another connection.
     */
    OTHER_SESSION,
    /** This user lacks a right. */
    FORBIDDEN,
    /** A retry cannot succeed: a missing column, or a value that does not fit. */
    REFUSED,
    /** Any other error; idgen retries after a pause. */
    OTHER;

    /** Returns the meaning of a state of the SQL standard; {@link #OTHER} if it does not define it, or it is null. */
    static Failure ofState(@Nullable String state) {
        if (state == null) {
            return OTHER;
        }
        return switch (state) {
            case "42S02" -> MISSING_TABLE;
            case "23505" -> DUPLICATE_KEY;
            case "2200H" -> SEQUENCE_EXHAUSTED;
            case "25006" -> READ_ONLY;
            case "40001" -> ROLLED_BACK;
            case "42501" -> FORBIDDEN;
            default -> state.startsWith("22") || state.startsWith("42") ? REFUSED : OTHER;
        };
    }

    /**
     * Returns whether a retry of the statement cannot succeed.
     *
     * @return true for a statement that the database rejects
     */
    public boolean isRefusal() {
        return this == REFUSED || this == FORBIDDEN || this == MISSING_TABLE || this == SEQUENCE_EXHAUSTED;
    }
}
