package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.MariaDbDialect;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.MariaDbPair;
import io.idgen.test.internal.Together;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A replica of MariaDB that takes over on its primary's port, without the commits that granted ticks on the primary.
 */
@Timeout(180)
@Tag("databases")
class MariaDbTakeoverTest {
    private static final Duration WINDOW = Duration.ofSeconds(8);
    private static final int WORKER_ID = 0;

    @Test
    void noTickThatALostCommitHadGrantedIsGrantedAgain() throws Exception {
        try (MariaDbPair servers = new MariaDbPair();
                FaultProxy network = FaultProxy.before(servers.url())) {
            DataSource database = new UrlDataSource(servers.url(), "", "", Duration.ofSeconds(5));
            new IdgenSchema(database).create();
            servers.cut();
            try (Leaseholder old = holder(network.url());
                    Leaseholder fresh = holder(servers.url())) {
                String before = identity(database);
                takeOver(servers, database, old, network);
                assertThat(identity(database)).isNotEqualTo(before).hasSize(40);
                fresh.tell(LeasingProcess.DRAW);
                Await.until("ids of the process that is new", () -> fresh.count() > 1_000);

                long[] ofOld = old.ids();
                long[] ofFresh = fresh.ids();
                Together.assertDistinct(List.of(ofOld, ofFresh));
                assertThat(Leaseholder.workerId(ofOld[0])).isEqualTo(WORKER_ID);
                assertThat(Leaseholder.workerId(ofFresh[0])).isEqualTo(WORKER_ID);
                assertThat(ofFresh[0]).as("above all that may have been lost").isGreaterThan(ofOld[ofOld.length - 1]);
            }
        }
    }

    /** That the test above finds what it is for: MariaDB's own identity is the same for every server on the port. */
    @Test
    void byServerUidTheTakeoverIsNotNoticedAndIdsRepeat() throws Exception {
        try (MariaDbPair servers = new MariaDbPair();
                FaultProxy network = FaultProxy.before(servers.url())) {
            DataSource database = new UrlDataSource(servers.url(), "", "", Duration.ofSeconds(5));
            new IdgenSchema(database).create();
            String before = serverUid(database);
            Sql.execute(database, "UPDATE idgen_worker SET server_id = '" + before + "'");
            servers.cut();
            try (Leaseholder old = holder(network.url(), "idgen.jdbc.server-identity=" + before)) {
                Instant tookOver = takeOver(servers, database, old, network);
                String after = serverUid(database);
                assertThat(after).isEqualTo(before);
                try (Leaseholder fresh = holder(servers.url(), "idgen.jdbc.server-identity=" + after)) {
                    fresh.tell(LeasingProcess.DRAW);
                    Await.until("the end of the old window", () -> fresh.hasReached(tookOver.plus(WINDOW)));

                    assertThrows(AssertionError.class, () -> Together.assertDistinct(List.of(old.ids(), fresh.ids())));
                }
            }
        }
    }

    /** The primary grants what its replica never hears of, and dies; its process has its window and no network. */
    private static Instant takeOver(MariaDbPair servers, DataSource database, Leaseholder old, FaultProxy network)
            throws Exception {
        old.tell(LeasingProcess.DRAW);
        Await.until("the first lease", () -> old.count() > 0);
        long first = horizon(database);
        Await.until("renewals that will be lost", () -> horizon(database) > first + WINDOW.toMillis() / 4);
        network.refuse();
        servers.takeOver();
        assertThat(horizon(database)).as("what the replica knows").isZero();
        return Instant.now();
    }

    private static long horizon(DataSource database) throws SQLException {
        return Sql.number(database, "SELECT horizon FROM idgen_worker WHERE worker_id = " + WORKER_ID);
    }

    private static String identity(DataSource database) throws SQLException {
        return Sql.rows(database, "SELECT " + new MariaDbDialect().serverIdentity())
                .get(0);
    }

    private static String serverUid(DataSource database) throws SQLException {
        return Sql.rows(database, "SELECT @@server_uid").get(0);
    }

    /** One that is ready, and takes the only worker id that it may have with its first id. */
    private static Leaseholder holder(String url, String... more) throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                "idgen.worker.assigner=jdbc",
                "idgen.worker.datacenter-id=0",
                "idgen.worker.id=" + WORKER_ID,
                "idgen.worker.lease=1s",
                "idgen.worker.renew=300ms",
                "idgen.worker.window=" + WINDOW.toSeconds() + "s"));
        settings.addAll(List.of(more));
        return Leaseholder.start(url, settings.toArray(String[]::new)).awaits(LeasingProcess.READY);
    }
}
