package io.idgen.core.snowflake;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.IssueClock;
import io.idgen.core.internal.lease.LayoutTime;
import io.idgen.core.internal.lease.LeasedWorker;
import io.idgen.core.internal.lease.StripedWindow;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.lease.WorkerKey;
import io.idgen.core.internal.lease.WorkerLease;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.internal.time.Defaults;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values of a {@link Snowflake.Builder}, and creates the generator with a fixed or leased worker id.
 */
final class SnowflakeAssembly {
    /** The largest number of rows of a namespace, and so of processes with a worker id. */
    private static final int MOST_WORKERS = 1024;

    private final Snowflake.Builder given;
    private final int startOffsets;

    SnowflakeAssembly(Snowflake.Builder given) {
        this.given = given;
        this.startOffsets = Window.startOffsets(given.layout, given.startOffsets);
    }

    Snowflake make() {
        LayoutTime.checkCovers(given.layout, Instant.ofEpochMilli(given.time.millis()));
        LeaseStore store = given.store;
        return store == null ? fixed() : leased(store);
    }

    private static int orZero(@Nullable Integer id) {
        return id == null ? 0 : id;
    }

    private Snowflake fixed() {
        Integer workerId = given.workerId;
        if (workerId == null) {
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_UNKNOWN,
                    "a snowflake needs a worker id that no other process has; give one from 0 to "
                            + ((1L << given.layout.workerBits()) - 1) + ", or a store to lease it from");
        }
        int datacenter = orZero(given.datacenterId);
        long packed = packWorker(datacenter, workerId);
        WorkerKey key = WorkerKey.of(given.namespace, given.layout, (int) packed);
        ClockPolicy policy = given.policy;
        ClockPolicy chosen = policy == null ? ClockPolicy.parse(Defaults.CLOCK_POLICY) : policy;
        // the only log line of its start; for a leased worker id, another line names the row
        logEnd(System.Logger.Level.INFO, key.text() + ", ");
        WorkerLease worker = FixedWorkers.lease(
                key, new FixedWorkers.GeneratorTerms(given.layout, chosen, startOffsets, given.time), packed);
        WallClock clock = new WallClock(given.layout, chosen, given.time, given.namespace, given.events);
        return new Snowflake(given.namespace, given.layout, worker, cached(clock));
    }

    private Snowflake leased(LeaseStore store) {
        if (given.policy != null) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    "clock policy " + given.policy
                            + " says what to do when this host's clock steps back, and under a lease"
                            + " that clock is not read; leave it out");
        }
        int first = (int) packWorker(orZero(given.datacenterId), orZero(given.workerId));
        int bits = given.layout.workerBits() + (given.datacenterId == null ? given.layout.datacenterBits() : 0);
        int workers = given.workerId != null ? 1 : (int) Math.min(MOST_WORKERS, 1L << bits);
        logEnd(System.Logger.Level.DEBUG, "");
        LeasedWorker worker = new LeasedWorker(
                store,
                new LeaseTerms(
                        given.namespace,
                        given.layout,
                        first,
                        workers,
                        given.workerId != null ? Set.of() : given.reserved.workerIds(given.layout, first, workers),
                        given.lease,
                        given.window),
                new LeasedWorker.Timing(given.leaseTimeout, given.acquireTimeout),
                startOffsets,
                new LeasedWorker.LeaseEnvironment(
                        given.time,
                        new SecureRandom(),
                        new DaemonThreads("idgen-lease-" + given.namespace, 1),
                        given.events));
        worker.registerForCheckpoints();
        return new Snowflake(given.namespace, given.layout, worker, cached(worker));
    }

    /** Returns a clock that caches the tick, if the clock is this host's: other clocks may not move by themselves. */
    private IssueClock cached(IssueClock clock) {
        return given.cachedTick
                        && given.layout.idsPerTick() >= StripedWindow.WIDE
                        && given.time.equals(CautiousTime.SYSTEM)
                ? new CachedTick(clock, given.time)
                : clock;
    }

    private long packWorker(int datacenter, int worker) {
        try {
            return given.layout.packWorker(datacenter, worker);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(ErrorCode.INVALID_SETTING, String.valueOf(e.getMessage()), e);
        }
    }

    /** Logs the end of the layout, as a warning in its last years. */
    private void logEnd(System.Logger.Level level, String worker) {
        Duration left = Duration.between(Instant.ofEpochMilli(given.time.millis()), given.layout.end());
        boolean soon = left.compareTo(Defaults.END_IN_SIGHT) < 0;
        Snowflake.LOG.log(
                soon ? System.Logger.Level.WARNING : level,
                "{0}: {1}layout {2} ends at {3}, in {4} days{5}",
                given.namespace,
                worker,
                given.layout,
                given.layout.end(),
                left.toDays(),
                soon ? "; plan the move to one with more time bits, a coarser tick or a later epoch" : "");
    }
}
