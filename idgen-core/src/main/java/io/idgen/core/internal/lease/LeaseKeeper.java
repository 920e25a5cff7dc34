package io.idgen.core.internal.lease;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.lease.LeaseState.Phase;
import io.idgen.core.internal.lease.LeaseStep.Notice;
import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.task.BackOff;
import io.idgen.core.internal.task.NextTurn;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.task.Refusal;
import io.idgen.core.internal.task.Standing;
import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.internal.worker.LeasedIds;
import io.idgen.core.lease.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link LeaseProtocol}. Sends its commands to the store, one turn at a time on a thread of its own, and creates
 * windows from the granted ticks. Callers find the window in use without a lock. Turns, waiting callers, checkpoints
 * and the end change one state under one lock, so they are in one class. Simulations copy the state, as a snapshot of a
 * host does.
 */
public final class LeaseKeeper {
    private static final AsyncLog LOG = AsyncLog.of(LeaseKeeper.class);
    private static final Duration ALL_TAKEN = Duration.ofSeconds(1);

    private final LeaseStore.Terms terms;
    private final LeasedWorker.Timing timing;
    private final LeasedWorker.Environment environment;
    private final LeaseProtocol protocol;
    private final LeaseTrace trace;
    final StoreClock clock;
    private final WaitingRoom room;
    private final Standing standing;
    final ReentrantLock lock;
    final LeaseWindow window;
    private final LeaseSender sender;
    private final BackOff backOff;
    private final LeaseReports reports;
    private final LeasedIds leasedIds;

    private volatile long leasedUntilMillis;

    // All below is guarded by the lock.
    private final NextTurn next;
    volatile LeaseState state = LeaseState.START; // read without the lock by snapshots
    boolean leased; // since the start, or the last release

    LeaseKeeper(
            LeaseStore store,
            LeaseStore.Terms terms,
            LeasedWorker.Timing timing,
            LeasedWorker.Environment environment,
            StoreClock clock,
            WaitingRoom room,
            LeaseWindow window,
            LeaseProtocol protocol,
            LeaseTrace trace) {
        this.terms = terms;
        this.timing = timing;
        this.environment = environment;
        this.clock = clock;
        this.room = room;
        this.standing = room.standing();
        this.lock = room.lock();
        this.protocol = protocol;
        this.trace = trace;
        this.backOff = new BackOff(LeaseProtocol.SOON, timing.renew());
        this.reports = new LeaseReports(terms, environment.time(), environment.events(), clock);
        this.leasedIds = new LeasedIds(terms.namespace(), terms.layout());
        this.window = window;
        this.sender = new LeaseSender(store, terms, environment.random(), leasedIds);
        this.next = new NextTurn(environment.thread(), environment.time()::nanoTime, this::turn);
    }

    /**
     * Returns when the lease of the held row ends unless it is renewed, by the store's clock; null if no row is held.
     */
    @Nullable
    Instant leasedUntil() {
        return state.holding() == null ? null : Instant.ofEpochMilli(leasedUntilMillis);
    }

    // ---- for waiting callers, under the lock ----

    /** Whether a row was leased since the start, or since the last checkpoint. */
    boolean hasLeased() {
        return leased;
    }

    boolean isSuspended() {
        return state.phase() == Phase.SUSPENDED;
    }

    /**
     * Runs a turn now, unless one is under way. Starts none during a checkpoint.
     *
     * @param nanos how long the call can wait
     * @return how long it may sleep before it calls this again; short if the host has no thread for now
     */
    long hurry(long nanos) {
        if (isSuspended()) {
            return nanos;
        }
        try {
            Throwable noThread = next.hurry();
            Outage before = standing.outage();
            if (noThread != null && (before == null || before.last() != noThread)) {
                failedOnce(noThread);
            }
            return NextTurn.sleepNanos(noThread, nanos);
        } catch (RejectedExecutionException e) {
            shutDown();
            return 0;
        }
    }

    void plan(Duration delay, boolean routine) {
        try {
            next.plan(delay, routine);
        } catch (RejectedExecutionException e) {
            shutDown();
        }
    }

    /** Ends, because the owner of the thread has shut it down. */
    private void shutDown() {
        stop(Phase.CLOSED, WorkerLease.closed(terms.namespace()));
    }

