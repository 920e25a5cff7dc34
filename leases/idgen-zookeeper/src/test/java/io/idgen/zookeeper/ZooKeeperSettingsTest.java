package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.test.internal.Leases;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that settings alone lease a worker id from ZooKeeper. */
@Tag("matrix")
class ZooKeeperSettingsTest {
    @AutoClose
    private TestingServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
    }

    private IdSources.Builder sources() {
        return IdSources.builder()
                .source("orders")
                .set("idgen.worker.assigner", "zookeeper")
                .set("idgen.zookeeper.connect", server.getConnectString());
    }

    @Test
    void aNewNamespaceIsCreatedAndItsFirstIdsLieAboveAllThatADeletedOneCanHaveGranted() throws Exception {
        try (CuratorFramework client = Servers.client(server.getConnectString());
                IdSources sources =
                        sources().set("idgen.zookeeper.root", "/shop/ids").build()) {
            long id = sources.get("orders").nextId();
            Map<Integer, WorkerNode> leased = Servers.leased(client, "/shop/ids");
            assertThat(leased).hasSize(1);
            LeaseTerms terms = Leases.terms(1024);
            long begin = client.checkExists()
                            .forPath("/shop/ids/workers/default/"
                                    + leased.keySet().iterator().next())
                            .getCtime()
                    + terms.window().plus(LeaseStore.SERVER_SKEW).toMillis();
            assertThat(SnowflakeLayout.IDGEN.parse(id).time().toEpochMilli()).isGreaterThanOrEqualTo(begin);
            assertThat(client.getChildren().forPath("/shop/ids/workers/default"))
                    .hasSize(1024);
        }
    }

    @Test
    void nodesOfAProcessWithCredentialsAreItsOwn() throws Exception {
        try (IdSources sources =
                sources().set("idgen.zookeeper.auth", "digest:idgen:secret").build()) {
            sources.get("orders").nextId();
        }
        try (CuratorFramework stranger = Servers.client(server.getConnectString())) {
            LeaseStore store = new ZooKeeperWorkerIds(stranger);
            assertThatThrownBy(() -> store.candidates(Leases.terms(4), null))
                    .isInstanceOf(AllocationException.class)
                    .hasMessageContaining(ErrorCode.STATEMENT_REFUSED.code())
                    .hasMessageContaining("ACLs of the nodes below /idgen");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "idgen.zookeeper.root, idgen, must start with",
        "idgen.zookeeper.root, /, a node below",
        "idgen.zookeeper.acl, everybody, open or creator is expected",
        "idgen.zookeeper.connect, 'zk1:none', port",
        "idgen.zookeeper.auth, digest, 'a scheme, a colon and credentials'"
    })
    void aSettingThatIsInvalidIsRefused(String key, String value, String rule) {
        assertThatThrownBy(() -> sources().set(key, value).build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(rule);
    }

    @Test
    void theServersMustBeSet() {
        assertThatThrownBy(() -> IdSources.builder()
                        .source("orders")
                        .set("idgen.worker.assigner", "zookeeper")
                        .set("idgen.startup", "eager")
                        .build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("idgen.zookeeper.connect");
    }
}
