package io.idgen.redis.internal.strategy;

import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.redis.RedisScripts;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * {@code redis-shards}: a scheme that is often published. Each of several Redis has a counter, and the last digit of an
 * id is the position of its Redis: A generates 10, 20, 30, B 11, 21, 31, and C 12, 22, 32. For comparison only.
 *
 * <p>Each id costs a round trip. Calls use the Redis in turn, and leave out those that do not answer. Ids of a Redis
 * repeat as soon as it loses its counter or its last values. They also repeat if two processes list the same Redis at
 * different positions, which nothing checks.
 */
public final class RedisShardsStrategy extends RedisScheme {
    /** A digit distinguishes so many. */
    private static final int MOST = 10;

    static final Setting<List<String>> SHARDS = Setting.of(
            "redis.shards",
            "The addresses of 1 to 10 Redis for redis-shards, with spaces between them, in the same order in all processes: the"
                    + " last digit of an id is the position of its Redis, from 0.",
            RedisShardsStrategy::addresses);

    /** Called by the service loader. */
    public RedisShardsStrategy() {
        super("redis-shards");
    }

    private static List<String> addresses(String text) {
        List<String> uris = Arrays.asList(text.strip().split("\\s+"));
        if (uris.size() > MOST) {
            throw new IllegalArgumentException("redis-shards uses at most " + MOST
                    + " Redis, one for each last digit of an id, got " + uris.size());
        }
        return uris.stream().map(RedisAccess::checked).toList();
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(SHARDS, RedisAccess.KEY_PREFIX);
    }

    @Override
    void check(SourceContext context) {
        context.get(SHARDS); // throws, with a message that describes the setting
    }

    @Override
    LongSupplier ids(SourceContext context, String keyPrefix) {
        List<RedisScripts> shards = context.get(SHARDS).stream()
                .map(uri -> RedisAccess.scripts(context, uri))
                .toList();
        return new RedisShards(shards, keyPrefix + "shard");
    }
}
