package io.idgen.redis.internal.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdSource;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisServer;
import io.idgen.test.IdSourceContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The schemes whose ids are counters of Redis without a time: the contract of every source, and their faults. */
@ParameterizedClass
@ValueSource(strings = {"redis-pipeline", "redis-shards"})
class RedisCountersTest extends IdSourceContract {
    private static RedisServer a;
    private static RedisServer b;
    private static RedisServer c;

    private final String strategy;
    private final List<IdSources> opened = new ArrayList<>();

    RedisCountersTest(String strategy) {
        this.strategy = strategy;
    }

    @BeforeAll
    static void start() throws IOException {
        a = RedisServer.start();
        b = RedisServer.start();
        c = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        a.close();
        b.close();
        c.close();
    }

    @AfterEach
    void close() {
        opened.forEach(IdSources::close);
    }

    private IdSource opened(IdSources.Builder builder) {
        IdSources sources =
                builder.set("idgen.strategy", strategy).source("orders").build();
        opened.add(sources);
        return sources.get("orders");
    }

    @Override
    protected IdSource open() {
        return strategy.equals("redis-shards")
                ? opened(IdSources.builder().set("idgen.redis.shards", a.uri() + " " + b.uri() + " " + c.uri()))
                : opened(IdSources.builder().set("idgen.redis.uri", a.uri()));
    }

    @Override
    protected int idsPerThread() {
        return 500; // an id may be a round trip
    }

    @Override
    protected boolean isRising() {
        return false; // the counters of the keys and of the Redis rise independently
    }

    private static void forgetAll() {
        for (RedisServer server : List.of(a, b, c)) {
            try (RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
                scripts.run("redis.call('FLUSHALL') return {}", "any", List.of());
            }
        }
    }

    private static Set<Long> draw(IdSource source, int count) {
        return LongStream.of(source.nextIds(count)).boxed().collect(Collectors.toSet());
    }

    @Test
    void twoProcessesGetDifferentIds() {
        Set<Long> first = draw(open(), 300);

        assertThat(draw(open(), 300)).doesNotContainAnyElementsOf(first);
    }

    @Test
    void aRedisIsNeeded() {
        assertThat(assertThrows(ConfigurationException.class, () -> opened(IdSources.builder())))
                .hasMessageContaining(strategy.equals("redis-shards") ? "idgen.redis.shards" : "idgen.redis.uri");
    }

    /** The weakness of these schemes. */
    @Test
    void idsComeAgainAsSoonAsRedisForgets() {
        forgetAll();
        Set<Long> before = draw(open(), 300);
        forgetAll();

        assertThat(draw(open(), 300)).containsAnyElementsOf(before);
    }

    @Test
    void anOutageOfAllRedisStopsIds() throws IOException {
        RedisServer ending = RedisServer.start();
        IdSource source = opened(IdSources.builder()
                .set(strategy.equals("redis-shards") ? "idgen.redis.shards" : "idgen.redis.uri", ending.uri()));
        long first = source.nextId();
        ending.close();

        assertThat(first).isPositive();
        assertThrows(StoreUnavailableException.class, () -> source.nextIds(1_000));
    }
}
