package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.lease.ReservationState.Phase;
import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.task.BackOff;
import io.idgen.core.internal.task.NextTurn;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.task.Refusal;
import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.RowState;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link ReservationProtocol}. Sends its commands to the store, one turn at a time on a thread of its own, and
 * seals the window when another process holds the row.
 *
 * <p>It is longer than other classes: turns, failures and leaving all change the state that one lock guards.
 */
final class ReservationKeeper {
    private static final AsyncLog LOG = AsyncLog.of(ReservedWorker.class);
    private static final Duration STILL_WANTED = Duration.ofSeconds(5);

    private final WorkerLease fixed;
    private final LeaseStore store;
    private final LeaseStore.Terms terms;
    private final ReservedWorker.Environment environment;
    private final ReservationProtocol protocol;
    private final Issuer issuer = new Issuer();
    private final Object member = new Object();
    private final String key;
    private final BackOff backOff;
    private final AtomicLong failures = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();

    // All below is guarded by the lock. Snapshots read the volatile fields without it.
    private final NextTurn next;
    private volatile ReservationState state = ReservationState.START;
    private volatile long lastClockTick = -1;
    private volatile @Nullable Outage outage;
    private volatile @Nullable IdGenerationException end;
    private boolean issuing;
    private long wantedNanos;
    private int refusals;
    private volatile @Nullable Refusal refusal;
    private volatile @Nullable String waitingFor;

    ReservationKeeper(
            WorkerLease fixed,
            LeaseStore store,
            LeaseStore.Terms terms,
            Duration renew,
            boolean keepHorizon,
            ReservedWorker.Environment environment) {
        Duration first = ReservationProtocol.RETRY;
        this.fixed = fixed;
        this.store = store;
        this.terms = terms;
        this.environment = environment;
        this.protocol = new ReservationProtocol(
                terms, renew, keepHorizon, fixed.window().aheadTicks());
        this.key = LeaseReports.row(terms, terms.firstWorkerId());
        this.backOff = new BackOff(first, renew.compareTo(first) < 0 ? first : renew);
        this.next = new NextTurn(environment.thread(), environment.time()::nanoTime, this::turn);
    }

    // ---- for waiting callers, under the lock ----

    ReentrantLock lock() {
        return lock;
    }

    /** Throws if there will never be an id again. */
    void checkOpen() {
        if (end != null || (state.phase() != Phase.OPEN && !isSuspended())) {
            throw ended();
        }
    }

    /** Returns why no id is generated any more. */
    IdGenerationException ended() {
        IdGenerationException reason = end;
        return reason == null ? WorkerLease.closed(terms.namespace()) : reason.forCaller();
    }

    /** Whether the row is reserved for this process. */
    boolean hasReserved() {
        return state.phase() == Phase.OPEN && state.reserved() != null;
    }

    /** Returns the first tick that belongs to no earlier holder, once the row is reserved. */
    long floorTick() {
        return state.floorTick();
    }

    /** Returns the time at which that tick begins. */
    long floorMillis() {
        return protocol.millisOf(state.floorTick());
    }

    /** Returns the last tick at which the clock may stand when an id is issued; read without the lock, once per id. */
    long lastClockTick() {
        return lastClockTick;
    }

    boolean isSuspended() {
        return state.phase() == Phase.SUSPENDED;
    }

    /** Records that ids are issued from now on. */
    void issues() {
        issuing = true;
    }

    /** Records that a call wants ids. */
    void want() {
        wantedNanos = environment.time().nanoTime();
    }

    /** Runs a turn now, unless one is under way or planned for another call. Starts none during a checkpoint. */
    void hurry() {
        if (isSuspended()) {
            return;
        }
        try {
            Throwable noThread = next.hurry();
            if (noThread != null && (outage == null || outage.last() != noThread)) {
                outage = Outage.after(outage, noThread, environment.time().nanoTime());
                failures.incrementAndGet();
            }
        } catch (RejectedExecutionException e) {
            state = state.in(Phase.CLOSED); // the owner of the thread has shut it down
        }
    }

    /** Returns how often the store has refused so far. */
    int refusals() {
        return refusals;
    }

    /**
     * Returns the last refusal of the store, if it has refused more often than {@code count}, or if it cannot be
     * reached and it is too early for another attempt.
     */
    @Nullable
    IdGenerationException refusalSince(int count) {
        Refusal last = refusal;
        boolean isToldAgain =
                last != null && outage != null && last.holds(environment.time().nanoTime());
        return last != null && (refusals != count || isToldAgain) ? last.reason() : null;
    }

    /** Returns why the row is not reserved although the store answers, or null. */
    @Nullable
    String waitingFor() {
        return outage == null ? waitingFor : null;
    }

    // ---- snapshots, without the lock ----

    @Nullable
    Outage outage() {
        return outage;
    }

    /** Returns why the last attempt did not reserve the row although the store answered, or null. */
    @Nullable
    ErrorCode refused() {
        Refusal now = refusal;
        if (state.reserved() != null || outage != null) {
            return null;
        }
        return waitingFor != null
                ? ErrorCode.RESERVATION_TAKEN
                : now == null ? null : now.reason().code();
    }

