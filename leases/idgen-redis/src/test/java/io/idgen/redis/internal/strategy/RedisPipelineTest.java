package io.idgen.redis.internal.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.StoreUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisServer;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ids of many counters in one round trip. */
class RedisPipelineTest {

    /** Counts the trips, and loses the answer of the second one. */
    private static final class Lossy implements RedisScripts {
        private final RedisScripts scripts;
        private int trips;

        Lossy(String uri) {
            this.scripts = RedisScripts.connectingTo(uri);
        }

        @Override
        public List<String> run(String script, String key, List<String> arguments) {
            throw new AssertionError("each trip has many keys");
        }

        @Override
        public List<List<String>> runEach(String script, List<String> keys) {
            List<List<String>> answers = scripts.runEach(script, keys);
            if (++trips == 2) {
                throw new StoreUnavailableException("the answer is lost");
            }
            return answers;
        }

        @Override
        public void close() {
            scripts.close();
        }
    }

    @Test
    void aTripHas128IdsAndALostOneIsAGap() throws IOException {
        int trip = RedisPipeline.KEYS * RedisPipeline.ROUNDS;
        try (RedisServer server = RedisServer.start();
                Lossy redis = new Lossy(server.uri());
                IdSources sources = IdSources.builder()
                        .set("idgen.strategy", "redis-pipeline")
                        .resource(RedisScripts.class, redis)
                        .source("orders")
                        .build()) {
            Set<Long> ids = new HashSet<>();
            for (int i = 0; i < trip; i++) {
                ids.add(sources.get("orders").nextId());
            }
            assertThat(redis.trips).isEqualTo(1);
            assertThat(ids).hasSize(trip).contains(16L, 31L, 8 * 16L, 8 * 16L + 15);

            assertThrows(
                    StoreUnavailableException.class, () -> sources.get("orders").nextId());
            assertThat(ids.add(sources.get("orders").nextId())).isTrue();
            assertThat(redis.trips).isEqualTo(3);
        }
    }

    @Test
    void theDefaultRunsOneScriptAfterTheOther() throws IOException {
        try (RedisServer server = RedisServer.start();
                RedisScripts lettuce = RedisScripts.connectingTo(server.uri())) {
            RedisScripts other = new RedisScripts() {
                @Override
                public List<String> run(String script, String key, List<String> arguments) {
                    return lettuce.run(script, key, arguments);
                }

                @Override
                public void close() {}
            };
            List<String> keys = List.of("{a}1", "{a}2", "{a}1");

            assertThat(other.runEach(RedisScheme.INCREMENT, keys))
                    .containsExactly(List.of("1"), List.of("1"), List.of("2"));
            assertThat(lettuce.runEach(RedisScheme.INCREMENT, keys))
                    .containsExactly(List.of("3"), List.of("2"), List.of("4"));
        }
    }
}
