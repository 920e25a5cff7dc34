package io.idgen.redis.internal.strategy;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;
import java.util.function.Supplier;

/** Ids from a time and a number. Each id costs a round trip to Redis. */
final class RedisIdSource implements IdSource {

    /** 41 bits of milliseconds, and 22 bits for the number. */
    static final SnowflakeLayout LAYOUT = SnowflakeLayout.parse("41-0-0-22");

    private static final long LARGEST_NUMBER = (1L << 22) - 1;

    private final String name;
    private final Supplier<Stamp> stamps;
    private volatile boolean closed;

    /** The answer of Redis: a time, and a number that is unique within that time. */
    record Stamp(long millis, long number) {}

    RedisIdSource(String name, Supplier<Stamp> stamps) {
        this.name = name;
        this.stamps = stamps;
    }

    @Override
    public long nextId() {
        checkOpen(name, closed);
        Stamp stamp = stamps.get();
        if (stamp.number > LARGEST_NUMBER) {
            throw new AllocationException(
                    ErrorCode.LIMIT_REACHED,
                    "Redis has counted " + stamp.number + " ids of source '" + name + "' in one millisecond, and "
                            + LARGEST_NUMBER + " fit; ask again, and check the clocks of the hosts");
        }
        return LAYOUT.firstIdAt(Instant.ofEpochMilli(stamp.millis)) + stamp.number;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Throws if a source is closed. */
    static void checkOpen(String name, boolean closed) {
        if (closed) {
            throw new AllocationException(ErrorCode.SOURCE_CLOSED, "source '" + name + "' is closed");
        }
    }

    /** Reduces an unlimited counter to the number within a millisecond, which begins again after 4,194,304 ids. */
    static long wrapped(long counter) {
        return counter & LARGEST_NUMBER;
    }
}
