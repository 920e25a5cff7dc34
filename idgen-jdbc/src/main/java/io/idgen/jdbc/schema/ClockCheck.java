package io.idgen.jdbc.schema;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Compares this host's clock with the database's for the doctor. */
record ClockCheck(SqlName table) {

    /** With a larger difference, a generator without a lease puts wrong times into its ids. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

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
                Duration trip = Duration.between(before, clock.instant());
                Instant middle = before.plus(trip.dividedBy(2));
                long aheadMillis = Duration.between(Instant.ofEpochMilli(found.getLong(1)), middle)
                        .toMillis();
                boolean good = Math.abs(aheadMillis) - trip.toMillis() <= TOLERANCE.toMillis();
                return Optional.of(
                        new Finding(
                                good ? Level.OK : Level.WARN,
                                "clock",
                                "this host's clock is " + Math.abs(aheadMillis) + " ms "
                                        + (aheadMillis < 0 ? "behind" : "ahead of")
                                        + " the database's, to within " + trip.toMillis() + " ms"
                                        + (good
                                                ? ""
                                                : "; correct one of the clocks before you run generators without a lease here")));
            }
        }
    }
}