    /** How many attempts have failed so far. */
    long failures() {
        return failures.get();
    }

    /**
     * Returns until when this process counts as alive unless it renews the reservation, by the store's clock. Null
     * before.
     */
    @Nullable
    Instant reservedUntil() {
        ReservationState now = state;
        RowState row = now.reserved();
        return row == null || now.phase() != Phase.OPEN ? null : Instant.ofEpochMilli(row.heldUntilMillis());
    }

    /** Returns why no id is generated any more; null while ids may be generated. */
    @Nullable
    ErrorCode endCode() {
        IdGenerationException reason = end;
        return reason != null ? reason.code() : state.phase() == Phase.OPEN ? null : ErrorCode.SOURCE_CLOSED;
    }

    /** Returns the end of the time that is reserved, by the host's clock. Null before. */
    @Nullable
    Instant reservedTicksEnd() {
        ReservationState now = state;
        RowState row = now.reserved();
        return row == null || now.phase() != Phase.OPEN ? null : Instant.ofEpochMilli(row.horizonMillis());
    }

    // ---- a turn ----

    /** What statements depend on besides the row. */
    private final class Issuer implements ReservationCommand.Issuer {
        @Override
        public long highestTick() {
            return fixed.window().highestTick();
        }

        @Override
        public long hostMillis() {
            return environment.time().millis();
        }

        @Override
        public String freshSuffix() {
            return ReservationPeers.randomText();
        }

        @Override
        public @Nullable Long floorTickIn(RowState seen) {
            return ReservationPeers.of(fixed.window()).floorTickIn(seen);
        }
    }

    private void turn() {
        lock.lock();
        try {
            if (state.phase() != Phase.OPEN || !next.begin()) {
                return;
            }
            String token = ReservationPeers.of(fixed.window()).token();
            if (state.reserved() == null && !token.equals(state.token())) {
                state = ReservationState.acquiring(token);
            }
        } finally {
            lock.unlock();
        }
        try {
            answered(converse(new ReservationEvent.Turn()));
        } catch (StoreUnavailableException e) {
            failed(e);
        } catch (IdGenerationException e) {
            refused(e);
        } catch (Throwable e) {
            failed(e); // an unexpected exception of a driver counts as an outage: it must not silently end the renewals
        }
    }

    /** Sends the commands of the protocol until the turn is over. Returns the pause before the next one. */
    private Duration converse(ReservationEvent first) {
        ReservationStep step = accept(first);
        while (step.command() != null) {
            step = accept(step.command().send(store, terms, issuer));
        }
        return step.pause();
    }

    private ReservationStep accept(ReservationEvent event) {
        ReservationStep step;
        lock.lock();
        try {
            step = event.apply(protocol, state);
            state = step.state();
            ReservationPeers.of(fixed.window()).knows(member, state);
            lastClockTick = protocol.lastClockTick(state);
            switch (step.notice()) {
                case HELD -> waitingFor = held(step);
                case RESERVED -> waitingFor = null;
                case LOST -> {
                    end = lost(step.found());
                    fixed.window().seal();
                }
                case NONE -> {}
            }
        } finally {
            lock.unlock();
        }
        report(step);
        return step;
    }

    private String held(ReservationStep step) {
        RowState seen = step.found();
        return seen == null
                ? key + " is reserved by another process"
                : key + " is reserved by another process, " + seen.holder() + ", which counts as alive until "
                        + Instant.ofEpochMilli(seen.heldUntilMillis()) + " (the database's time is "
                        + Instant.ofEpochMilli(seen.nowMillis())
                        + "); give this process another worker id, or stop the other one";
    }

    private IdGenerationException lost(@Nullable RowState found) {
        String row = found == null
                ? "its row is gone"
                : !found.reserved()
                        ? "its row is no longer reserved"
                        : found.token() == null
                                ? "its row is reserved for no process"
                                : state.isTokenOf(found)
                                        ? "a copy of this process renewed it"
                                        : "its row is reserved by " + found.holder();
        return new IdGenerationException(
                ErrorCode.RESERVATION_TAKEN,
                "this process has lost " + key + ": " + row
                        + "; it issues no more ids, because the other holder could issue the same; stop one of them,"
                        + " and give it another worker id");
    }

    private void report(ReservationStep step) {
        switch (step.notice()) {
            case RESERVED ->
                LOG.log(
                        System.Logger.Level.INFO,
                        "{0}: {1} is reserved for this process, ids from {2} on",
                        terms.namespace(),
                        key,
                        Instant.ofEpochMilli(protocol.millisOf(step.state().floorTick())));
            case LOST -> environment.events().onEvent(new IdgenEvent.Stopped(terms.namespace(), ended()));
            case NONE, HELD -> {}
        }
    }

