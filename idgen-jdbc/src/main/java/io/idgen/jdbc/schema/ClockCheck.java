package io.idgen.jdbc.schema;

import io.idgen.core.lease.Finding;
import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Compares this host's clock with the database's for the doctor. */
record ClockCheck(SqlName table) {

    /**
     * Returns the difference; empty if the table has no rows, because the query needs one to return the time.
     *
     * @param now the dialect's expression for the database's time
     * @param clock this host's clock
     */
    Optional<Finding> finding(Connection connection, String now, InstantSource clock) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            Instant before = clock.instant();
            try (ResultSet found = statement.executeQuery("SELECT MAX(" + now + "), COUNT(*) FROM " + table)) {
                found.next();
                if (found.getLong(2) == 0) {
                    return Optional.empty();
                }
                return Optional.of(Finding.ofClocks(
                        "the database's", Instant.ofEpochMilli(found.getLong(1)), before, clock.instant()));
            }
        }
    }
}
