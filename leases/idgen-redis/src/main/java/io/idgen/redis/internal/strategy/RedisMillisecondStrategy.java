package io.idgen.redis.internal.strategy;

import io.idgen.redis.RedisScripts;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code redis-millisecond}: {@code INCR} of a key for each millisecond of the caller's clock, which expires, as often
 * published. For comparison only.
 *
 * <p>Each id costs a round trip and a key, and none is made while Redis is away. An id comes again if its key is gone
 * when a caller shows the millisecond again: the key expired after ten seconds and a clock stepped back or is behind
 * that far, or Redis lost the key by a restart, a failover, {@code FLUSHALL} or an eviction.
 */
public final class RedisMillisecondStrategy extends RedisScheme {
    private static final String SCRIPT = """
            local number = redis.call('INCR', KEYS[1])
            if number == 1 then redis.call('PEXPIRE', KEYS[1], 10000) end
            return {string.format('%.0f', number)}
            """;

    /** Called by the service loader. */
    public RedisMillisecondStrategy() {
        super("redis-millisecond");
    }

    @Override
    Supplier<RedisIdSource.Stamp> stamps(RedisScripts scripts, String keyPrefix, InstantSource clock) {
        return () -> {
            long millis = clock.millis();
            List<String> answer = scripts.run(SCRIPT, keyPrefix + millis, List.of());
            return new RedisIdSource.Stamp(millis, Long.parseLong(answer.get(0)));
        };
    }
}
