package io.idgen.redis;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The control: published scripts that assign worker ids without a lease or a horizon. All processes generate ids in the
 * same few milliseconds.
 */
final class Published {
    private static final long FIRST_TICK = 1_000_000;
    private static final int TICKS = 50;

    /**
     * Assigns a number at startup. A host keeps its number. Another host gets the next number, modulo the number of
     * worker ids.
     */
    private static final String BY_ADDRESS = """
            local id = redis.call('HGET', KEYS[1], ARGV[1])
            if not id then
              id = (redis.call('HINCRBY', KEYS[1], 'last', 1) - 1) % tonumber(ARGV[2])
              redis.call('HSET', KEYS[1], ARGV[1], id)
            end
            return {tostring(id)}
            """;

    /** Assigns the first number that is free or expired. A number expires after about a second. */
    private static final String BY_EXPIRY = """
            for id = 0, tonumber(ARGV[2]) - 1 do
              if redis.call('HEXISTS', KEYS[1], id) == 0
                  or tonumber(redis.call('HGET', KEYS[1], id)) < tonumber(redis.call('TIME')[1]) then
                redis.call('HSET', KEYS[1], id, redis.call('TIME')[1] + 1)
                return {tostring(id)}
              end
            end
            return {'-1'}
            """;

    private final SnowflakeLayout layout;
    private final List<Long> workers = new ArrayList<>();

    Published(SnowflakeLayout layout) {
        this.layout = layout;
    }

    /** Starts a process on a host. */
    Published startOn(String host, RedisScripts scripts) {
        return start(BY_ADDRESS, host, scripts);
    }

    /** Starts a process that keeps its number for a second, and does not notice if it is paused for longer. */
    Published startForASecond(RedisScripts scripts) {
        return start(BY_EXPIRY, "", scripts);
    }

    private Published start(String script, String host, RedisScripts scripts) {
        String worker = scripts.run(script, "{default}:published", List.of(host, Long.toString(layout.workers())))
                .get(0);
        workers.add(Long.parseLong(worker));
        return this;
    }

    /** Returns how many ids are equal to an earlier one if each process generates one id per millisecond. */
    long duplicates() {
        Set<Long> ids = new HashSet<>();
        return workers.stream()
                .flatMapToLong(worker -> LongStream.range(FIRST_TICK, FIRST_TICK + TICKS)
                        .map(tick -> (tick * layout.workers() + worker) << layout.sequenceBits()))
                .filter(id -> !ids.add(id))
                .count();
    }
}
