package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.testing.FreePort;
import io.idgen.zookeeper.ZooKeeperWorkerIds;
import io.idgen.zookeeper.internal.ZooKeeperLeaseStoreProvider;
import java.time.Duration;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code doctor} and {@code repair} with ZooKeeper. */
@Tag("matrix")
class ZooKeeperLeasesTest {
    private static final String NAMESPACE = "/idgen/workers/default";

    private TestingServer server;
    private CuratorFramework client;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
        client = ZooKeeperLeaseStoreProvider.start(server.getConnectString(), null);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private Run run(String command) {
        return Run.of((command + " --zookeeper " + server.getConnectString()).split(" "));
    }

    private static void createWorkerIds(CuratorFramework creator) {
        new ZooKeeperWorkerIds(creator)
                .candidates(
                        new LeaseTerms(
                                "default",
                                SnowflakeLayout.IDGEN,
                                0,
                                1024,
                                Set.of(),
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(3)),
                        null);
    }

    @Test
    void theDoctorFindsWorkerIdsAndTheRepairChangesThem() {
        createWorkerIds(client);

        assertThat(run("doctor").out())
                .startsWith("ZooKeeper at " + server.getConnectString() + "/idgen\n")
                .containsPattern("ok +worker ids +default, 41-5-5-12 from .*: 0 of 1024 leased, 1024 free")
                .doesNotContain("wrong ");
        assertThat(run("repair --yes").printed()).startsWith("repaired " + NAMESPACE + " 1024 worker ids: ");
        assertThat(run("repair namespace default --yes").printed()).contains(" -> removed");
    }

    @Test
    void aRootThatNoProcessUsesIsAWarningAndNotRepaired() throws Exception {
        Run run = run("doctor --root /shop");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).containsPattern("warn +nodes +no process has leased a worker id below .*/shop;");
        assertThat(run("repair --root /shop --yes").refusal()).contains("/shop, so there is nothing to repair");
        assertThat(run("repair --root shop --yes").refusal()).contains("an absolute path like /idgen, got 'shop'");
        assertThat(client.getChildren().forPath("/")).doesNotContain("shop");
    }

    @Test
    void nodesOfAnotherUserAreReadWithItsCredentials() throws Exception {
        try (CuratorFramework shop =
                ZooKeeperLeaseStoreProvider.start(server.getConnectString(), "digest:shop:secret")) {
            createWorkerIds(shop);
        }

        assertThat(run("doctor --zookeeper-auth digest:shop:secret").exitCode()).isEqualTo(ExitCodes.OK);
        Run wrong = run("doctor --zookeeper-auth digest:shop:wrong");
        assertThat(wrong.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(wrong.out()).contains("check the credentials").doesNotContain("shop:wrong");
        assertThat(run("doctor --zookeeper-auth secret").refusal())
                .contains("like digest:user:password")
                .doesNotContain("got 'secret'");
    }

    @Test
    void aZooKeeperThatDoesNotAnswerIsReportedInALine() throws Exception {
        int port = FreePort.find();
        assertThat(Run.of("doctor", "--zookeeper", "127.0.0.1:" + port).refusal())
                .contains("127.0.0.1:" + port, "check that it runs", "--zookeeper")
                .doesNotContain("--url");
        assertThat(Run.of("doctor", "--zookeeper", "zk1:x").refusal()).contains("zk1:2181,zk2:2181,zk3:2181");
    }
}
