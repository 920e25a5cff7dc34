package io.idgen.proof;

import io.idgen.core.internal.lease.LeaseTimes;
import io.idgen.core.internal.lease.LeasedWorker;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
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
    static final String HIBERNATE = "hibernate";

    private static final int WORKERS = 1 << SnowflakeLayout.IDGEN.workerBits();

    private Terms() {}

    static LeaseStore.Terms lease(String namespace) {
        return new LeaseStore.Terms(namespace, SnowflakeLayout.IDGEN, 0, WORKERS, LEASE, WINDOW);
    }

    static LeasedWorker.Timing timing() {
        return new LeasedWorker.Timing(LeaseTimes.renewal(LEASE), TIMEOUT, TIMEOUT, false);
    }

    /** Leaves as many worker ids as processes, so that a new process needs the one of a process that stands still. */
    static String reserved(int processes) {
        return processes + "-" + (WORKERS - 1);
    }
}
