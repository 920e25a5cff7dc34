package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.internal.task.CloseWait;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.task.TaskThreads;
import io.idgen.core.internal.task.WaitCounter;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.text.FailureText;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.window.IssueClock;
import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.lease.LeaseStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A fixed worker id that is used while other processes lease theirs. It is reserved in the {@link LeaseStore}, so that
 * no lease takes it. {@link ReservationKeeper} reserves the row and renews the reservation in the background, by the
 * rules of {@link ReservationProtocol}. Ids follow this host's clock and a {@link io.idgen.core.snowflake.ClockPolicy},
 * and continue during an outage of the store.
 *
 * <p>The first call waits until the row is reserved for this process, and until the clock has passed the row's horizon:
 * ticks below it may belong to an earlier holder. If a renewal finds that another process holds the row, or that the
 * row is no longer reserved, no more ids are issued.
 *
 * <p>A process that was killed leaves its reservation behind. Its successor waits until the reservation has not been
 * renewed for the time of a lease. A second process that is started by mistake waits just as long, and is then refused.
 */
public final class ReservedWorker implements WorkerLease, IssueClock {
    /** Identifies this process, or this class loader of it. */
    public static final String PROCESS = token();

    private static final long PARK_NANOS = 5_000_000;

    private final WorkerLease fixed;
    private final IssueClock clock;
    private final LeaseStore.Terms terms;
    private final FixedWorkers.Key key;
    private final Duration acquireTimeout;
    private final Environment environment;
    private final ReservationKeeper keeper;
    private final ReentrantLock lock;
    private final WaitCounter waits = new WaitCounter();

    /** One call at a time checks whether the row is reserved. The others wait for this lock. */
    private final ReentrantLock entrance = new ReentrantLock();

    /** Whether ids may be issued; {@code floorTick} is written before it. */
    private volatile boolean admitted;

    private long floorTick;

    /**
     * The injected environment, which tests replace.
     *
     * @param token a token of this process alone; generators of one JVM that share a worker id also share its row
     */
    public record Environment(TimeSource time, TaskThreads thread, IdgenListener events, String token) {}

    /**
     * Creates a reservation. The store is not called before the first id or {@link #warmUp}.
     *
     * @param fixed the worker id in this JVM
     * @param terms terms with exactly one worker id, the one to reserve
     */
    public ReservedWorker(
            WorkerLease fixed,
            IssueClock clock,
            LeaseStore store,
            LeaseStore.Terms terms,
            Duration renew,
            Duration acquireTimeout,
            Environment environment) {
        this.fixed = fixed;
        this.clock = clock;
        this.terms = terms;
        this.key = FixedWorkers.Key.of(terms.namespace(), terms.layout(), terms.firstWorkerId());
        this.acquireTimeout = acquireTimeout;
        this.environment = environment;
        this.keeper = new ReservationKeeper(fixed, store, terms, renew, environment);
        this.lock = keeper.lock();
    }

    private static String token() {
        SecureRandom random = new SecureRandom();
        return String.format("%016x%016x", random.nextLong(), random.nextLong());
    }

    @Override
    public Window window() {
        if (!admitted) {
            warmUp();
        }
        return fixed.window();
    }

    /** Returns the host's time, but at least the horizon at which this process was admitted. */
    @Override
    public long now() {
        return Math.max(floorTick, clock.now());
    }

    @Override
    public long nanosUntil(long tick) {
        return clock.nanosUntil(tick);
    }

    @Override
    public @Nullable Wait pause(@Nullable Wait before, Window window) {
        if (window.highest() == Window.SEALED) {
            throw keeper.ended();
        }
        return clock.pause(before, window);
    }

    @Override
    public void warmUp() {
        long sinceNanos = environment.time.nanoTime();
        int refusalsBefore = refusals();
        boolean first = !admitted;
        if (first) {
            waits.called();
            waits.begin();
        }
        try {
            await(sinceNanos, refusalsBefore);
        } finally {
            if (first) {
                waits.end(environment.time.nanoTime() - sinceNanos);
            }
        }
    }

