package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.internal.dialect.PostgreSqlDialect;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A replica that is promoted without the last commits of its primary, simulated with one server: its rows are set back,
 * and its timeline is changed. PostgreSQL guarantees that a promotion changes the timeline; this test does not show it.
 */
@Timeout(120)
@Tag("databases")
class FailoverTest {
    private static final Duration WINDOW = Duration.ofSeconds(4);
    private static final int WORKER_ID = 0;

    /** The functions that {@link PostgreSqlDialect#serverIdentity()} asks, found before the server's own. */
    private static final List<String> SERVER_THAT_CAN_BE_RENAMED = List.of(
            "CREATE TABLE server (timeline text NOT NULL)",
            "INSERT INTO server VALUES ('00000001')",
            "CREATE FUNCTION pg_walfile_name(pg_lsn) RETURNS text LANGUAGE sql AS"
                    + " 'SELECT timeline || ''0000000000000000'' FROM public.server'",
            "DO 'BEGIN EXECUTE format(''ALTER DATABASE %I SET search_path = public, pg_catalog'', current_database()); END'");

    @Test
    void grantsNothingThatTheLostCommitsHadGranted() throws Exception {
        try (Database database = withServerThatCanBeRenamed();
                FaultProxy network = FaultProxy.before(database.url());
                Leaseholder old = holder(network.url());
                Leaseholder fresh = holder(database.url())) {
            Instant promoted = promote(database, old, network, "UPDATE server SET timeline = '00000002'");
            fresh.tell(LeasingProcess.DRAW);
            Await.until("ids of the process that is new", () -> fresh.count() > 1_000);
            Await.until("use of the old window", () -> old.hasReached(promoted.plus(WINDOW.dividedBy(2))));

            long[] ofOld = old.ids();
            long[] ofFresh = fresh.ids();
            Duration wait = Duration.between(promoted, Instant.now());
            System.out.printf(
                    "%d ids of the process that held a window, until %d ms after the promotion; %d of the new one, after"
                            + " %d ms, their time %d ms after the promotion%n",
                    ofOld.length,
                    Duration.between(promoted, old.last().time()).toMillis(),
                    ofFresh.length,
                    wait.toMillis(),
                    Duration.between(promoted, fresh.last().time()).toMillis());
            Together.assertDistinct(List.of(ofOld, ofFresh));
            assertThat(Leaseholder.workerId(ofOld[0])).isEqualTo(WORKER_ID);
            assertThat(Leaseholder.workerId(ofFresh[0])).isEqualTo(WORKER_ID);
            assertThat(ofFresh[0]).as("above all that may have been lost").isGreaterThan(ofOld[ofOld.length - 1]);
        }
    }

    /** That the test above finds what it is for. */
    @Test
    void unnoticedRepeatsIds() throws Exception {
        try (Database database = withServerThatCanBeRenamed();
                FaultProxy network = FaultProxy.before(database.url());
                Leaseholder old = holder(network.url());
                Leaseholder fresh = holder(database.url())) {
            Instant promoted = promote(database, old, network, "UPDATE server SET timeline = '00000001'");
            fresh.tell(LeasingProcess.DRAW);
            Await.until("ids of the process that is new", () -> fresh.count() > 1_000);
            Await.until("the end of the old window", () -> fresh.hasReached(promoted.plus(WINDOW)));

            assertThrows(AssertionError.class, () -> Together.assertDistinct(List.of(old.ids(), fresh.ids())));
        }
    }

    /** Loses all that a process was granted, and answers as before or as somebody else from then on. */
    private static Instant promote(Database database, Leaseholder old, FaultProxy network, String newName)
            throws Exception {
        Sql.execute(database.dataSource(), "CREATE TABLE replica AS SELECT * FROM idgen_worker");
        old.tell(LeasingProcess.DRAW);
        Await.until("the first lease", () -> old.count() > 0);
        long first = horizon(database);
        Await.until("renewals that will be lost", () -> horizon(database) > first + WINDOW.toMillis() / 4);
        network.refuse(); // the old process cannot see what is new, and has its window
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, "LOCK TABLE idgen_worker IN ACCESS EXCLUSIVE MODE");
            Sql.execute(connection, "DELETE FROM idgen_worker");
            Sql.execute(connection, "INSERT INTO idgen_worker SELECT * FROM replica");
            Sql.execute(connection, newName);
            connection.commit();
        }
        return Instant.now();
    }

    private static long horizon(Database database) throws SQLException {
        return Sql.number(database.dataSource(), "SELECT horizon FROM idgen_worker WHERE worker_id = " + WORKER_ID);
    }

    /** One that is ready, and takes the only worker id that it may have with its first id. */
    private static Leaseholder holder(String url) throws IOException {
        return Leaseholder.start(
                        url,
                        "idgen.worker.assigner=jdbc",
                        "idgen.worker.datacenter-id=0",
                        "idgen.worker.id=" + WORKER_ID,
                        "idgen.worker.lease=1s",
                        "idgen.worker.renew=300ms",
                        "idgen.worker.window=" + WINDOW.toSeconds() + "s")
                .awaits(LeasingProcess.READY);
    }

    private static Database withServerThatCanBeRenamed() throws SQLException {
        Database database = TestDatabase.POSTGRESQL.create();
        for (String statement : SERVER_THAT_CAN_BE_RENAMED) {
            Sql.execute(database.dataSource(), statement);
        }
        new IdgenSchema(database.dataSource()).create();
        return database;
    }
}
