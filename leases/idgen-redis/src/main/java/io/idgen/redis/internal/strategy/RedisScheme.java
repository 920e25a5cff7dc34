package io.idgen.redis.internal.strategy;

import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.redis.RedisScripts;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** A published scheme that requests each id from Redis. For comparison only. */
abstract class RedisScheme implements IdStrategy {
    private final String name;

    RedisScheme(String name) {
        this.name = name;
    }

    /**
     * Returns a supplier that requests one id from Redis per call.
     *
     * @param keyPrefix the beginning of all keys of a source, with a hash tag and a colon at the end
     */
    abstract Supplier<RedisIdSource.Stamp> stamps(RedisScripts scripts, String keyPrefix, InstantSource clock);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<Setting<?>> settings() {
        return RedisAccess.SETTINGS;
    }

    @Override
    public final List<Class<?>> resources() {
        return RedisAccess.RESOURCES;
    }

    @Override
    public final SourcePlan plan(SourceContext context) {
        String keyPrefix = context.get(RedisAccess.KEY_PREFIX) + ":{" + context.name() + "}:";
        return new SourcePlan(
                Long.MAX_VALUE,
                List.of(),
                () -> RedisAccess.check(context),
                () -> new RedisIdSource(
                        context.name(), stamps(RedisAccess.scripts(context), keyPrefix, context.clock())));
    }
}
