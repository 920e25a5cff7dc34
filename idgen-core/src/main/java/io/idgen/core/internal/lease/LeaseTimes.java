package io.idgen.core.internal.lease;

import io.idgen.core.internal.text.Durations;
import java.time.Duration;

/** The limits of the times and numbers of a lease. */
public final class LeaseTimes {
    /** The largest number of rows of a namespace, and so of processes with a worker id. */
    public static final int MOST_WORKERS = 1024;

    public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    public static final Duration LONGEST = Duration.ofDays(1);

    private LeaseTimes() {}

    /** Returns the time between two renewals of a lease: two of them can fail before it expires. */
    public static Duration renewal(Duration lease) {
        return lease.dividedBy(3);
    }

    /** Throws if a time is out of its limits, or the window could end before the lease. */
    public static void check(Duration lease, Duration window) {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a lease is " + Durations.text(SHORTEST_LEASE) + " to "
                    + Durations.text(LONGEST) + ", got " + Durations.text(lease));
        }
        if (window.compareTo(lease) < 0 || window.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a window is from the lease, " + Durations.text(lease) + ", to "
                    + Durations.text(LONGEST) + ", got " + Durations.text(window));
        }
    }

    public static Duration checkTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a timeout is above zero, at most " + Durations.text(LONGEST) + ", got " + Durations.text(timeout));
        }
        return timeout;
    }
}
