package io.idgen.core.internal.lease;

import io.idgen.core.internal.text.Durations;
import java.time.Duration;

/** The limits of the times and numbers of a lease. */
public final class LeaseTimes {
    /** The largest number of rows of a namespace, and so of processes with a worker id. */
    public static final int MOST_WORKERS = 1024;

    private static final Duration LONGEST = Duration.ofDays(1);

    private LeaseTimes() {}

    public static Duration checkTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a timeout is above zero, at most " + Durations.text(LONGEST) + ", got " + Durations.text(timeout));
        }
        return timeout;
    }
}
