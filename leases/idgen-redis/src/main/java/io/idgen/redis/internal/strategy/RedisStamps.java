package io.idgen.redis.internal.strategy;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;

/** Ids from a time, and a number that is unique within that time. */
final class RedisStamps {

    /** 41 bits of milliseconds, and 22 bits for the number. */
    static final SnowflakeLayout LAYOUT = SnowflakeLayout.parse("41-0-0-22");

    private static final long LARGEST_NUMBER = (1L << 22) - 1;

    private RedisStamps() {}

    /** Returns an id of a source; throws if the number has too many bits. */
    static long id(String source, long millis, long number) {
        if (number > LARGEST_NUMBER) {
            throw new AllocationException(
                    ErrorCode.LIMIT_REACHED,
                    "Redis has counted " + number + " ids of source '" + source + "' in one millisecond, and "
                            + LARGEST_NUMBER + " fit; ask again, and check the clocks of the hosts");
        }
        return LAYOUT.firstIdAt(Instant.ofEpochMilli(millis)) + number;
    }

    /** Reduces an unlimited counter to the number within a millisecond, which begins again after 4,194,304 ids. */
    static long wrapped(long counter) {
        return counter & LARGEST_NUMBER;
    }
}
