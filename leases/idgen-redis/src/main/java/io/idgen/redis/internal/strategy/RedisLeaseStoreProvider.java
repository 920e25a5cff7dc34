package io.idgen.redis.internal.strategy;

import io.idgen.core.config.LeaseStoreProvider;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.lease.LeaseStore;
import io.idgen.redis.RedisWorkerIds;
import java.util.List;

/** {@code redis}: leases worker ids from Redis. */
public final class RedisLeaseStoreProvider implements LeaseStoreProvider {

    /** Called by the service loader. */
    public RedisLeaseStoreProvider() {}

    @Override
    public String name() {
        return "redis";
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
    public boolean isAvailable(SourceContext context) {
        return RedisAccess.isAvailable(context);
    }

    @Override
    public void check(SourceContext context) {
        RedisAccess.check(context);
    }

    @Override
    public LeaseStore open(SourceContext context) {
        return new RedisWorkerIds(RedisAccess.scripts(context)).withKeyPrefix(context.get(RedisAccess.KEY_PREFIX));
    }
}
