package io.idgen.redis.internal.strategy;

import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import java.util.List;
import java.util.function.LongSupplier;

/** A published scheme that requests each id from Redis. For comparison only. */
abstract class RedisScheme implements IdStrategy {
    /** Returns the next number of a key, from 1. */
    static final String INCREMENT = "return {string.format('%.0f', redis.call('INCR', KEYS[1]))}";

    private final String name;

    RedisScheme(String name) {
        this.name = name;
    }

    /** Throws if the settings and resources do not name what the scheme needs. */
    void check(SourceContext context) {
        RedisAccess.check(context);
    }

    /**
     * Returns what requests ids for a source. Does no I/O.
     *
     * @param keyPrefix the beginning of all keys of a source, with a hash tag and a colon at the end
     */
    abstract LongSupplier ids(SourceContext context, String keyPrefix);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public List<Setting<?>> settings() {
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
                () -> check(context),
                () -> new RedisIdSource(context.name(), ids(context, keyPrefix)));
    }
}
