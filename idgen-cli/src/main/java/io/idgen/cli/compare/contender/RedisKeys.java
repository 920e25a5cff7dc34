package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.database.CountingPool;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.redis.RedisScripts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Four schemes that are often published: Redis generates each id. Their ids repeat if Redis loses data. The keys expire
 * after ten minutes.
 */
final class RedisKeys implements Keys {
    private static final String EXPIRE = " redis.call('PEXPIRE', KEYS[1], 600000) ";

    /** The time of Redis in milliseconds, and a number. */
    private static final String COUNTER =
            "local time = redis.call('TIME') local number = redis.call('INCR', KEYS[1])" + EXPIRE
                    + "return {string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), string.format('%.0f', number)}";

    /** The next number of a key for each millisecond. */
    private static final String MILLISECOND = "local number = redis.call('INCR', KEYS[1])"
            + " if number == 1 then redis.call('PEXPIRE', KEYS[1], 10000) end return {string.format('%.0f', number)}";

    /** The next eight numbers of each of 16 fields. */
    private static final String PIPELINE = "local ids = {} for i = 0, 127 do"
            + " ids[i + 1] = string.format('%.0f', redis.call('HINCRBY', KEYS[1], i % 16, 1) * 16 + i % 16) end"
            + EXPIRE
            + "return ids";

    private static final String SHARD =
            "local number = redis.call('INCR', KEYS[1])" + EXPIRE + "return {string.format('%.0f', number)}";

    /** The names of the schemes, and their configuration. */
    static final Map<String, String> SCHEMES = new TreeMap<>(Map.of(
            "redis-counter", "the time of Redis, and one counter",
            "redis-millisecond", "the time of the process, and a counter for each millisecond",
            "redis-pipeline", "128 increments of 16 counters in one round trip",
            "redis-shards", "a counter in each of several Redis, whose position is the last digit"));

    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.parse("41-0-0-22");
    private static final int NUMBERS = 1 << 22;
    private static final int SHARDS = 10;

    private final String scheme;
    private final String key;
    private final CountingPool network;
    private final List<RedisScripts> servers;
    private final AtomicInteger turn = new AtomicInteger();
    private List<String> trip = List.of();
    private int used;

    RedisKeys(String scheme, Opening opening) {
        this.scheme = scheme;
        this.key = opening.phase().prefix() + scheme;
        this.network = opening.pool();
        this.servers = opening.redis().stream()
                .limit(scheme.equals("redis-shards") ? SHARDS : 1)
                .map(RedisScripts::connectingTo)
                .toList();
    }

    @Override
    public void next(long[] into, int at) {
        into[at] = switch (scheme) {
            case "redis-counter" -> {
                List<String> answer = run(0, COUNTER, key);
                yield id(Long.parseLong(answer.get(0)), Long.parseLong(answer.get(1)));
            }
            case "redis-millisecond" -> {
                long millis = System.currentTimeMillis();
                yield id(
                        millis, Long.parseLong(run(0, MILLISECOND, key + millis).get(0)));
            }
            case "redis-pipeline" -> ofTrip();
            default -> ofShards();
        };
    }

    private static long id(long millis, long number) {
        return LAYOUT.firstIdAt(Instant.ofEpochMilli(millis)) + number % NUMBERS;
    }

    private synchronized long ofTrip() {
        if (used == trip.size()) {
            trip = run(0, PIPELINE, key);
            used = 0;
        }
        return Long.parseLong(trip.get(used++));
    }

    /** Leaves out a Redis that does not answer. */
    private long ofShards() {
        int first = turn.getAndIncrement();
        for (int i = 0; ; i++) {
            int shard = Math.floorMod(first + i, servers.size());
            try {
                return Long.parseLong(run(shard, SHARD, key).get(0)) * SHARDS + shard;
            } catch (StoreUnavailableException e) {
                if (i + 1 == servers.size()) {
                    throw e;
                }
            }
        }
    }

    private List<String> run(int server, String script, String ofKey) {
        if (network.isCut()) {
            throw new StoreUnavailableException("the comparison has cut the connection to Redis");
        }
        List<String> answer = servers.get(server).run(script, ofKey, List.of());
        network.delay();
        return answer;
    }

    @Override
    public void close() {
        servers.forEach(RedisScripts::close);
    }
}
