package io.idgen.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.Run;
import io.idgen.cli.common.ExitCodes;
import io.idgen.jdbc.testing.FreePort;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the strategies that request each id from Redis, with a Redis. */
@Tag("matrix")
class RedisCompareTest {
    @Test
    void theyAreMeasuredExceptForWhatOnlyTheDatabaseShows() throws IOException {
        int port = FreePort.find();
        RedisServer redis = new RedisServer(port);
        redis.start();
        int second = FreePort.find();
        RedisServer other = new RedisServer(second);
        other.start();
        try {
            Run run = Run.of(
                    "compare",
                    "--json",
                    "--duration",
                    "20",
                    "--rows",
                    "200",
                    "--outage",
                    "1200",
                    "--strategies",
                    "segment,redis-counter,redis-millisecond,redis-pipeline,redis-shards",
                    "--set",
                    "idgen.redis.uri=redis://127.0.0.1:" + port + "?timeout=60s",
                    "--set",
                    "idgen.redis.shards=redis://127.0.0.1:" + port + "?timeout=60s redis://127.0.0.1:" + second
                            + "?timeout=60s",
                    "--set",
                    "idgen.acquire-timeout=60s");

            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
            JsonNode strategies =
                    JsonMapper.builder().build().readTree(run.out()).path("strategies");
            assertThat(strategies.valueStream())
                    .extracting(s -> s.path("name").asString())
                    .containsExactly("segment", "redis-counter", "redis-millisecond", "redis-pipeline", "redis-shards");
            assertThat(strategies
                            .valueStream()
                            .filter(s -> s.path("name").asString().startsWith("redis-")))
                    .allSatisfy(redisScheme -> {
                        assertThat(redisScheme.path("speed").path("median").asDouble())
                                .isPositive();
                        assertThat(redisScheme.path("inserts").path("rows").asLong())
                                .isPositive();
                        assertThat(redisScheme
                                        .path("duplicates")
                                        .path("checked")
                                        .asLong())
                                .isPositive();
                        assertThat(redisScheme.path("duplicates").path("count").asLong(-1))
                                .isZero();
                        assertThat(redisScheme.path("roundTripsPerThousand").isNull())
                                .isTrue();
                        assertThat(redisScheme.path("outage").isNull()).isTrue();
                        assertThat(redisScheme.path("restart").isNull()).isTrue();
                    });
            assertThat(strategies.path(0).path("outage").isNull()).isFalse();
        } finally {
            redis.stop();
            other.stop();
        }
    }
}
