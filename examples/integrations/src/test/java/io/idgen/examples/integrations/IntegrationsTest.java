package io.idgen.examples.integrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdGenerationException;
import io.idgen.core.SourceSnapshot.Health;
import io.idgen.core.config.IdSources;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import redis.embedded.RedisServer;

@Tag("matrix")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class IntegrationsTest {
    @Test
    void theJsonOfAnOrderIsTheOneInThePage() throws IOException {
        assertThat(JsonIds.order())
                .isEqualTo("{\"id\":\"382324861541810186\",\"lines\":[\"382324861541810187\"],\"pages\":3}");
        assertThat(Files.readString(Path.of("..", "..", "docs", "json.md"))).contains(JsonIds.order());
    }

    @Test
    void theJsonOfACustomerHidesItsId() {
        assertThat(JsonIds.customer("sixteen bytes or".getBytes(StandardCharsets.US_ASCII)))
                .matches("\\{\"id\":\"k1_[0-9A-Z]{13}\",\"name\":\"Dorothea\"}");
    }

    // First: a later test may lease worker id 0, which this one uses without a lease, and ids of a new namespace begin
    // minutes ahead of the clock.
    @Test
    @Order(1)
    void metersAndHealthAreThereBeforeTheFirstId() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (IdSources sources = SourceMeters.open(registry)) {
            assertThat(registry.get("idgen.health").gauge().value()).isNaN();
            sources.get("orders").nextId();

            assertThat(registry.get("idgen.health").gauge().value()).isEqualTo(1);
            assertThat(SourceMeters.health(sources)).isEqualTo(Health.UP);
        }
    }

    @Test
    void aWorkerIdIsLeasedFromARedisThatIsMarked() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        RedisServer redis = new RedisServer(port);
        redis.start();
        try {
            String uri = "redis://127.0.0.1:" + port + "?timeout=60s";
            assertThat(assertThrows(IdGenerationException.class, () -> WorkerIdsFromRedis.firstId(uri)))
                    .hasStackTraceContaining("redis-cli HSET");
            WorkerIdsFromRedis.mark(uri);

            assertThat(WorkerIdsFromRedis.firstId(uri)).isPositive();
        } finally {
            redis.stop();
        }
    }

    @Test
    void aWorkerIdIsLeasedFromZooKeeper() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework client =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1_000))) {
            client.start();
            long first = WorkerIdsFromZooKeeper.firstId(server.getConnectString());

            // not "greater": in a new namespace each worker id begins minutes ahead of the clock
            assertThat(WorkerIdsFromZooKeeper.firstId(client)).isPositive().isNotEqualTo(first);
            WorkerIdsFromZooKeeper.examine(client);
        }
    }
}