    /**
     * Plans the next turn: to renew, or because callers wait. A call may start a routine turn earlier. Called under the
     * lock.
     */
    private void plan(Duration pause, boolean routine) {
        boolean wanted = environment.time().nanoTime() - wantedNanos < STILL_WANTED.toNanos();
        if (state.phase() != Phase.OPEN || (state.reserved() == null && !wanted)) {
            return;
        }
        try {
            next.plan(pause, routine);
        } catch (RejectedExecutionException e) {
            state = state.in(Phase.CLOSED); // the owner of the thread has shut it down
        }
    }

    private void answered(Duration pause) {
        Outage over;
        lock.lock();
        try {
            next.end();
            over = outage;
            outage = null;
            refusal = null;
            plan(pause, state.reserved() != null);
        } finally {
            lock.unlock();
        }
        if (over != null) {
            environment
                    .events()
                    .onEvent(new IdgenEvent.OutageEnded(
                            terms.namespace(),
                            IdgenEvent.Activity.RESERVATION,
                            over.duration(environment.time().nanoTime()),
                            over.failures()));
        }
    }

    private void failed(Throwable e) {
        Outage longer;
        boolean idsLeft;
        lock.lock();
        try {
            next.end();
            long nowNanos = environment.time().nanoTime();
            longer = Outage.after(outage, e, nowNanos);
            outage = longer;
            failures.incrementAndGet();
            idsLeft = issuing && hasTicks();
            tell(Refusal.of(longer, refusal, terms.namespace(), "reservation of " + key, nowNanos));
            plan(backOff.pause(longer.failures()), e instanceof StoreUnreachableException);
        } finally {
            lock.unlock();
        }
        if (longer.failures() == 1) {
            environment
                    .events()
                    .onEvent(
                            new IdgenEvent.OutageBegan(terms.namespace(), IdgenEvent.Activity.RESERVATION, idsLeft, e));
        }
    }

    private void tell(@Nullable Refusal reason) {
        refusal = reason;
        refusals += reason == null ? 0 : 1;
    }

    /** Handles a refusal of the store. Before the first id, callers get the refusal. Later it counts as an outage. */
    private void refused(IdGenerationException e) {
        lock.lock();
        try {
            if (state.reserved() == null) {
                next.end();
                tell(Refusal.after(refusal, e, environment.time().nanoTime()));
                waitingFor = null;
                return; // the next call tries again
            }
        } finally {
            lock.unlock();
        }
        failed(e);
    }

    // ---- the end ----

    /**
     * Seals the window and leaves the row, so that a copy of this process shares no ticks with it. The future completes
     * when the row is left, or that has failed.
     */
    CompletableFuture<Void> suspend() {
        CompletableFuture<Void> left = new CompletableFuture<>();
        lock.lock();
        try {
            if (state.phase() != Phase.OPEN) {
                return CompletableFuture.completedFuture(null);
            }
            boolean holds = state.reserved() != null && outage == null;
            state = state.in(Phase.SUSPENDED);
            fixed.suspend();
            next.cancel();
            if (holds) {
                environment.thread().execute(() -> leave(left)); // after the turn under way
            } else {
                left.complete(null);
            }
        } catch (RuntimeException | Error e) {
            left.complete(null); // the owner of the thread has shut it down, or the host has none for this
        } finally {
            lock.unlock();
        }
        return left;
    }

    /** Continues after a checkpoint, in the process itself or in a copy: the next call reserves the row anew. */
    void resume() {
        lock.lock();
        try {
            if (isSuspended()) {
                fixed.resume();
                state = ReservationState.START;
                lastClockTick = protocol.lastClockTick(state);
                issuing = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the host's clock is within the reserved time. */
    boolean hasTicks() {
        RowState row = state.reserved();
        return row != null && environment.time().millis() < row.horizonMillis();
    }

    /** Closes the worker id in this JVM. If no other generator uses it, leaves the row reserved without a process. */
    CompletableFuture<?> close() {
        CompletableFuture<Void> left = new CompletableFuture<>();
        lock.lock();
        try {
            if (state.phase() == Phase.CLOSED) {
                return CompletableFuture.completedFuture(null);
            }
            boolean holds = state.phase() == Phase.OPEN && state.reserved() != null && outage == null;
            state = state.in(Phase.CLOSED);
            fixed.close();
            next.cancel();
            // another generator of this JVM may continue with the worker id and the reservation
            if (holds && fixed.window().highest() == Window.SEALED) {
                environment.thread().execute(() -> leave(left)); // after the turn under way
            } else {
                left.complete(null);
            }
            environment.thread().shutdown();
        } catch (RuntimeException | Error e) {
            left.complete(null); // the owner of the thread has shut it down, or the host has none for this
        } finally {
            lock.unlock();
        }
        return left.thenCompose(done -> LOG.written());
    }

    /** Leaves the row after the window is sealed, so that its highest tick is final. */
    private void leave(CompletableFuture<Void> left) {
        try {
            converse(new ReservationEvent.Leave());
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.DEBUG, "the reservation is kept until it counts as expired", e);
        } finally {
            left.complete(null);
        }
    }
}
