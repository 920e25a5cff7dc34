package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.jdbc.testing.Await;
import io.idgen.test.internal.Leases;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
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

    /** An entity whose ids Hibernate sets. */
    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        @SnowflakeId
        Long id;
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
            LeaseStore.Terms terms = Leases.terms(1024);
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
    void underHibernateTheWorkerIdOfAnEntityIsLeasedFromZooKeeper() throws Exception {
        try (CuratorFramework client = Servers.client(server.getConnectString())) {
            Servers.prepare(client, "/idgen", 1024);
            // closing waits for the release for a second at most, and a busy machine may take longer
            Await.until("a release when the factory is closed", () -> {
                int workerId = workerIdUnderHibernate(client);
                return !Servers.leased(client, "/idgen").containsKey(workerId);
            });
        }
    }

    /** Persists an entity, checks that its worker id is leased, and returns it after the factory is closed. */
    private int workerIdUnderHibernate(CuratorFramework client) throws Exception {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Invoice.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:zookeeper;DB_CLOSE_DELAY=-1")
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .setProperty("idgen.worker.assigner", "zookeeper")
                .setProperty("idgen.zookeeper.connect", server.getConnectString());
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            Invoice invoice = new Invoice();
            factory.inTransaction(session -> session.persist(invoice));

            SnowflakeParts parts = SnowflakeLayout.IDGEN.parse(invoice.id);
            int workerId = (int) SnowflakeLayout.IDGEN.packWorker(parts.datacenter(), parts.worker());
            assertThat(Servers.leased(client, "/idgen")).containsKey(workerId);
            long tables = factory.fromSession(session -> session.createNativeQuery(
                            "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'IDGEN_WORKER'",
                            Long.class)
                    .getSingleResult());
            assertThat(tables).as("tables for leases").isZero();
            return workerId;
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
            assertThatThrownBy(() -> store.candidates(
                            new LeaseStore.Terms(
                                    "default",
                                    SnowflakeLayout.IDGEN,
                                    0,
                                    4,
                                    Duration.ofSeconds(30),
                                    Duration.ofSeconds(180)),
                            null))
                    .isInstanceOf(AllocationException.class)
                    .hasMessageContaining(ErrorCode.STATEMENT_REFUSED.code())
                    .hasMessageContaining("ACLs of the nodes below /idgen");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "idgen.zookeeper.root, idgen, must start with",
        "idgen.zookeeper.root, /, a node below",
        "idgen.zookeeper.acl, everybody, must be open or creator",
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
