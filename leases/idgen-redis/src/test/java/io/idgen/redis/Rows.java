package io.idgen.redis;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.List;

/** Prepares and changes rows as no process may. */
final class Rows {
    private static final String PREPARE = LeaseScripts.PRELUDE + """
            for id = 0, tonumber(ARGV[2]) - 1 do
              write(text(id), {fence = '0', horizon = '0', ['until'] = '0', server = me})
            end
            return {'1'}
            """;

    private Rows() {}

    /** Marks a namespace, and has its rows as if this server had granted them long ago: no process need wait. */
    static void prepare(RedisScripts scripts, String namespace, SnowflakeLayout layout) {
        RedisWorkerIds store = new RedisWorkerIds(scripts);
        store.mark(namespace, Duration.ofSeconds(3));
        scripts.run(PREPARE, store.key(namespace), List.of(layout.toString(), Long.toString(layout.workers())));
    }

    /** Ends a lease without its holder. */
    static void expire(RedisScripts scripts, String namespace, int workerId) {
        scripts.run(
                "redis.call('HSET', KEYS[1], ARGV[1] .. ':until', '0') return {'1'}",
                new RedisWorkerIds(scripts).key(namespace),
                List.of(Integer.toString(workerId)));
    }
}
