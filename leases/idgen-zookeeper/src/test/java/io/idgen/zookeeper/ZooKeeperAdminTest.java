package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.testing.LeaseAdminContract;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the requests of the doctor and repairs on a server. */
class ZooKeeperAdminTest extends LeaseAdminContract {
    private static final List<ACL> READ_ONLY = List.of(new ACL(1, new Id("world", "anyone")));

    private static TestingServer server;
    private static CuratorFramework client;

    private ZooKeeperWorkerIds opened;

    @BeforeAll
    static void start() throws Exception {
        server = new TestingServer();
        client = Servers.client(server.getConnectString());
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        server.close();
    }

    @Override
    protected LeaseStore open() {
        opened = new ZooKeeperWorkerIds(client, Servers.prepare(client, 8));
        return opened;
    }

    @Override
    protected LeaseAdmin admin() {
        return opened.admin();
    }

    private static LeaseAdmin of(String root) {
        return new ZooKeeperWorkerIds(client, root).admin();
    }

    private static List<Function<Paths, String>> nodes() {
        return List.of(paths -> paths.worker("default", 3), Paths::clock, paths -> paths.namespace("default"));
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void aNodeThatThisUserMayNotChangeIsFound(Function<Paths, String> node) throws Exception {
        String root = Servers.prepare(client, 8);
        of(root).checkWritable("default");
        client.setACL().withACL(READ_ONLY).forPath(node.apply(new Paths(root)));

        AllocationException e =
                Assertions.assertThrows(AllocationException.class, () -> of(root).checkWritable("default"));
        assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
        assertThat(e).hasMessageContainingAll("NoAuth", "check the credentials", root);
    }

    @Test
    void theTrialOfAMissingRootCreatesNoNode() throws Exception {
        client.create().forPath("/shop");

        of("/shop/ids/of/idgen").checkWritable("default");

        assertThat(client.getChildren().forPath("/shop")).isEmpty();
    }

    @Test
    void anExaminationNamesTheServerAndWhatIsMissing() {
        String root = Servers.prepare(client, 8);

        assertThat(of("/nobody").findings("default", InstantSource.system()))
                .singleElement()
                .satisfies(found -> assertThat(found.text()).contains("no process has leased", "/nobody"));
        assertThat(of(root).findings("default", InstantSource.system()))
                .extracting(Finding::subject)
                .containsExactly("servers", "clock");
        assertThat(new ZooKeeperWorkerIds(client, root))
                .asString()
                .contains(server.getConnectString())
                .contains(root);
    }
}
