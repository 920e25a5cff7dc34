package io.idgen.redis.internal.strategy;

import io.idgen.core.config.SourceContext;
import io.idgen.redis.RedisScripts;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * {@code redis-counter}: a scheme that is often published. One Lua script reads the time of Redis and increments one
 * key. For comparison only.
 *
 * <p>Each id costs a round trip, and an outage of Redis stops all ids. Ids repeat if Redis loses the counter or its
 * last values and its clock then returns an earlier millisecond again. Redis loses them by a restart without
 * persistence, a failover or {@code FLUSHALL}. The clock may step back, or the clock of a promoted replica may be
 * behind.
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
    LongSupplier ids(SourceContext context, String keyPrefix) {
        RedisScripts scripts = RedisAccess.scripts(context);
        return () -> {
            List<String> answer = scripts.run(SCRIPT, keyPrefix + "counter", List.of());
            long number = RedisStamps.wrapped(Long.parseLong(answer.get(1)));
            return RedisStamps.id(context.name(), Long.parseLong(answer.get(0)), number);
        };
    }
}
