package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.redis.RedisDoctor.Finding;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the doctor finds in good and in bad order. */
@Timeout(60)
class RedisDoctorTest {
    private static final List<String> SUBJECTS =
            List.of("server", "marker", "durability", "eviction", "replicas", "clock", "worker ids");

    @Test
    void aRedisInGoodOrderHasNoBadFinding() throws Exception {
        try (RedisServer server = RedisServer.start("--appendonly", "yes");
                RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
            Rows.prepare(scripts, "default", SnowflakeLayout.IDGEN);
            try (Snowflake snowflake =
                    Snowflake.builder().leasedFrom(new RedisWorkerIds(scripts)).build()) {
                assertThat(snowflake.nextId()).isPositive();

                List<Finding> findings = new RedisDoctor(scripts, Clock.systemUTC()).examine("default");

                assertThat(findings).extracting(Finding::subject).isEqualTo(SUBJECTS);
                assertThat(findings).filteredOn(finding -> !finding.good()).isEmpty();
                assertThat(findings.get(6).text()).contains("1 leased, 0 reserved, 1023 free; 0 are advanced");
            }
        }
    }

    @Test
    void whatIsWrongIsFoundWithWhatToDo() throws Exception {
        Clock slow = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-1));
        try (RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru");
                RedisServer replica = RedisServer.replicaOf(server);
                RedisScripts scripts = RedisScripts.connectingTo(server.uri());
                RedisScripts ofReplica = RedisScripts.connectingTo(replica.uri())) {
            List<Finding> findings =
                    new RedisDoctor(scripts, slow).withKeyPrefix("shop").examine("orders");

            assertThat(findings)
                    .filteredOn(Finding::good)
                    .extracting(Finding::subject)
                    .containsExactly("server", "worker ids");
            assertThat(findings.get(3).text()).contains("allkeys-lru");
            assertThat(new RedisDoctor(ofReplica, slow).examine("orders").get(0).good())
                    .isFalse();
        }
    }
}
