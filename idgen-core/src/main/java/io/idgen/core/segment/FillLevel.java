package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.AsyncLog;

/**
 * Logs a warning when 70, 85 and 95 % of the ids below a limit are reserved, once each. Not safe for several threads.
 */
final class FillLevel {
    private static final AsyncLog LOG = AsyncLog.of(FillLevel.class);

    private static final int[] WARN_AT_PERCENT = {70, 85, 95};

    private final String name;
    private final long limit;
    private int warned;

    FillLevel(String name, long limit) {
        this.name = name;
        this.limit = limit;
    }

    /** Returns how many ids there are between {@code highest} and the limit. */
    long left(long highest) {
        return limit - 1 - highest;
    }

    /** Records that ids up to {@code highest} are reserved. */
    void reached(long highest) {
        int level = warned;
        while (level < WARN_AT_PERCENT.length && highest / (limit / 100.0) >= WARN_AT_PERCENT[level]) {
            level++;
        }
        if (level > warned) {
            warned = level;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: ids of ''{1}'' up to {2} are reserved, {3} % of those below the limit {4}; widen the column and"
                            + " raise the limit before they end",
                    ErrorCode.LIMIT_NEAR.code(),
                    name,
                    Long.toString(highest),
                    WARN_AT_PERCENT[level - 1],
                    Long.toString(limit));
        }
    }
}
