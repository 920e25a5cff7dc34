/** Worker ids leased from Redis, and strategies that request each id from Redis. */
@SuppressWarnings("requires-automatic") // Lettuce, Netty
module io.idgen.redis {
    requires io.netty.common;
    requires lettuce.core;
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;

    exports io.idgen.redis;

    provides io.idgen.core.config.LeaseStoreProvider with
            io.idgen.redis.internal.strategy.RedisLeaseStoreProvider;
    provides io.idgen.core.config.IdStrategy with
            io.idgen.redis.internal.strategy.RedisCounterStrategy,
            io.idgen.redis.internal.strategy.RedisMillisecondStrategy,
            io.idgen.redis.internal.strategy.RedisPipelineStrategy,
            io.idgen.redis.internal.strategy.RedisShardsStrategy;
}
