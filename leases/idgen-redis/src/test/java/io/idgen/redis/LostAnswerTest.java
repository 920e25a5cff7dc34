package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.StoreUnavailableException;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Await;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node of a Redis Cluster runs a script, and its answer is lost. */
@Tag("nightly")
class LostAnswerTest {
    private static final String COUNTER = "{default}:count";
    private static final String COUNT = "redis.call('INCR', KEYS[1]) return {'1'}";

    private RedisCluster cluster;
    private LosingProxy proxy;

    @BeforeEach
    void start() throws Exception {
        cluster = RedisCluster.start("{default}");
        proxy = LosingProxy.before(cluster.primary());
        cluster.announcePrimaryAs(proxy.port());
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        cluster.close();
    }

    private String count() throws Exception {
        return cluster.primary().command("GET", COUNTER);
    }

    @Test
    void aScriptWhoseAnswerIsLostIsNotSentAgain() throws Exception {
        try (RedisScripts scripts = RedisScripts.connectingTo(cluster.uri())) {
            scripts.run(COUNT, COUNTER, List.of());
            proxy.loseAnswerTo(COUNTER);
            assertThrows(StoreUnavailableException.class, () -> scripts.run(COUNT, COUNTER, List.of()));
            assertThat(proxy.hasLost()).isTrue();
            assertThat(count()).isEqualTo("2");

            scripts.run(COUNT, COUNTER, List.of());
            assertThat(count()).isEqualTo("3");
        }
    }

    /** Lettuce with its own default options. */
    @Test
    void controlAClientThatReconnectsSendsItTwice() throws Exception {
        RedisClusterClient client = RedisClusterClient.create(
                RedisURI.create("127.0.0.1", cluster.primary().port()));
        try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
            String[] keys = {COUNTER};
            connection.sync().eval(COUNT, ScriptOutputType.MULTI, keys);
            proxy.loseAnswerTo(COUNTER);
            connection.sync().eval(COUNT, ScriptOutputType.MULTI, keys);
            assertThat(proxy.hasLost()).isTrue();
            assertThat(count()).isEqualTo("3");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void aProcessWhoseRenewalIsNotAnsweredContinues() throws Exception {
        RedisScenariosTest.prepare(cluster.uri());
        try (RedisScripts scripts = RedisScripts.connectingTo(cluster.uri());
                Snowflake snowflake = ShortLeases.times(
                                Snowflake.builder(), Duration.ofSeconds(5), Duration.ofSeconds(20))
                        .layout(Processes.LAYOUT)
                        .leasedFrom(new RedisWorkerIds(scripts))
                        .acquireTimeout(Processes.PATIENCE, Processes.PATIENCE)
                        .build()) {
            Set<Long> ids = new HashSet<>();
            long first = snowflake.nextId();
            assertThat(ids.add(first)).isTrue();
            proxy.loseAnswerTo(cluster.primary().command("SCRIPT", "LOAD", LeaseScripts.EXTEND));
            Await.until("a renewal without an answer", proxy::hasLost);
            long lost = horizonOf(first);

            // of the same worker id, or of another one that is leased because the horizon of this one is unknown
            Await.until("a later renewal", () -> {
                long id = snowflake.nextId();
                assertThat(ids.add(id)).isTrue();
                return horizonOf(id) > lost + 1_000;
            });
        }
    }

    private long horizonOf(long id) throws Exception {
        String field = Processes.LAYOUT.parse(id).worker() + ":horizon";
        return Long.parseLong(cluster.primary().command("HGET", "idgen:{default}:workers", field));
    }
}
