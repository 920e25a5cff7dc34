package io.idgen.redis.internal.strategy;

import io.idgen.core.StoreUnavailableException;
import io.idgen.redis.RedisScripts;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Ids from a counter in each of several Redis. The last digit of an id is the position of its Redis. */
final class RedisShards implements LongSupplier {
    private static final int BASE = 10;

    private final List<RedisScripts> shards;
    private final String key;
    private final AtomicInteger turn = new AtomicInteger();

    RedisShards(List<RedisScripts> shards, String key) {
        this.shards = shards;
        this.key = key;
    }

    @Override
    public long getAsLong() {
        int first = turn.getAndIncrement();
        StoreUnavailableException failure = null;
        for (int i = 0; i < shards.size(); i++) {
            int shard = Math.floorMod(first + i, shards.size());
            try {
                String number = shards.get(shard)
                        .run(RedisScheme.INCREMENT, key, List.of())
                        .get(0);
                return Long.parseLong(number) * BASE + shard;
            } catch (StoreUnavailableException e) {
                failure = joined(failure, e);
            }
        }
        throw Objects.requireNonNull(failure, "no shards");
    }

    private static StoreUnavailableException joined(
            @Nullable StoreUnavailableException first, StoreUnavailableException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
