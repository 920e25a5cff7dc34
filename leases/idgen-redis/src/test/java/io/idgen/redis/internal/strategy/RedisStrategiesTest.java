package io.idgen.redis.internal.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisServer;
import io.idgen.test.IdSourceContract;
import io.idgen.test.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the strategies that request each id from Redis: the contract of every source, and the cases in which ids
 * repeat.
 */
@ParameterizedClass
@ValueSource(strings = {"redis-counter", "redis-millisecond"})
class RedisStrategiesTest extends IdSourceContract {
    @AutoClose
    private static RedisServer server;

    private final String strategy;
    private final List<IdSources> opened = new ArrayList<>();

    RedisStrategiesTest(String strategy) {
        this.strategy = strategy;
    }

    @BeforeAll
    static void start() throws IOException {
        server = RedisServer.start();
    }

    @AfterEach
    void close() {
        opened.forEach(IdSources::close);
    }

    private IdSources.Builder builder() {
        return IdSources.builder().set("idgen.strategy", strategy).source("orders");
    }

    private IdSource opened(IdSources.Builder builder) {
        IdSources sources = builder.build();
        opened.add(sources);
        return sources.get("orders");
    }

    @Override
    protected IdSource open() {
        return opened(builder().set("idgen.redis.uri", server.uri()));
    }

    @Override
    protected int idsPerThread() {
        return 500; // each id is a round trip
    }

    @Test
    void twoProcessesGetDifferentIds() {
        assertThat(open().nextId()).isNotEqualTo(open().nextId());
    }

    @Test
    void aRedisIsNeeded() {
        assertThat(assertThrows(ConfigurationException.class, () -> builder().build()))
                .hasMessageContaining("idgen.redis.uri");
    }

    /** The weakness of these schemes: ids repeat if Redis has lost its counters and a millisecond occurs again. */
    @Test
    void anIdComesAgainIfRedisForgetsAndTheTimeShowsAgain() {
        ManualClock clock = new ManualClock("2026-11-22T14:00:00Z");
        ForgetfulRedis redis = new ForgetfulRedis(server.uri(), clock.instant().toEpochMilli());
        IdSource source = opened(builder().resource(RedisScripts.class, redis).clock(clock));
        long id = source.nextId();
        assertThat(source.nextId()).isNotEqualTo(id);
        redis.forget();

        assertThat(source.nextId()).isEqualTo(id);
    }

    @Test
    void moreIdsOfAMillisecondThanFitAreRefused() {
        assertThat(assertThrows(AllocationException.class, () -> RedisStamps.id("orders", 1_800_000_000_000L, 1L << 22))
                        .code())
                .isEqualTo(ErrorCode.LIMIT_REACHED);
        long last = RedisStamps.id("orders", 1_800_000_000_000L, (1L << 22) - 1);
        assertThat(RedisStamps.LAYOUT.parse(last).sequence())
                .as("the last one that fits")
                .isEqualTo((1L << 22) - 1);
        assertThat(RedisStamps.wrapped((1L << 22) + 5)).isEqualTo(5);
    }
}
