package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.database.CountingPool;
import io.idgen.core.StoreUnavailableException;
import io.idgen.redis.RedisScripts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Two schemes that are often published: Redis generates each id. Their ids repeat if Redis loses data. The keys expire
 * after ten minutes.
 */
final class RedisKeys implements Keys {
    private static final String EXPIRE = " redis.call('PEXPIRE', KEYS[1], 600000) ";

    private static final String COUNTER =
            "local number = redis.call('INCR', KEYS[1])" + EXPIRE + "return {string.format('%.0f', number)}";

    /** The next eight numbers of each of 16 fields. */
    private static final String PIPELINE = "local ids = {} for i = 0, 127 do"
            + " ids[i + 1] = string.format('%.0f', redis.call('HINCRBY', KEYS[1], i % 16, 1) * 16 + i % 16) end"
            + EXPIRE
            + "return ids";

    /** The names of the schemes, and their configuration. */
    static final Map<String, String> SCHEMES = new TreeMap<>(Map.of(
            "redis-counter", "one counter, a round trip for each id",
            "redis-pipeline", "128 increments of 16 counters in one round trip"));

    private final String script;
    private final String key;
    private final CountingPool network;
    private final RedisScripts server;
    private List<String> trip = List.of();
    private int used;

    RedisKeys(String scheme, String uri, Opening opening) {
        this.script = scheme.equals("redis-counter") ? COUNTER : PIPELINE;
        this.key = opening.phase().prefix() + scheme;
        this.network = opening.pool();
        this.server = RedisScripts.connectingTo(uri);
    }

    @Override
    public void next(long[] into, int at) {
        into[at] = Long.parseLong(script.equals(COUNTER) ? run().get(0) : ofTrip());
    }

    private synchronized String ofTrip() {
        if (used == trip.size()) {
            trip = run();
            used = 0;
        }
        return trip.get(used++);
    }

    private List<String> run() {
        if (network.isCut()) {
            throw new StoreUnavailableException("the comparison has cut the connection to Redis");
        }
        List<String> answer = server.run(script, key, List.of());
        network.delay();
        return answer;
    }

    @Override
    public void close() {
        server.close();
    }
}
