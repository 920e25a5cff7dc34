package io.idgen.redis.internal.strategy;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;
import java.util.function.Supplier;

/** Ids of a time and a number, each of which costs a round trip to Redis. */
final class RedisIdSource implements IdSource {

    /** 41 bits of milliseconds, and 22 bits for the number. */
    static final SnowflakeLayout LAYOUT = SnowflakeLayout.parse("41-0-0-22");

    private static final long LARGEST_NUMBER = (1L << 22) - 1;

    private final String name;
    private final Supplier<Stamp> stamps;
    private volatile boolean closed;

    /** What Redis answers: a time, and a number that differs within it. */
    record Stamp(long millis, long number) {}

    RedisIdSource(String name, Supplier<Stamp> stamps) {
        this.name = name;
        this.stamps = stamps;
    }

    @Override
    public long nextId() {
        if (closed) {
            throw new AllocationException(ErrorCode.SOURCE_CLOSED, "source '" + name + "' is closed");
        }
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

    /** A counter of all time as a number within a millisecond: it begins again after 4,194,304 ids. */
    static long wrapped(long counter) {
        return counter & LARGEST_NUMBER;
    }
}
