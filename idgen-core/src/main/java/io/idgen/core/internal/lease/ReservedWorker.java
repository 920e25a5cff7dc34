package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.task.BackOff;
import io.idgen.core.internal.task.CloseWait;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.text.FailureText;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.window.IssueClock;
import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A fixed worker id beside processes that lease theirs: it is reserved in the {@link LeaseStore}, so that no lease takes it.
 * Ids follow this host's clock and a {@link io.idgen.core.snowflake.ClockPolicy}, and go on while the store is away.
 *
 * <p>The first call waits until the row is reserved for this process, and until the clock has passed the row's horizon: ticks
 * below it may belong to an earlier holder. From then on a background task renews the reservation, which raises the horizon
 * above all ids that were issued. If it finds that another process holds the row, or that the row is no longer reserved, no more
 * ids are issued.
 *
 * <p>A process that was killed leaves its reservation behind. Its successor waits until the reservation has not been renewed for
 * the time of a lease; a second process that is started by mistake waits just as long, and is then refused.
 */
public final class ReservedWorker implements WorkerLease, IssueClock {
    /** What tells this process, or this class loader of it, from all others. */
    public static final String PROCESS = token();

    private static final AsyncLog LOG = AsyncLog.of(ReservedWorker.class);

    private static final Duration RETRY = Duration.ofMillis(250);
    private static final Duration STILL_WANTED = Duration.ofSeconds(5);
    private static final long PARK_NANOS = 5_000_000;

    private final WorkerLease fixed;
    private final IssueClock clock;
    private final LeaseStore store;
    private final LeaseStore.Terms terms;
    private final int workerId;
    private final FixedWorkers.Key key;
    private final Duration renew;
    private final Duration acquireTimeout;
    private final Environment environment;
    private final BackOff backOff;

    /** Whether ids may be issued; what it guards is written before. */
    private volatile boolean admitted;

    private long floorTick;

    /** One caller at a time looks whether the row is reserved; the others wait behind it. */
    private final ReentrantLock entrance = new ReentrantLock();

    // All below is guarded by the lock.
    private final ReentrantLock lock = new ReentrantLock();
    private LeaseStore.@Nullable RowState reserved;
    private boolean scheduled;
    private long wantedNanos;
    private @Nullable Outage outage;
    private int refusals;
    private @Nullable IdGenerationException refusal;
    private @Nullable String waitingFor;
    private @Nullable String end;
    private boolean closed;

    /**
     * What a process has, and a test replaces.
     *
     * @param token of this process alone: generators of one JVM that share a worker id share its row too
     */
    public record Environment(TimeSource time, ScheduledExecutorService thread, IdgenListener events, String token) {}

    /**
     * A reservation. The store is asked nothing before the first id or {@link #warmUp}.
     *
     * @param fixed the worker id in this JVM
     * @param terms of exactly one worker id, the one to reserve
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
        this.store = store;
        this.terms = terms;
        this.workerId = terms.firstWorkerId();
        this.key = FixedWorkers.Key.of(terms.namespace(), terms.layout(), workerId);
        this.renew = renew;
        this.acquireTimeout = acquireTimeout;
        this.environment = environment;
        this.backOff = new BackOff(RETRY, renew.compareTo(RETRY) < 0 ? RETRY : renew);
    }

    private static String token() {
        SecureRandom random = new SecureRandom();
        return String.format("%016x%016x", random.nextLong(), random.nextLong());
    }

    // ---- callers ----

    @Override
    public Window window() {
        if (!admitted) {
            warmUp();
        }
        return fixed.window();
    }

    /** The host's time, and never one below the horizon at which this process was admitted. */
    @Override
    public long now() {
        return Math.max(floorTick, clock.now());
    }

    @Override
    public long recently() {
        return Math.max(floorTick, clock.recently());
    }

    @Override
    public @Nullable Wait pause(@Nullable Wait before, Window window) {
        if (window.highest() == Window.SEALED) {
            throw ended();
        }
        return clock.pause(before, window);
    }

