package io.idgen.redis.internal.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.config.IdSources;
import io.idgen.redis.RedisServer;
import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ids of several Redis, each with a digit of its own. */
class RedisShardsTest {
    private static RedisServer a;
    private static RedisServer b;

    @BeforeAll
    static void start() throws IOException {
        a = RedisServer.start();
        b = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        a.close();
        b.close();
    }

    private static IdSources sources(String name, String... uris) {
        return IdSources.builder()
                .set("idgen.strategy", "redis-shards")
                .set("idgen.redis.shards", String.join(" ", uris))
                .source(name)
                .build();
    }

    @Test
    void theLastDigitIsThePositionOfTheRedis() throws IOException {
        try (RedisServer c = RedisServer.start();
                IdSources sources = sources("digits", a.uri(), b.uri(), c.uri())) {
            assertThat(sources.get("digits").nextIds(6)).containsExactly(10, 11, 12, 20, 21, 22);
        }
    }

    @Test
    void aRedisThatIsGoneIsLeftOut() throws IOException {
        RedisServer ending = RedisServer.start();
        try (IdSources sources = sources("gone", a.uri(), ending.uri(), b.uri())) {
            assertThat(sources.get("gone").nextIds(3)).containsExactly(10, 11, 12);
            ending.close();

            assertThat(sources.get("gone").nextIds(4)).containsExactly(20, 22, 32, 30);
        }
    }

    /** The weakness of this scheme that no single Redis has: the order in the settings is part of each id. */
    @Test
    void idsComeAgainIfAnotherProcessListsTheRedisInAnotherOrder() {
        try (IdSources one = sources("order", a.uri(), b.uri());
                IdSources other = sources("order", b.uri(), a.uri())) {
            assertThat(one.get("order").nextId()).isEqualTo(10);
            assertThat(other.get("order").nextId()).isEqualTo(10);
        }
    }

    @Test
    void moreRedisThanDigitsAreRefused() {
        String eleven = String.join(" ", Collections.nCopies(11, "redis://localhost"));

        assertThat(assertThrows(ConfigurationException.class, () -> sources("many", eleven)))
                .hasMessageContainingAll("idgen.redis.shards", "at most 10 Redis", "got 11");
    }
}
