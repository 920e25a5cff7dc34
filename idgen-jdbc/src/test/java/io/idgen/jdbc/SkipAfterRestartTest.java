package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.FailbackPair;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * How many ids of a counter a restart of MariaDB or MySQL skips: none if commits are durable and the server knows which
 * transactions of others it has executed, otherwise twice the reach, as a takeover does.
 */
@Tag("servers")
class SkipAfterRestartTest {
    private static final int REACH = 1_000;
    private static final int ALL = 2 * REACH;

    /**
     * A server.
     *
     * @param skipped how many ids a restart skips
     */
    private record Server(int skipped, String... options) {}

    private static final List<Server> MARIADB = List.of(
            new Server(0),
            new Server(0, "--log-bin=bin", "--sync-binlog=1"),
            new Server(ALL, "--log-bin=bin", "--sync-binlog=0"),
            new Server(ALL, "--innodb-flush-log-at-trx-commit=0"));

    private static final String[] GTIDS = {"--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"};

    private static final List<Server> MYSQL = List.of(
            new Server(0, "--skip-log-bin"),
            new Server(0, GTIDS),
            new Server(ALL, "--log-bin=bin", "--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"),
            new Server(
                    ALL,
                    Stream.concat(Arrays.stream(GTIDS), Stream.of("--innodb-flush-log-at-trx-commit=0"))
                            .toArray(String[]::new)));

    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aRestartSkipsNothingIfTheServerCannotLackACommit(TestDatabase kind) throws Exception {
        boolean isMariaDb = kind == TestDatabase.MARIADB;
        for (Server each : isMariaDb ? MARIADB : MYSQL) {
            try (RestartableServer server =
                    isMariaDb ? RestartableServer.mariaDb(each.options) : RestartableServer.mySql(each.options)) {
                new IdgenSchema(server.dataSource()).create();
                Counters counters =
                        new Counters(server.dataSource()).startingAt(1).withReach(REACH);
                assertThat(first(counters)).isOne();
                Sql.execute(server.dataSource(), "FLUSH ENGINE LOGS"); // what is counted must not be lost

                LostCommitsTest.awaitSecondAfterTheStart(server);
                server.stop();
                server.start();
                long afterStop = first(counters);
                assertThat(afterStop).as("%s, stopped", each).isEqualTo(2 + each.skipped);
                Sql.execute(server.dataSource(), "FLUSH ENGINE LOGS");

                LostCommitsTest.awaitSecondAfterTheStart(server);
                server.kill();
                server.start();
                assertThat(first(counters)).as("%s, killed", each).isEqualTo(afterStop + 1 + each.skipped);
            }
        }
    }

    private static long first(Counters counters) {
        return counters.allocate("orders", 1).first();
    }

    /**
     * The row still names the former primary, which has lost grants when it is rebuilt. The control takes all servers
     * for the same one.
     */
    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aFormerPrimaryThatReturnsSkips(TestDatabase kind) throws Exception {
        try (FailbackPair servers = kind == TestDatabase.MARIADB ? FailbackPair.ofMariaDb() : FailbackPair.ofMySql()) {
            new IdgenSchema(primary(servers)).create();
            first(counters(servers));
            control(servers);
            servers.cut();
            long lost = first(counters(servers));
            long lostOfControl = control(servers);
            servers.takeOver();
            Sql.execute(primary(servers), "CREATE TABLE shop (id int)"); // the only transaction of the interim primary
            servers.cut();
            servers.takeOver();
            servers.crash(); // so that the former primary starts again; its commits are durable

            assertThat(first(counters(servers))).isEqualTo(lost + ALL);
            assertThat(control(servers)).as("the control").isEqualTo(lostOfControl);
        }
    }

    private static UrlDataSource primary(FailbackPair servers) {
        return new UrlDataSource(servers.url(), "", "", Duration.ofSeconds(5));
    }

    private static Counters counters(FailbackPair servers) {
        return new Counters(primary(servers)).startingAt(1).withReach(REACH);
    }

    private static long control(FailbackPair servers) {
        return counters(servers).identifiedAs("the same").allocate("control", 1).first();
    }
}
