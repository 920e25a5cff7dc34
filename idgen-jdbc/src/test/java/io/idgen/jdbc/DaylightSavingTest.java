package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.internal.dialect.MariaDbDialect;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The database's clock as idgen reads it, in sessions and processes of any time zone. Only MariaDB allows a session to
 * set another time, so its session runs through both daylight-saving changes. The other databases use the clock of
 * their machine, which a test cannot set. For them, the test shows that no time zone affects the result. SQLite has
 * no time zone per session, and H2 keeps the time zone that its process had when H2 was loaded.
 */
@Tag("matrix")
class DaylightSavingTest {
    private static final List<String> ZONES = List.of(
            "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago");

    /** Clocks in Berlin go back by an hour at 01:00 UTC, so the local hour from 02:00 to 03:00 occurs twice. */
    private static final Instant SUMMER_ENDS = Instant.parse("2026-10-25T01:00:00Z");

    private static final Instant SUMMER_BEGINS = Instant.parse("2026-03-29T01:00:00Z");

    static Stream<Arguments> sessions() {
        List<Arguments> sessions = new ArrayList<>();
        for (String zone : ZONES) {
            sessions.add(Arguments.of(TestDatabase.POSTGRESQL, "SET TIME ZONE '" + zone + "'"));
            sessions.add(Arguments.of(TestDatabase.H2, "SET TIME ZONE '" + zone + "'"));
        }
        for (String offset : List.of("+00:00", "-12:00", "+05:45", "+13:00")) {
            sessions.add(Arguments.of(TestDatabase.MARIADB, "SET time_zone = '" + offset + "'"));
            sessions.add(Arguments.of(TestDatabase.MARIADB_BY_MYSQL_DRIVER, "SET time_zone = '" + offset + "'"));
        }
        for (String offset : List.of("+0:00", "-12:00", "+5:45", "+13:00")) {
            sessions.add(Arguments.of(TestDatabase.HSQLDB, "SET TIME ZONE INTERVAL '" + offset + "' HOUR TO MINUTE"));
        }
        return sessions.stream();
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void theTimeZoneOfTheSessionHasNoPartInTheTime(TestDatabase kind, String setZone) throws SQLException {
        try (Database database = withTables(kind);
                Connection connection = database.dataSource().getConnection()) {
            Sql.execute(connection, setZone);

            assertRightTime(connection);
        }
    }

    @ParameterizedTest
    @EachDatabase
    void theTimeZoneOfTheProcessHasNoPartInTheTime(TestDatabase kind) throws SQLException {
        TimeZone own = TimeZone.getDefault();
        try (Database database = withTables(kind)) {
            for (String zone : ZONES) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                try (Connection connection = database.dataSource().getConnection()) {
                    assertRightTime(connection);
                }
            }
        } finally {
            TimeZone.setDefault(own);
        }
    }

    private static void assertRightTime(Connection connection) throws SQLException {
        // the server runs on this machine, so both clocks are equal except for rounding
        long before = System.currentTimeMillis();
        long now = now(connection);
        long after = System.currentTimeMillis();
        assertThat(now).isBetween(before - 1, after + 1);
    }

    /** The control is the session's local time, which is ambiguous in the hour that occurs twice. */
    @Test
    void bothChangesLeaveTheTimeOfMariaDbAloneUnlikeItsLocalTime() throws SQLException {
        try (RestartableServer server = RestartableServer.mariaDb();
                Connection connection = server.dataSource().getConnection()) {
            makeBerlin(connection);
            Sql.execute(connection, "SET time_zone = 'Europe/Berlin'");
            String time = new MariaDbDialect().nowMillis();
            String local = "UNIX_TIMESTAMP(LOCALTIME) * 1000"; // of a local time without its zone

            assertThat(timesAround(SUMMER_BEGINS, time, connection)).isEqualTo(truthAround(SUMMER_BEGINS));
            assertThat(timesAround(SUMMER_ENDS, time, connection)).isEqualTo(truthAround(SUMMER_ENDS));
            assertThat(timesAround(SUMMER_ENDS, local, connection)).isNotEqualTo(truthAround(SUMMER_ENDS));
        }
    }

    /** Reads the session's time at several moments around a change. */
    private static List<Long> timesAround(Instant change, String expression, Connection session) throws SQLException {
        List<Long> times = new ArrayList<>();
        for (long millis : truthAround(change)) {
            Sql.execute(session, "SET timestamp = " + millis / 1_000);
            times.add(Long.parseLong(Sql.rows(session, "SELECT " + expression).get(0)));
        }
        return times;
    }

    private static List<Long> truthAround(Instant change) {
        return Stream.of(-7_200L, -3_601L, -3_600L, -1_800L, -1L, 0L, 1_800L, 3_599L, 3_600L, 7_200L)
                .map(seconds -> change.plusSeconds(seconds).toEpochMilli())
                .toList();
    }

    /** A new server knows only offsets. Inserts Berlin's rows for 2026 into the time zone tables. */
    private static void makeBerlin(Connection connection) throws SQLException {
        int zone = 7001;
        Sql.execute(connection, "INSERT INTO mysql.time_zone VALUES (" + zone + ", 'N')");
        Sql.execute(
                connection,
                "INSERT INTO mysql.time_zone_transition_type VALUES (" + zone + ", 0, 3600, 0, 'CET'), (" + zone
                        + ", 1, 7200, 1, 'CEST')");
        Sql.execute(
                connection,
                "INSERT INTO mysql.time_zone_transition VALUES (" + zone + ", " + SUMMER_BEGINS.getEpochSecond()
                        + ", 1), (" + zone + ", " + SUMMER_ENDS.getEpochSecond() + ", 0)");
        Sql.execute(connection, "INSERT INTO mysql.time_zone_name VALUES ('Europe/Berlin', " + zone + ")");
    }

    private static long now(Connection connection) throws SQLException {
        String expression = Dialects.of(connection).nowMillis();
        return Long.parseLong(Sql.rows(connection, "SELECT MAX(" + expression + ") FROM idgen_worker")
                .get(0));
    }

    private static Database withTables(TestDatabase kind) {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        return database;
    }
}
