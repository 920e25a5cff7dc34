package io.idgen.examples.integrations;

import io.idgen.core.config.IdSources;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import java.time.Duration;

/** Worker ids leased from Redis, for processes that share no database. */
public final class WorkerIdsFromRedis {
    private WorkerIdsFromRedis() {}

    /**
     * Writes the incarnation marker: once, by an operator, before the first process starts.
     *
     * @param uri the address of Redis
     */
    public static void mark(String uri) {
        try (RedisScripts redis = RedisScripts.connectingTo(uri)) {
            new RedisWorkerIds(redis).mark("default", Duration.ofMinutes(3));
        }
    }

    /**
     * Opens a source that leases its worker id, and generates an id. The first id after a new marker takes about six
     * seconds.
     *
     * @param uri the address of Redis
     * @return an id
     */
    public static long firstId(String uri) {
        try (IdSources sources = IdSources.builder()
                .set("idgen.worker.assigner", "redis")
                .set("idgen.redis.uri", uri)
                .source("orders")
                .build()) {
            return sources.get("orders").nextId();
        }
    }
}
