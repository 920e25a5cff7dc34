package io.idgen.redis.internal.strategy;

import io.idgen.redis.RedisScripts;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code redis-counter}: the time of Redis and {@code INCR} of one key, in one Lua script, as often published. For
 * comparison only.
 *
 * <p>Each id costs a round trip, and none is made while Redis is away. An id comes again if Redis loses the counter or
 * its last values, by a restart without persistence, a failover or {@code FLUSHALL}, and its clock then shows a
 * millisecond again: it stepped back, or that of the promoted replica is behind.
 */
public final class RedisCounterStrategy extends RedisScheme {
    private static final String SCRIPT = """
            local time = redis.call('TIME')
            local number = redis.call('INCR', KEYS[1])
            return {string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), string.format('%.0f', number)}
            """;

    /** Called by the service loader. */
    public RedisCounterStrategy() {
        super("redis-counter");
    }

    @Override
    Supplier<RedisIdSource.Stamp> stamps(RedisScripts scripts, String keyPrefix, InstantSource clock) {
        return () -> {
            List<String> answer = scripts.run(SCRIPT, keyPrefix + "counter", List.of());
            return new RedisIdSource.Stamp(
                    Long.parseLong(answer.get(0)), RedisIdSource.wrapped(Long.parseLong(answer.get(1))));
        };
    }
}
