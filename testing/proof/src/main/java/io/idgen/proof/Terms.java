package io.idgen.proof;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;

/** The times of all leases in the run: short, so that rows change hands often. */
final class Terms {
    static final Duration LEASE = Duration.ofSeconds(1);
    static final Duration WINDOW = Duration.ofSeconds(3);
    static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(5);
    private static final int SLOW_MACHINE = 5;

    /**
     * After this time without a fault, a process has ids: the lease of another ends, its window passes, a connection
     * and a statement wait in vain, and the next attempt comes after the longest back-off. All of it may take five
     * times as long on a busy machine, because this detects processes that stop for good, not slow ones.
     */
    static final Duration LIVENESS = LEASE.plus(WINDOW)
            .plus(TIMEOUT.multipliedBy(2))
            .plus(LONGEST_BACK_OFF)
            .multipliedBy(SLOW_MACHINE);

    static final String NAMESPACE = "default";
    static final String CONTROL = "control";

    private static final int WORKERS = 1 << SnowflakeLayout.IDGEN.workerBits();

    private Terms() {}

    static String millis(Duration duration) {
        return duration.toMillis() + "ms";
    }

    /** Leaves as many worker ids as processes, so that a new process needs the one of a process that stands still. */
    static String reserved(int processes) {
        return processes + "-" + (WORKERS - 1);
    }
}
