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

    /** Throws if a lease could expire between two renewals, or its window could end before the lease. */
    public static void check(Duration lease, Duration window, Duration renew) {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a lease is " + Durations.text(SHORTEST_LEASE) + " to "
                    + Durations.text(LONGEST) + ", got " + Durations.text(lease));
        }
        if (window.compareTo(lease) < 0 || window.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a window is from the lease, " + Durations.text(lease) + ", to "
                    + Durations.text(LONGEST) + ", got " + Durations.text(window));
        }
        if (renew.isNegative() || renew.isZero() || renew.multipliedBy(3).compareTo(lease) > 0) {
            throw new IllegalArgumentException("renewals are at most a third of the lease apart, "
                    + Durations.text(lease.dividedBy(3)) + ", got " + Durations.text(renew));
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
