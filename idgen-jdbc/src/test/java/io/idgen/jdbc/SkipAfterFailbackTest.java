package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.FailbackPair;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * How many ids of a counter are skipped when MariaDB and MySQL know the transactions of others that they have executed.
 * The counter {@code control} names its servers without one half of their identity.
 */
@Tag("nightly")
class SkipAfterFailbackTest {
    private static final int REACH = 1_000;
    private static final int ALL = 2 * REACH;
    private static final int HEARTBEATS = 60;

    private static final String BY_HISTORY = "SELECT SUBSTR(server_id, 33) FROM idgen_counter WHERE name = 'orders'";

    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aFormerPrimaryThatWasRebuiltByABackupSkips(TestDatabase kind) throws Exception {
        try (FailbackPair servers = pair(kind).rebuiltPhysically()) {
            String url = servers.url();
            DataSource first = source(url);
            new IdgenSchema(first).create();
            next(first, "orders");
            next(first, "control");
            servers.cut();
            long lost = next(first, "orders");
            long lostOfControl = next(first, "control");
            servers.takeOver();
            Sql.execute(source(servers.url()), "CREATE TABLE shop (id int)"); // all that the interim primary commits
            servers.cut();
            servers.takeOver();

            assertThat(servers.url()).isEqualTo(url);
            assertThat(next(first, "orders")).isEqualTo(lost + ALL);
            Sql.execute(
                    first,
                    kind == TestDatabase.MARIADB ? "SET GLOBAL gtid_slave_pos = ''" : "RESET BINARY LOGS AND GTIDS");
            Sql.execute(first, "CREATE TABLE own (id int)"); // as before, the history has only own transactions
            assertThat(next(first, "control")).as("without the history").isEqualTo(lostOfControl);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void whileThePassiveSideWritesNothingIsSkippedAndARestartSkipsOnce(TestDatabase kind) throws Exception {
        try (FailbackPair servers = pair(kind)) {
            DataSource active = source(servers.url());
            DataSource passive = source(servers.replicaUrl());
            new IdgenSchema(active).create();
            Sql.execute(active, "CREATE TABLE heartbeat (id int PRIMARY KEY)");
            servers.awaitReplica();
            servers.circulate();
            assertThat(next(active, "orders")).isOne();
            long control = control(active, BY_HISTORY);
            int restarts = 0;
            for (int beat = 1; beat <= HEARTBEATS; beat++) {
                beat(passive, active, beat);
                if (beat == HEARTBEATS / 2) {
                    servers.crash();
                    restarts = 1;
                    beat(passive, active, -1); // the history, too, has changed since the last allocation
                }
                assertThat(next(active, "orders")).as("heartbeat %d", beat).isEqualTo(1 + beat + restarts * ALL);
                assertThat(control(active, BY_HISTORY)).isEqualTo(control + 1 + ALL);
                control += 1 + ALL;
            }
        }
    }

    private static void beat(DataSource passive, DataSource active, int beat) throws Exception {
        Sql.execute(passive, "INSERT INTO heartbeat VALUES (" + beat + ")");
        Await.until(
                "the heartbeat", () -> Sql.number(active, "SELECT count(*) FROM heartbeat WHERE id = " + beat) == 1);
    }

    /** The control restarts while they are switched off. Each restart switches them on, as is MySQL's default. */
    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase(TestDatabase.MYSQL)
    void gtidsThatAreSwitchedOnWhileProcessesRunSkipNothing(TestDatabase kind) throws Exception {
        assertThat(kind).isEqualTo(TestDatabase.MYSQL);
        try (RestartableServer server = RestartableServer.mySql("--log-bin=bin", "--enforce-gtid-consistency=ON")) {
            DataSource database = source(server.url());
            new IdgenSchema(database).create();
            Counters running = new Counters(database).onDemand().startingAt(1).withReach(REACH);
            long last = first(running, "orders");
            last = switchGtids(database, running, last, "ON_PERMISSIVE", "OFF_PERMISSIVE", "OFF");
            restart(server);
            last += 1 + ALL;
            assertThat(first(running, "orders")).as("control").isEqualTo(last);

            last = switchGtids(database, running, last, "ON_PERMISSIVE", "OFF_PERMISSIVE", "OFF");
            last = switchGtids(database, running, last, "OFF_PERMISSIVE", "ON_PERMISSIVE", "ON");
            restart(server);
            assertThat(first(running, "orders")).as("stopped").isEqualTo(++last);
            server.kill();
            server.start();
            assertThat(next(database, "orders")).as("killed").isEqualTo(++last);
        }
    }

    private static long switchGtids(DataSource server, Counters running, long before, String... modes)
            throws SQLException {
        long last = before;
        for (String mode : modes) {
            Sql.execute(server, "SET GLOBAL gtid_mode = " + mode);
            assertThat(first(running, "orders")).as(mode).isEqualTo(++last);
        }
        return last;
    }

    /** The control compares the server's GTIDs without its own ones, as a function of MySQL subtracts them. */
    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase(TestDatabase.MYSQL)
    void gtidsWithATagAreOnesOfTheirServer(TestDatabase kind) throws Exception {
        String own = "SELECT LEFT(SHA2(GTID_SUBTRACT(@@gtid_executed,"
                + " CONCAT(@@server_uuid, ':1-9223372036854775806')), 256), 32)";
        try (FailbackPair servers = pair(kind)) {
            DataSource first = source(servers.url());
            new IdgenSchema(first).create();
            assertThat(next(first, "orders")).isOne();
            long control = control(first, own);
            tagged(first, "CREATE TABLE own (id int)");
            servers.crash();
            assertThat(next(first, "orders")).as("own tags").isEqualTo(2);
            assertThat(control(first, own)).isEqualTo(control + 1 + ALL);

            servers.cut();
            long lost = next(first, "orders");
            servers.takeOver();
            tagged(source(servers.url()), "CREATE TABLE others (id int)");
            servers.cut();
            servers.takeOver();
            servers.crash();
            assertThat(next(first, "orders")).as("tags of the interim primary").isEqualTo(lost + ALL);
        }
    }

    private static void tagged(DataSource server, String statement) throws SQLException {
        try (Connection connection = server.getConnection()) {
            Sql.execute(connection, "SET SESSION gtid_next = 'AUTOMATIC:nightly'");
            Sql.execute(connection, statement);
        }
    }

    private static void restart(RestartableServer server) throws Exception {
        LostCommitsTest.awaitSecondAfterTheStart(server);
        server.stop();
        server.start();
    }

    private static FailbackPair pair(TestDatabase kind) throws SQLException {
        return kind == TestDatabase.MARIADB ? FailbackPair.ofMariaDb() : FailbackPair.ofMySql();
    }

    private static DataSource source(String url) {
        return new UrlDataSource(url, "", "", Duration.ofSeconds(5));
    }

    private static long next(DataSource server, String name) {
        return first(new Counters(server).onDemand().startingAt(1).withReach(REACH), name);
    }

    private static long first(Counters counters, String name) {
        return counters.allocate(name, 1).first();
    }

    /** Takes an id, with the result of a query as the only identity of the server. */
    private static long control(DataSource server, String identity) throws SQLException {
        Counters counters = new Counters(server).onDemand().startingAt(1).withReach(REACH);
        return first(counters.identifiedAs(Sql.rows(server, identity).get(0)), "control");
    }
}
