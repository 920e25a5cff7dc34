package io.idgen.redis.internal.strategy;

import io.idgen.redis.RedisScripts;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Ids from {@value #KEYS} counters in Redis. The number of a counter in the lower bits of an id keeps the ids of two
 * counters different. One round trip increments each counter {@value #ROUNDS} times.
 */
final class RedisPipeline implements LongSupplier {
    /** A power of two, so that an id shows its counter. */
    static final int KEYS = 16;

    static final int ROUNDS = 8;

    private final RedisScripts scripts;
    private final List<String> keys;
    private final ReentrantLock lock = new ReentrantLock();
    private final long[] trip = new long[KEYS * ROUNDS];
    private int used = trip.length;

    RedisPipeline(RedisScripts scripts, String keyPrefix) {
        this.scripts = scripts;
        this.keys = IntStream.range(0, trip.length)
                .mapToObj(i -> keyPrefix + i % KEYS)
                .toList();
    }

    @Override
    public long getAsLong() {
        lock.lock();
        try {
            if (used == trip.length) {
                List<List<String>> answers = scripts.runEach(RedisScheme.INCREMENT, keys);
                for (int i = 0; i < trip.length; i++) {
                    trip[i] = Long.parseLong(answers.get(i).get(0)) * KEYS + i % KEYS;
                }
                used = 0;
            }
            return trip[used++];
        } finally {
            lock.unlock();
        }
    }
}
