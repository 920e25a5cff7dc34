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
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A fixed worker id that is used while other processes lease theirs. It is reserved in the {@link LeaseStore}, so that
 * no lease takes it. {@link ReservationKeeper} reserves the row and renews the reservation in the background, by the
 * rules of {@link ReservationProtocol}. Ids follow this host's clock and a {@link io.idgen.core.snowflake.ClockPolicy}.
 *
 * <p>Each renewal reserves the time of a lease ahead. If the store does not answer for longer, calls wait for it, and
 * then fail. So a process that is stopped, or cut off from the store, uses no tick of its successor.
 *
 * <p>The first call waits until the row is reserved for this process, and until the clock has passed the row's horizon:
 * ticks below it may belong to an earlier holder. If a renewal finds that another process holds the row, or that the
 * row is no longer reserved, no more ids are issued.
 *
 * <p>A process that was killed leaves its reservation behind. Its successor waits until the reservation has not been
 * renewed for the time of a lease. A second process that is started by mistake waits just as long, and is then refused.
 */
public final class ReservedWorker implements WorkerLease, IssueClock {
    private static final long PARK_NANOS = 5_000_000;

    private final WorkerLease fixed;
    private final IssueClock clock;
    private final LeaseStore.Terms terms;
    private final FixedWorkers.Key key;
    private final Timing timing;
    private final Environment environment;
    private final ReservationKeeper keeper;
    private final ReentrantLock lock;
    private final long noTick;
    private final WaitCounter waits = new WaitCounter();

    /** One call at a time checks whether the row is reserved. The others wait for this lock. */
    private final ReentrantLock entrance = new ReentrantLock();

    /** Whether ids may be issued; {@code floorTick} is written before it. */
    private volatile boolean admitted;

    private long floorTick;

    @SuppressWarnings("UnusedVariable") // the JVM references it weakly
    private @Nullable Object checkpoints;

    /** The injected environment, which tests replace. */
    public record Environment(TimeSource time, TaskThreads thread, IdgenListener events) {}

    /** The times of a reservation and its calls, and whether leaving keeps the horizon. */
    public record Timing(Duration renew, Duration acquireTimeout, Duration idTimeout, boolean keepHorizon) {}

