package io.idgen.redis.internal.strategy;

import io.idgen.core.config.SourceContext;
import java.util.function.LongSupplier;

/**
 * {@code redis-pipeline}: a scheme that is often published. It increments many keys by commands that are sent together,
 * so that one round trip returns many ids. For comparison only.
 *
 * <p>A process that ends loses the rest of its last trip, and so does a call whose answer is lost. Ids are not in
 * order, and an outage of Redis stops them within a trip. They repeat as soon as Redis loses its counters or their last
 * values: by a restart without persistence, a failover or {@code FLUSHALL}.
 */
public final class RedisPipelineStrategy extends RedisScheme {

    /** Called by the service loader. */
    public RedisPipelineStrategy() {
        super("redis-pipeline");
    }

    @Override
    LongSupplier ids(SourceContext context, String keyPrefix) {
        return new RedisPipeline(RedisAccess.scripts(context), keyPrefix);
    }
}