    /** Changes the state outside a turn. Called under the lock. */
    void become(LeaseState newState) {
        state = newState;
        trace.add(newState);
    }

    private void stop(Phase phase, IdGenerationException reason) {
        become(state.in(phase));
        window.seal();
        standing.end(reason);
    }

    /**
     * Starts to use the ticks of the held row, if their time has begun or the window in use has no id left.
     *
     * @return whether the window in use has changed
     */
    boolean openQueued() {
        Window old = window.current();
        LeaseState opened = window.openQueued(state, clock.millis());
        if (opened == null) {
            return false;
        }
        state = opened;
        trace.add(new LeaseTrace.Opened(
                old.highestTick(),
                (int) window.current().workerId,
                window.current().lastTick()));
        leasedIds.uses(window.current());
        room.wake();
        clock.follow(window.current(), leased);
        return true;
    }

    // ---- a turn ----

    private void turn() {
        lock.lock();
        try {
            if (state.phase() != Phase.OPEN || !next.begin()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            LeaseStep last = sender.turn(this::accept);
            answered(last, last.notice() == Notice.ALL_TAKEN ? reports.allTaken(sender.holders()) : null);
        } catch (StoreUnavailableException e) {
            failed(e);
        } catch (IdGenerationException e) {
            refused(e);
        } catch (RuntimeException | Error e) {
            failed(e); // an unexpected exception of a driver counts as an outage: it must not silently end the renewals
        }
        keepLeasedIds();
        reports.clockHeld(clock.isHeld());
    }

    private void keepLeasedIds() {
        lock.lock();
        try {
            Holding holding = state.holding();
            leasedIds.keepOnly(holding == null ? null : holding.lease().workerId());
        } finally {
            lock.unlock();
        }
    }

    private LeaseStep accept(LeaseEvent event) {
        lock.lock();
        try {
            OptionalLong storeMillis = event.storeMillis();
            if (storeMillis.isPresent()) {
                clock.setTo(storeMillis.getAsLong());
                clock.follow(window.current(), leased);
            }
            Holding before = state.holding();
            trace.add(event);
            LeaseStep step = event.apply(protocol, state);
            trace.add(step);
            state = step.state();
            if (event instanceof LeaseEvent.Answered answer && answer.granted()) {
                // a change that leaves the row with this process renews its lease
                leasedUntilMillis = clock.reading.millis() + terms.lease().toMillis();
            }
            use(step, event);
            reports.step(step, event, before);
            return step;
        } finally {
            lock.unlock();
        }
    }

    /** Adapts the windows to the state of the protocol. Called under the lock. */
    private void use(LeaseStep step, LeaseEvent event) {
        Holding holding = state.holding();
        if (holding != null && holding.inUse()) {
            window.extendTo(holding);
            room.wake();
        }
        if (step.notice() == Notice.ACQUIRED) {
            leased = true;
            room.taken(null);
            openQueued();
        } else if (step.notice() == Notice.DISCARDED) {
            window.seal();
            leased = false; // a new lease may take as long as the first one
        } else if (step.notice() == Notice.COPIED) {
            stop(Phase.STOPPED, reports.copied((LeaseEvent.Looked) event));
        }
    }

    /**
     * Ends a turn in which the store has answered.
     *
     * @param taken the exception for calls if all worker ids are leased; null if some may be free
     */
    private void answered(LeaseStep last, @Nullable IdUnavailableException taken) {
        Duration pause = last.pause();
        LeaseWait wait = last.waitsFor();
        lock.lock();
        try {
            next.end();
            reports.outageEnded(standing.answered());
            if (!leased && wait instanceof LeaseWait.HorizonsAhead ahead) {
                reports.waitsFor(ahead);
            }
            if (taken != null) {
                room.taken(taken);
            }
            room.waitsFor(wait == null ? null : wait.text());
            openQueued();
            clock.follow(window.current(), leased);
            boolean asked = room.isWanted();
            boolean hasIds = window.hasIds();
            if (state.goesOn() && (state.holding() != null || hasIds || asked)) {
                boolean urgent = asked && !hasIds;
                plan(jittered(urgent && pause.compareTo(ALL_TAKEN) > 0 ? ALL_TAKEN : pause), !urgent);
            }
        } finally {
            lock.unlock();
        }
    }

    private void failed(Throwable e) {
        lock.lock();
        try {
            next.end();
            Outage outage = failedOnce(e);
            clock.follow(window.current(), leased);
            if (state.goesOn()) {
                // once the refusal of a connection no longer holds, the next call starts a turn at once
                plan(jittered(backOff.pause(outage.failures())), e instanceof StoreUnreachableException);
            }
        } finally {
            lock.unlock();
        }
    }

    private Outage failedOnce(Throwable e) {
        Outage outage = standing.failed(e);
        if (outage.failures() == 1) {
            reports.outageBegan(e, window.hasIds());
        }
        return outage;
    }

    /**
     * Handles a refusal of a store that works. Waiting calls get the refusal at once, and later calls as long as it
     * {@linkplain Refusal#holds holds}. The next call after that starts another attempt.
     */
    private void refused(IdGenerationException e) {
        lock.lock();
        try {
            next.end();
            reports.outageEnded(standing.refused(e));
            reports.refused(e);
            clock.follow(window.current(), leased);
            if (state.goesOn() && window.hasIds()) {
                // ids are left, and the cause may be repaired before they are used up
                plan(jittered(timing.renew()), true);
            }
        } finally {
            lock.unlock();
        }
    }

    private Duration jittered(Duration duration) {
        return Duration.ofNanos(
                environment.random().nextLong(duration.toNanos() * 9 / 10, duration.toNanos() * 11 / 10 + 1));
    }

    // ---- the end, and checkpoints ----

    /** Seals the window and releases the row, so that a copy of this process shares no ticks with it. */
    CompletableFuture<Void> suspend() {
        lock.lock();
        try {
            if (state.phase() != Phase.OPEN) {
                return CompletableFuture.completedFuture(null);
            }
            leased = false;
            room.restart();
            return leave(Phase.SUSPENDED);
        } finally {
            lock.unlock();
        }
    }

    /** Continues after a checkpoint, in the process itself or in a copy. */
    void resume() {
        lock.lock();
        try {
            if (isSuspended()) {
                become(protocol.resumed(state));
                room.restart(); // the timeouts of waiting calls restart
            }
        } finally {
            lock.unlock();
        }
    }

    /** Seals the window and releases the row with all unused ticks. */
    CompletableFuture<Void> close() {
        lock.lock();
        try {
            if (state.phase() == Phase.CLOSED) {
                return CompletableFuture.completedFuture(null);
            }
            standing.end(WorkerLease.closed(terms.namespace()));
            CompletableFuture<Void> released = leave(Phase.CLOSED);
            environment.thread().shutdown();
            return released.thenCompose(done -> LOG.written());
        } finally {
            lock.unlock();
        }
    }

    /** Seals the window and plans the release. Called under the lock. */
    private CompletableFuture<Void> leave(Phase phase) {
        CompletableFuture<Void> released = new CompletableFuture<>();
        window.seal();
        leasedIds.keepOnly(null);
        next.cancel();
        try {
            environment
                    .thread()
                    .execute(() -> release(released)); // after the turn under way, which may still be granted ticks
            become(protocol.leaving(state, phase));
        } catch (RuntimeException | Error e) {
            // the owner of the thread has shut it down, or the host has none for this
            become(state.in(phase).discarded());
            released.complete(null);
        }
        room.wake();
        return released;
    }

    /**
     * Releases the row after the window is sealed. Whatever the answer, no tick that was granted so far is used again.
     */
    private void release(CompletableFuture<Void> released) {
        LeaseCommand command;
        lock.lock();
        try {
            long highestTick = window.current().highestTick();
            trace.add(new LeaseTrace.Releasing(highestTick));
            LeaseStep step = protocol.release(state, highestTick);
            trace.add(step);
            state = step.state();
            // closing does not wait for a store that failed just now
            command = standing.outage() == null ? step.command() : null;
            leased = false;
            room.taken(null);
            clock.follow(window.current(), leased);
        } finally {
            lock.unlock();
        }
        try {
            if (command instanceof LeaseCommand.Release release && sender.release(release)) {
                reports.released(release.lease());
            }
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.DEBUG, "a worker id stays leased until its lease is over", e);
        } finally {
            lock.lock();
            try {
                become(protocol.left(state));
                room.wake(); // after a checkpoint, no turn could begin before the release
            } finally {
                lock.unlock();
            }
            released.complete(null);
        }
    }
}
