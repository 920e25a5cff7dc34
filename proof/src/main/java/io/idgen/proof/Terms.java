package io.idgen.proof;

import io.idgen.core.internal.lease.LeasedWorker;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import java.time.Duration;

/** The times of all leases in the run: short, so that rows change hands often. */
final class Terms {
    static final Duration LEASE = Duration.ofSeconds(1);
    static final Duration WINDOW = Duration.ofSeconds(3);
    static final Duration RENEW = Duration.ofMillis(300);
    static final Duration TIMEOUT = Duration.ofSeconds(1);

    static final String NAMESPACE = "default";
    static final String CONTROL = "control";

    private static final int WORKERS = 1 << SnowflakeLayout.IDGEN.workerBits();

    private Terms() {}

    static LeaseStore.Terms lease() {
        return new LeaseStore.Terms(NAMESPACE, SnowflakeLayout.IDGEN, 0, WORKERS, LEASE, WINDOW);
    }

    static LeasedWorker.Timing timing() {
        return new LeasedWorker.Timing(RENEW, TIMEOUT, TIMEOUT, false);
    }

    /** Reserves all worker ids but one more than this number of processes, so that a row is soon another's. */
    static String reserved(int processes) {
        return processes + 1 + "-" + (WORKERS - 1);
    }
}