    private IdGenerationException ended() {
        lock.lock();
        try {
            return end == null
                    ? WorkerLease.closed(terms.namespace())
                    : new IdGenerationException(ErrorCode.RESERVATION_TAKEN, end);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void warmUp() {
        long sinceNanos = environment.time.nanoTime();
        int refusalsBefore = refusals();
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

    private int refusals() {
        lock.lock();
        try {
            return refusals;
        } finally {
            lock.unlock();
        }
    }

    /** Whether ids may be issued; has the row reserved if it is not; throws if that is refused or takes too long. */
    private boolean isAdmitted(long sinceNanos, int refusalsBefore) {
        lock.lock();
        try {
            if (closed || end != null) {
                throw ended();
            }
            if (admitted) {
                return true;
            }
            wantedNanos = environment.time.nanoTime();
            if (reserved != null) {
                return enter(environment.time.millis(), sinceNanos);
            }
            if (refusal != null && refusals != refusalsBefore) {
                throw refusal.forCaller();
            }
            if (isOver(sinceNanos)) {
                throw outOfTime();
            }
            if (!scheduled) {
                schedule(Duration.ZERO);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean enter(long nowMillis, long sinceNanos) {
        long floorMillis = TickScale.of(
                        terms.layout().epoch(),
                        terms.layout().tick(),
                        terms.layout().timeBits())
                .instantOf(floorTick)
                .toEpochMilli();
        if (nowMillis >= floorMillis) {
            admitted = true;
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
            return waitingFor != null && outage == null
                    ? unavailable(ErrorCode.RESERVATION_TAKEN, waitingFor)
                    : unavailable(
                            ErrorCode.IDS_UNAVAILABLE,
                            key + " was not reserved within " + Durations.text(acquireTimeout)
                                    + (outage == null
                                            ? "; the database has not answered yet"
                                            : "; the database has been failing for " + Durations.text(lasting())
                                                    + ", last: " + FailureText.of(outage.last())));
        } finally {
            lock.unlock();
        }
    }

    private IdUnavailableException unavailable(ErrorCode code, String text) {
        return new IdUnavailableException(
                code, terms.namespace(), lasting(), text, outage == null ? null : outage.last());
    }

    private Duration lasting() {
        return outage == null
                ? Duration.ZERO
                : Duration.ofMillis(outage.duration(environment.time.nanoTime()).toMillis());
    }

    @Override
    public SnowflakeSnapshot snapshot() {
        return fixed.snapshot();
    }

    // ---- the background task ----

    /** Called under the lock. */
    private void schedule(Duration delay) {
        try {
            environment.thread.schedule(this::run, delay.toNanos(), TimeUnit.NANOSECONDS);
            scheduled = true;
        } catch (RejectedExecutionException e) {
            closed = true; // the owner of the thread has ended it
        }
    }

    /** Whether another turn is planned: to renew, or because callers wait. Called under the lock. */
    private boolean goesOn() {
        boolean wanted = environment.time.nanoTime() - wantedNanos < STILL_WANTED.toNanos();
        return !closed && end == null && (reserved != null || wanted);
    }

    /** One turn: reserves the row, or renews the reservation, and plans the next turn. */
    private void run() {
        lock.lock();
        try {
            scheduled = false;
            if (closed || end != null) {
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            LeaseStore.RowState mine = reserved();
            answered(mine == null ? take() : renew(mine));
        } catch (StoreUnavailableException e) {
            failed(e);
        } catch (IdGenerationException e) {
            refused(e);
        } catch (RuntimeException | Error e) {
            failed(e); // a driver's own surprises are an outage as well: nothing may end the renewals unseen
        }
    }

    private LeaseStore.@Nullable RowState reserved() {
        lock.lock();
        try {
            return reserved;
        } finally {
            lock.unlock();
        }
    }

    private void answered(Duration pause) {
        Outage over;
        lock.lock();
        try {
            over = outage;
            outage = null;
            if (goesOn()) {
                schedule(pause);
            }
        } finally {
            lock.unlock();
        }
        if (over != null) {
            environment.events.onEvent(new IdgenEvent.OutageEnded(
                    terms.namespace(),
                    IdgenEvent.Activity.RESERVATION,
                    over.duration(environment.time.nanoTime()),
                    over.failures()));
        }
    }

    private void failed(Throwable e) {
        boolean first;
        boolean issuing;
        lock.lock();
        try {
            outage = Outage.after(outage, e, environment.time.nanoTime());
            first = outage.failures() == 1;
            issuing = admitted;
            if (goesOn()) {
                schedule(backOff.pause(outage.failures()));
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            environment.events.onEvent(
                    new IdgenEvent.OutageBegan(terms.namespace(), IdgenEvent.Activity.RESERVATION, issuing, e));
        }
    }

    /** The store answers and refuses. Before the first id callers get the refusal; later it counts as an outage. */
    private void refused(IdGenerationException e) {
        lock.lock();
        try {
            if (reserved == null) {
                refusals++;
                refusal = e;
                return; // the next call tries again
            }
        } finally {
            lock.unlock();
        }
        failed(e);
    }

    /** Reserves the row, whoever holds it by a lease; gives the pause until the next turn. */
    private Duration take() {
        LeaseStore.Candidates candidates =
                store.candidates(terms, null); // makes the row if it is missing, and compares the layout
        LeaseStore.RowState seen = store.state(terms, workerId)
                .orElseThrow(() -> new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "there is no row of " + key + " with layout " + terms.layout() + "; make it, or set the layout"
                                + " that the rows of the namespace have"));
        boolean mine = environment.token.equals(seen.token());
        if (seen.reserved() && seen.token() != null && !mine && seen.nowMillis() < seen.heldUntilMillis()) {
            waitFor(seen);
            return shorter(Duration.ofMillis(seen.heldUntilMillis() - seen.nowMillis() + 1), RETRY.multipliedBy(4));
        }
        if (!seen.sameServer() && !mine) {
            // what another server has granted and lost ended below this: as for a lease
            long advanced = up(Math.max(seen.horizonMillis(), seen.nowMillis() + candidates.gapMillis()) + 1000);
            LeaseStore.Row row =
                    new LeaseStore.Row(workerId, seen.fence(), seen.horizonMillis(), false, seen.token() != null);
            return store.advance(terms, row, advanced, candidates.gapMillis()) ? Duration.ZERO : RETRY;
        }
        long horizon = up(Math.max(seen.horizonMillis(), seen.nowMillis() + (mine ? 0 : aheadMillis(seen))));
        if (!store.reserve(terms, workerId, seen, environment.token, horizon)) {
            return RETRY; // the row has changed meanwhile
        }
        lock.lock();
        try {
            reserved = after(seen, environment.token, horizon);
            floorTick = TickScale.of(
                            terms.layout().epoch(),
                            terms.layout().tick(),
                            terms.layout().timeBits())
                    .tickFrom(horizon);
            waitingFor = null;
        } finally {
            lock.unlock();
        }
        LOG.log(
                System.Logger.Level.INFO,
                "{0}: {1} is reserved for this process, ids from {2} on",
                terms.namespace(),
                key,
                Instant.ofEpochMilli(horizon));
        return renew;
    }

    /**
     * How far ids of a dead holder were ahead of the store's time at its last renewal; those that it issued afterwards were ahead
     * by as much.
     */
    private long aheadMillis(LeaseStore.RowState seen) {
        boolean died = seen.reserved() && seen.token() != null;
        long renewedMillis = seen.heldUntilMillis() - terms.lease().toMillis();
        return died ? Math.max(0, seen.horizonMillis() - renewedMillis) : 0;
    }

    private void waitFor(LeaseStore.RowState seen) {
        lock.lock();
        try {
            waitingFor = key + " is reserved by another process, " + seen.holder() + ", which counts as alive until "
                    + Instant.ofEpochMilli(seen.heldUntilMillis()) + " (the database's time is "
                    + Instant.ofEpochMilli(seen.nowMillis())
                    + "); give this process another worker id, or stop the other one";
        } finally {
            lock.unlock();
        }
    }

    /** Renews the reservation, with a horizon above all ids that were issued; gives the pause until the next turn. */
    private Duration renew(LeaseStore.RowState known) {
        LeaseStore.RowState seen = store.state(terms, workerId).orElse(null);
        if (seen == null || !seen.reserved() || !environment.token.equals(seen.token())) {
            // a read may be stale: only an update that would have to match and does not is proof
            if (!reserve(known)) {
                stop(seen);
            }
            return renew;
        }
        return reserve(seen) ? renew : RETRY;
    }

    private boolean reserve(LeaseStore.RowState seen) {
        long horizon = horizon(seen);
        if (!store.reserve(terms, workerId, seen, environment.token, horizon)) {
            return false;
        }
        lock.lock();
        try {
            reserved = after(seen, environment.token, horizon);
        } finally {
            lock.unlock();
        }
        return true;
    }

    private long horizon(LeaseStore.RowState seen) {
        long issued = TickScale.of(
                        terms.layout().epoch(),
                        terms.layout().tick(),
                        terms.layout().timeBits())
                .instantOf(fixed.window().highestTick() + 1)
                .toEpochMilli();
        return Math.max(Math.max(seen.horizonMillis(), issued), up(seen.nowMillis()));
    }

    private static LeaseStore.RowState after(LeaseStore.RowState seen, @Nullable String token, long horizonMillis) {
        return new LeaseStore.RowState(
                seen.nowMillis(), seen.fence() + 1, horizonMillis, true, true, token, seen.heldUntilMillis(), "this");
    }

    private void stop(LeaseStore.@Nullable RowState seen) {
        String found = seen == null
                ? "its row is gone"
                : !seen.reserved()
                        ? "its row is no longer reserved"
                        : seen.token() == null
                                ? "its row is reserved for no process"
                                : "its row is reserved by " + seen.holder();
        String text = "this process has lost " + key + ": " + found
                + "; it issues no more ids, because the other holder could issue the same; stop one of them, and give it"
                + " another worker id";
        lock.lock();
        try {
            end = text;
            admitted = false;
        } finally {
            lock.unlock();
        }
        fixed.window().seal();
        environment.events.onEvent(new IdgenEvent.Stopped(
                terms.namespace(), new IdGenerationException(ErrorCode.RESERVATION_TAKEN, text)));
    }

    private long up(long millis) {
        SnowflakeLayout layout = terms.layout();
        return TickScale.of(layout.epoch(), layout.tick(), layout.timeBits())
                .instantOf(TickScale.of(layout.epoch(), layout.tick(), layout.timeBits())
                        .tickFrom(millis))
                .toEpochMilli();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    // ---- the end ----

    @Override
    public void close() {
        CloseWait.SYSTEM.await(closeAsync(), CloseWait.LONGEST);
    }

    /** {@inheritDoc} The row stays reserved, but for no process, so that a successor need not wait. */
    @Override
    public CompletableFuture<?> closeAsync() {
        CompletableFuture<Void> left = new CompletableFuture<>();
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.completedFuture(null);
            }
            closed = true;
            admitted = false;
            fixed.close();
            // another generator of this JVM may go on with the worker id, and with the reservation
            boolean last = fixed.window().highest() == Window.SEALED;
            if (last && reserved != null && end == null && outage == null) {
                environment.thread.execute(() -> leave(left)); // after the turn that is under way
            } else {
                left.complete(null);
            }
            environment.thread.shutdown();
        } catch (RejectedExecutionException e) {
            left.complete(null);
        } finally {
            lock.unlock();
        }
        return left.thenCompose(done -> LOG.written());
    }

    /** Once the window is sealed: its highest tick is final. */
    private void leave(CompletableFuture<Void> left) {
        try {
            LeaseStore.RowState seen = store.state(terms, workerId).orElse(null);
            if (seen != null && environment.token.equals(seen.token())) {
                store.reserve(terms, workerId, seen, null, horizon(seen));
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "the reservation is kept until it counts as expired", e);
        } finally {
            left.complete(null);
        }
    }
}
