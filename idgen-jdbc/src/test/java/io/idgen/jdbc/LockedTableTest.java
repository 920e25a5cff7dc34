package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.ParallelThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that attempts which wait for another session's lock leave nothing behind on the server while the lock is held.
 */
@Tag("matrix")
class LockedTableTest {
    private static final int ATTEMPTS = 12;
    private static final int WAVES = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    // less than InnoDB's own timeout for lock waits, 50 s
    private static final Duration SOON = Duration.ofSeconds(20);

    // JDBC has no query timeout below one second, so the server does not get this one
    private static final Duration WITHOUT_QUERY_TIMEOUT = Duration.ofMillis(900);

    @ParameterizedTest
    @EachServer
    void attemptsEndOnTheServerTooAndUseUpNoConnections(TestDatabase kind) throws Exception {
        try (Database database = withRow(kind)) {
            // on a busy machine, a driver's thread may come too late to cancel its statement
            boolean leaveNothing = false;
            for (int i = 0; i < WAVES && !leaveNothing; i++) {
                leaveNothing = attemptsLeaveNothing(database);
            }
            assertThat(leaveNothing).as("no session waits").isTrue();
        }
    }

    private static boolean attemptsLeaveNothing(Database database) throws Exception {
        try (Connection blocker = lock(database)) {
            attempts(database.dataSource(), TIMEOUT);

            boolean leaveNothing = Await.holds(SOON, () -> waiting(database) == 0);
            assertThat(blocker.isClosed()).isFalse();
            return leaveNothing;
        }
    }

    @ParameterizedTest
    @EachServer
    void theControlLeavesSessionsThatWait(TestDatabase kind) throws Exception {
        try (Database database = withRow(kind);
                Connection blocker = lock(database)) {
            // on a busy machine, attempts end before they have logged in
            Await.until("a session that waits", () -> {
                attempts(database.dataSource(), WITHOUT_QUERY_TIMEOUT);
                return waiting(database) > 0;
            });
            assertThat(blocker.isClosed()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL")
    void theServerItselfLimitsTheWaitOfConnectionsToAUrl(TestDatabase kind) throws Exception {
        try (Database database = withRow(kind);
                OwnConnections own = OwnConnections.to(
                        database.plainUrl(), database.user(), database.password(), WITHOUT_QUERY_TIMEOUT);
                Connection blocker = lock(database)) {
            attempts(own.dataSource(), WITHOUT_QUERY_TIMEOUT);

            Await.until("no session waits", SOON, () -> waiting(database) == 0);
            assertThat(blocker.isClosed()).isFalse();
        }
    }

    private static Database withRow(TestDatabase kind) {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        new Counters(database.dataSource()).startingAt(1).allocate("orders", 10);
        return database;
    }

    private static Connection lock(Database database) throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        Sql.execute(
                connection,
                database.kind() == TestDatabase.POSTGRESQL
                        ? "LOCK TABLE idgen_counter IN ACCESS EXCLUSIVE MODE"
                        : "SELECT next_id FROM idgen_counter WHERE name = 'orders' FOR UPDATE");
        return connection;
    }

    /** Runs all attempts at the same time and checks that each of them fails. */
    private static void attempts(DataSource dataSource, Duration timeout) throws Exception {
        SegmentAllocator allocator = new Counters(dataSource).withTimeout(timeout);
        ParallelThreads.run(ATTEMPTS, thread -> {
            assertThat(JdbcAllocatorContract.refusal(allocator).code()).isEqualTo(ErrorCode.DATABASE_FAILED);
            return thread;
        });
    }

    private static long waiting(Database database) throws SQLException {
        return Sql.number(
                database.dataSource(),
                database.kind() == TestDatabase.POSTGRESQL
                        ? "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND wait_event_type = 'Lock'"
                        : "SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE()"
                                + " AND command <> 'Sleep' AND id <> CONNECTION_ID()");
    }
}
