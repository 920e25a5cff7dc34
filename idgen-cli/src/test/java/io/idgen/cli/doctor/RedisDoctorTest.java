package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.snowflake.Snowflake;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the doctor's findings, with and without problems. */
@Timeout(600)
class RedisDoctorTest {
    @Test
    void aRedisInGoodOrderHasNoBadFinding() throws Exception {
        try (RedisServer server = RedisServer.start("--appendonly", "yes");
                RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
            Rows.prepare(scripts, "default", SnowflakeLayout.IDGEN);
            try (Snowflake snowflake =
                    Snowflake.builder().leasedFrom(new RedisWorkerIds(scripts)).build()) {
                assertThat(snowflake.nextId()).isPositive();

                List<Finding> findings = Doctor.of(new RedisWorkerIds(scripts), "default", Clock.systemUTC())
                        .examine();

                assertThat(findings)
                        .extracting(Finding::subject)
                        .containsExactly(
                                "server",
                                "marker",
                                "durability",
                                "eviction",
                                "replicas",
                                "clock",
                                "changes",
                                "worker ids",
                                "horizons",
                                "layout",
                                "next lease");
                assertThat(Finding.worst(findings)).isEqualTo(Level.OK);
                assertThat(findings.get(7).text()).endsWith("1 of 1024 leased, 1023 free");
                assertThat(findings.get(8).text()).contains("ticks are granted up to ");
                assertThat(findings.get(10).text()).endsWith("1023 worker ids can be leased now");
            }
        }
    }

    @Test
    void whatIsWrongIsFoundWithItsUrgencyAndWhatToDo() throws Exception {
        Clock slow = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));
        try (RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru");
                RedisServer replica = RedisServer.replicaOf(server);
                RedisScripts scripts = RedisScripts.connectingTo(server.uri());
                RedisScripts ofReplica = RedisScripts.connectingTo(replica.uri())) {
            List<Finding> findings = Doctor.of(new RedisWorkerIds(scripts).withKeyPrefix("shop"), "orders", slow)
                    .examine();

            assertThat(findings)
                    .extracting(Finding::level)
                    .containsExactly(
                            Level.OK, Level.WRONG, Level.WARN, Level.WARN, Level.WARN, Level.WRONG, Level.OK, Level.OK);
            assertThat(findings.get(1).text()).endsWith("then run idgen repair");
            assertThat(findings.get(3).text()).contains("allkeys-lru");
            assertThat(findings.get(5).text()).contains("behind that of Redis");
            assertThat(Doctor.of(new RedisWorkerIds(ofReplica), "orders", slow)
                            .examine()
                            .get(0)
                            .level())
                    .isEqualTo(Level.WRONG);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "allkeys-lru, WARN",
        "allkeys-lfu, WARN",
        "allkeys-random, WARN",
        "noeviction, OK",
        "volatile-lru, OK",
        "volatile-lfu, OK",
        "volatile-random, OK",
        "volatile-ttl, OK"
    })
    void aPolicyThatEvictsKeysWithoutAnExpiryIsAWarning(String policy, Level level) throws Exception {
        try (RedisServer server = RedisServer.start("--maxmemory-policy", policy);
                RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
            assertThat(Doctor.of(new RedisWorkerIds(scripts), "orders", Clock.systemUTC())
                            .examine())
                    .filteredOn(finding -> finding.subject().equals("eviction"))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.level()).isEqualTo(level);
                        assertThat(finding.text()).startsWith("maxmemory-policy is " + policy);
                    });
        }
    }
}
