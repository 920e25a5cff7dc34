package io.idgen.redis.internal.strategy;

import io.idgen.core.config.SourceContext;
import io.idgen.redis.RedisScripts;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * {@code redis-millisecond}: a scheme that is often published. It increments one key for each millisecond of the
 * caller's clock, and the key expires. For comparison only.
 *
 * <p>Each id costs a round trip and a key, and an outage of Redis stops all ids. Ids repeat if a caller uses a
 * millisecond again after its key is gone. The key expires after ten seconds, so ids repeat if a clock steps back or is
 * behind by that much. Redis may also lose the key by a restart, a failover, {@code FLUSHALL} or an eviction.
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
    LongSupplier ids(SourceContext context, String keyPrefix) {
        RedisScripts scripts = RedisAccess.scripts(context);
        return () -> {
            long millis = context.clock().millis();
            List<String> answer = scripts.run(SCRIPT, keyPrefix + millis, List.of());
            return RedisStamps.id(context.name(), millis, Long.parseLong(answer.get(0)));
        };
    }
}