    /** The time since which a call waits for a renewal, and the number of refusals by then. */
    private record Renewal(long sinceNanos, int refusals) implements Wait {}

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
            Timing timing,
            Environment environment) {
        this.fixed = fixed;
        this.clock = clock;
        this.terms = terms;
        this.key = FixedWorkers.Key.of(terms.namespace(), terms.layout(), terms.firstWorkerId());
        this.timing = timing;
        this.environment = environment;
        this.keeper = new ReservationKeeper(fixed, store, terms, timing.renew(), timing.keepHorizon(), environment);
        this.lock = keeper.lock();
        this.noTick = 1L << terms.layout().timeBits();
    }

    @Override
    public Window window() {
        if (!admitted) {
            warmUp();
        }
        return fixed.window();
    }

    /**
     * Returns the host's time, but at least the horizon at which this process was admitted. Returns a tick after the
     * end of the layout, for which no window has an id, if an id could reach the end of the reserved time.
     */
    @Override
    public long now() {
        long tick = Math.max(floorTick, clock.now());
        return tick > keeper.lastClockTick() ? noTick : tick;
    }

    @Override
    public long nanosUntil(long tick) {
        return clock.nanosUntil(tick);
    }

    @Override
    public @Nullable Wait pause(@Nullable Wait before, Window window) {
        if (window.highest() == Window.SEALED) {
            if (admitted && window == fixed.window()) {
                throw keeper.ended();
            }
            return null; // a checkpoint is under way or over: the next look at the window waits
        }
        if (clock.now() > keeper.lastClockTick()) {
            return awaitRenewal(before instanceof Renewal renewal ? renewal : null);
        }
        return clock.pause(before instanceof Renewal ? null : before, window);
    }

    /** Waits a moment for a renewal, or throws if none has succeeded in time. */
    private Renewal awaitRenewal(@Nullable Renewal before) {
        Renewal wait;
        lock.lock();
        try {
            keeper.checkOpen();
            wait = before == null ? new Renewal(environment.time.nanoTime(), keeper.refusals()) : before;
            IdGenerationException refusal = keeper.refusalSince(wait.refusals);
            if (refusal != null) {
                throw refusal.forCaller();
            }
            if (isOver(wait.sinceNanos, timing.idTimeout)) {
                throw notRenewed();
            }
            keeper.want();
            keeper.hurry();
        } finally {
            lock.unlock();
        }
        if (before == null) {
            waits.called();
        }
        IssueClock.checkInterrupt(terms.namespace(), "the reservation of " + key + " to be renewed");
        long sinceNanos = environment.time.nanoTime();
        waits.begin();
        try {
            environment.time.park(PARK_NANOS);
        } finally {
            waits.end(environment.time.nanoTime() - sinceNanos);
        }
        return wait;
    }

    private IdUnavailableException notRenewed() {
        return unavailable(
                ErrorCode.WINDOW_USED_UP,
                "the reserved time of " + key + " ended at " + keeper.reservedTicksEnd() + ", this host's clock is at "
                        + Instant.ofEpochMilli(environment.time.millis())
                        + ", and the reservation was not renewed within "
                        + Durations.text(timing.idTimeout) + "; " + outageText()
                        + "; ids continue when it answers. To outlast longer outages, lease the worker id (leave"
                        + " idgen.worker.assigner out), or set a longer idgen.worker.lease");
    }

    private String outageText() {
        Outage outage = keeper.outage();
        return outage == null
                ? "no request has failed so far: the database is slow"
                : "the database has been failing for " + Durations.text(lasting(outage)) + ", last: "
                        + FailureText.of(outage.last());
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
            if (!entrance.tryLock(timing.acquireTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
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
            if (isOver(sinceNanos, timing.acquireTimeout)) {
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
        } else if (isOver(sinceNanos, timing.acquireTimeout)) {
            throw unavailable(
                    ErrorCode.IDS_UNAVAILABLE,
                    key + " is reserved, but times before " + Instant.ofEpochMilli(floorMillis)
                            + " belong to its earlier holder, and this host's clock is at "
                            + Instant.ofEpochMilli(nowMillis)
                            + "; try again then, or check that the clocks of host and database agree");
        }
        return admitted;
    }

    private boolean isOver(long sinceNanos, Duration patience) {
        return environment.time.nanoTime() - sinceNanos >= patience.toNanos();
    }

    private IdUnavailableException outOfTime() {
        lock.lock();
        try {
            String waitingFor = keeper.waitingFor();
            if (waitingFor != null) {
                return unavailable(ErrorCode.RESERVATION_TAKEN, waitingFor);
            }
            return unavailable(
                    ErrorCode.IDS_UNAVAILABLE,
                    key + " was not reserved within " + Durations.text(timing.acquireTimeout) + "; "
                            + (keeper.isSuspended() ? "a checkpoint of this process is under way" : outageText()));
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
                keeper.reservedTicksEnd(),
                terms.layout().end(),
                admitted && ended == null && keeper.hasTicks(),
                ended,
                keeper.refused(),
                waits.snapshot(),
                outage == null ? null : outage.snapshot(environment.time.nanoTime()),
                keeper.failures());
    }

    /** Registers with CRaC. Called once, before this worker is used. */
    public void registerForCheckpoints() {
        checkpoints = Checkpoints.register(this::suspend, this::resume);
    }

    /** {@inheritDoc} Calls wait until {@link #resume}. The next call after that reserves the row with a new token. */
    @Override
    public void suspend() {
        admitted = false;
        CloseWait.SYSTEM.await(keeper.suspend(), CloseWait.LONGEST);
    }

    @Override
    public void resume() {
        keeper.resume();
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
