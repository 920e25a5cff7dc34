package io.idgen.redis;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Changes rows directly, which no process may do. */
final class Rows {
    private static final String PREPARE = LeaseScripts.PRELUDE + """
            for id = 0, tonumber(ARGV[2]) - 1 do
              write(text(id), {fence = '0', horizon = '0', ['until'] = '0', server = me})
            end
            return {'1'}
            """;

    private Rows() {}

    /** Empties a server, prepares namespace {@code default}, and returns a connection, which the caller closes. */
    static RedisScripts on(RedisServer server) {
        try {
            server.command("FLUSHALL");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RedisScripts scripts = RedisScripts.connectingTo(server.uri());
        prepare(scripts, "default", SnowflakeLayout.IDGEN);
        return scripts;
    }

    /**
     * Writes the marker and the rows of a namespace, as if this server had granted them long ago. So processes lease at
     * once.
     */
    static void prepare(RedisScripts scripts, String namespace, SnowflakeLayout layout) {
        RedisWorkerIds store = new RedisWorkerIds(scripts);
        store.mark(namespace);
        scripts.run(
                PREPARE,
                store.key(namespace),
                List.of(LeaseTerms.layoutAndTimes(layout), Long.toString(layout.workers())));
    }

    /** Ends a lease as if it had expired. */
    static void expire(RedisScripts scripts, String namespace, int workerId) {
        scripts.run(
                "redis.call('HSET', KEYS[1], ARGV[1] .. ':until', '0') return {'1'}",
                new RedisWorkerIds(scripts).key(namespace),
                List.of(Integer.toString(workerId)));
    }
}
