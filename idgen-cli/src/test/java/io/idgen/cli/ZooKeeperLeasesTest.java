package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.jdbc.testing.FreePort;
import io.idgen.zookeeper.ZooKeeperWorkerIds;
import io.idgen.zookeeper.internal.ZooKeeperLeaseStoreProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code doctor} and {@code repair} with ZooKeeper. */
@Tag("matrix")
class ZooKeeperLeasesTest extends LeasesTest {
    private static final String NAMESPACE = "/idgen/workers/default";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private TestingServer server;
    private CuratorFramework client;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
        client = ZooKeeperLeaseStoreProvider.start(server.getConnectString(), TIMEOUT, null);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    @Override
    String option() {
        return "--zookeeper=" + server.getConnectString();
    }

    @Override
    String shown() {
        return "ZooKeeper at " + server.getConnectString() + "/idgen";
    }

    @Override
    String place() {
        return NAMESPACE;
    }

    @Override
    void createWorkerIds() {
        createWorkerIds(client);
    }

    private static void createWorkerIds(CuratorFramework creator) {
        new ZooKeeperWorkerIds(creator)
                .candidates(
                        new Terms(
                                "default",
                                SnowflakeLayout.IDGEN,
                                0,
                                1024,
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(3)),
                        null);
    }

    private void set(long horizon, String... fields) throws Exception {
        String text = "fence=0\nhorizon=" + horizon + "\n" + String.join("\n", fields);
        client.setData().forPath(NAMESPACE + "/" + WORKER_ID, text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    void lease() throws Exception {
        set(0, "token=x", "owner=17@web-3", "alive-ms=" + (FOR_EVER - System.currentTimeMillis()));
    }

    @Override
    void setHorizon(long millis) throws Exception {
        set(millis, "alive-ms=0");
    }

    @Override
    String content() throws Exception {
        StringBuilder all = new StringBuilder();
        for (String path : new String[] {"/idgen/era", NAMESPACE, NAMESPACE + "/" + WORKER_ID}) {
            if (client.checkExists().forPath(path) != null) {
                all.append(new String(client.getData().forPath(path), StandardCharsets.UTF_8))
                        .append('\n');
            }
        }
        return all.toString();
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
                ZooKeeperLeaseStoreProvider.start(server.getConnectString(), TIMEOUT, "digest:shop:secret")) {
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
        assertThat(Run.of("doctor", "--zookeeper", "127.0.0.1:" + port, "--timeout", "1")
                        .refusal())
                .contains("127.0.0.1:" + port, "check that it runs", "--zookeeper")
                .doesNotContain("--url");
        assertThat(Run.of("doctor", "--zookeeper", "zk1:x").refusal()).contains("zk1:2181,zk2:2181,zk3:2181");
    }
}
