/** Worker ids leased from Redis. */
@SuppressWarnings("requires-automatic") // Lettuce
module io.idgen.redis {
    requires lettuce.core;
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;

    exports io.idgen.redis;

    provides io.idgen.core.config.LeaseStoreProvider with
            io.idgen.redis.internal.RedisLeaseStoreProvider;
}