    private int refusals() {
        lock.lock();
        try {
            return keeper.refusals();
        } finally {
            lock.unlock();
        }
    }

    private void await(long sinceNanos, int refusalsBefore) {
        try {
            if (!entrance.tryLock(acquireTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw outOfTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            while (!isAdmitted(sinceNanos, refusalsBefore)) {
                IssueClock.checkInterrupt(terms.namespace(), key + " to be reserved");
                environment.time.park(PARK_NANOS);
            }
        } finally {
            if (entrance.isHeldByCurrentThread()) {
                entrance.unlock();
            }
        }
    }

    /**
     * Returns whether ids may be issued. If the row is not reserved, requests that; throws if it is refused or takes
     * too long.
     */
    private boolean isAdmitted(long sinceNanos, int refusalsBefore) {
        lock.lock();
        try {
            keeper.checkOpen();
            if (admitted) {
                return true;
            }
            keeper.want();
            if (keeper.hasReserved()) {
                return enter(environment.time.millis(), sinceNanos);
            }
            IdGenerationException refusal = keeper.refusalSince(refusalsBefore);
            if (refusal != null) {
                throw refusal.forCaller();
            }
            if (isOver(sinceNanos)) {
                throw outOfTime();
            }
            keeper.hurry();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean enter(long nowMillis, long sinceNanos) {
        long floorMillis = keeper.floorMillis();
        if (nowMillis >= floorMillis) {
            floorTick = keeper.floorTick();
            admitted = true;
            keeper.issues();
        } else if (isOver(sinceNanos)) {
            throw unavailable(
                    ErrorCode.IDS_UNAVAILABLE,
                    key + " is reserved, but times before " + Instant.ofEpochMilli(floorMillis)
                            + " belong to its earlier holder, and this host's clock is at "
                            + Instant.ofEpochMilli(nowMillis)
                            + "; try again then, or check that the clocks of host and database agree");
        }
        return admitted;
    }

    private boolean isOver(long sinceNanos) {
        return environment.time.nanoTime() - sinceNanos >= acquireTimeout.toNanos();
    }

    private IdUnavailableException outOfTime() {
        lock.lock();
        try {
            String waitingFor = keeper.waitingFor();
            if (waitingFor != null) {
                return unavailable(ErrorCode.RESERVATION_TAKEN, waitingFor);
            }
            Outage outage = keeper.outage();
            return unavailable(
                    ErrorCode.IDS_UNAVAILABLE,
                    key + " was not reserved within " + Durations.text(acquireTimeout)
                            + (outage == null
                                    ? "; no request has failed so far: the database is slow"
                                    : "; the database has been failing for " + Durations.text(lasting(outage))
                                            + ", last: " + FailureText.of(outage.last())));
        } finally {
            lock.unlock();
        }
    }

    private IdUnavailableException unavailable(ErrorCode code, String text) {
        Outage outage = keeper.outage();
        return new IdUnavailableException(
                code, terms.namespace(), lasting(outage), text, outage == null ? null : outage.last());
    }

    private Duration lasting(@Nullable Outage outage) {
        return outage == null
                ? Duration.ZERO
                : Duration.ofMillis(outage.duration(environment.time.nanoTime()).toMillis());
    }

    @Override
    public SnowflakeSnapshot snapshot() {
        Outage outage = keeper.outage();
        ErrorCode ended = keeper.endCode();
        return new SnowflakeSnapshot(
                terms.namespace(),
                key.datacenter(),
                key.worker(),
                Instant.ofEpochMilli(environment.time.millis()),
                Duration.ZERO,
                keeper.reservedUntil(),
                null,
                terms.layout().end(),
                admitted && ended == null,
                ended,
                keeper.refused(),
                waits.snapshot(),
                outage == null ? null : outage.snapshot(environment.time.nanoTime()),
                keeper.failures());
    }

    @Override
    public void close() {
        CloseWait.SYSTEM.await(closeAsync(), CloseWait.LONGEST);
    }

    /** {@inheritDoc} Leaves the row reserved without a process, so that a successor need not wait. */
    @Override
    public CompletableFuture<?> closeAsync() {
        admitted = false;
        return keeper.close();
    }
}
