package io.idgen.redis.internal.strategy;

import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.redis.RedisScripts;
import java.util.List;

/**
 * {@code redis-millisecond}: {@code INCR} of a key for each millisecond of the caller's clock, which expires, as often
 * published. For comparison only.
 *
 * <p>Each id costs a round trip and a key, and none is made while Redis is away. An id comes again if its key is gone
 * when a caller shows the millisecond again: the key expired after ten seconds and a clock stepped back or is behind
 * that far, or Redis lost the key by a restart, a failover, {@code FLUSHALL} or an eviction.
 */
public final class RedisMillisecondStrategy implements IdStrategy {
    private static final String SCRIPT = """
            local number = redis.call('INCR', KEYS[1])
            if number == 1 then redis.call('PEXPIRE', KEYS[1], 10000) end
            return {string.format('%.0f', number)}
            """;

    /** Called by the service loader. */
    public RedisMillisecondStrategy() {}

    @Override
    public String name() {
        return "redis-millisecond";
    }

    @Override
    public List<Setting<?>> settings() {
        return RedisAccess.SETTINGS;
    }

    @Override
    public List<Class<?>> resources() {
        return RedisAccess.RESOURCES;
    }

    @Override
    public SourcePlan plan(SourceContext context) {
        String prefix = context.get(RedisAccess.KEY_PREFIX) + ":{" + context.name() + "}:";
        return new SourcePlan(Long.MAX_VALUE, List.of(), () -> RedisAccess.check(context), () -> {
            RedisScripts scripts = RedisAccess.scripts(context);
            return new RedisIdSource(context.name(), () -> {
                long millis = context.clock().millis();
                List<String> answer = scripts.run(SCRIPT, prefix + millis, List.of());
                return new RedisIdSource.Stamp(millis, Long.parseLong(answer.get(0)));
            });
        });
    }
}
