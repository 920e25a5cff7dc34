package io.idgen.redis.internal;

import io.idgen.core.config.LeaseStoreProvider;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.lease.LeaseStore;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import java.util.List;

/** {@code redis}: leases worker ids from Redis. */
public final class RedisLeaseStoreProvider implements LeaseStoreProvider {
    private static final Setting<String> URI = Setting.of(
            "redis.uri",
            "The address of Redis, with user, password and timeout as Lettuce writes them: redis://host:6379, rediss:// for TLS,"
                    + " redis-sentinel://host,host#primary, or redis://host,host for nodes of a Redis Cluster.",
            text -> {
                RedisScripts.connectingTo(text).close(); // opens no connection, and throws if the address is invalid
                return text;
            });
    private static final Setting<String> KEY_PREFIX = Setting.<String>of(
                    "redis.key-prefix",
                    "The first word of idgen's keys in Redis; the same for all processes.",
                    text -> RedisWorkerIds.checkKeyPrefix(text.strip()))
            .withDefault(RedisWorkerIds.DEFAULT_KEY_PREFIX);

    /** The connection to an address, which all sources share. */
    private record SharedBy(String uri) {}

    /** Called by the service loader. */
    public RedisLeaseStoreProvider() {}

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(URI, KEY_PREFIX);
    }

    @Override
    public List<Class<?>> resources() {
        return List.of(RedisScripts.class);
    }

    @Override
    public boolean isAvailable(SourceContext context) {
        return context.isGiven(URI) || context.resource(RedisScripts.class).isPresent();
    }

    @Override
    public LeaseStore open(SourceContext context) {
        RedisScripts scripts = context.resource(RedisScripts.class).orElseGet(() -> {
            String uri = context.get(URI);
            return context.shared(new SharedBy(uri), () -> RedisScripts.connectingTo(uri));
        });
        return new RedisWorkerIds(scripts).withKeyPrefix(context.get(KEY_PREFIX));
    }
}
