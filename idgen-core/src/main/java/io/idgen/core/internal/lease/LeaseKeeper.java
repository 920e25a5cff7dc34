package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.lease.LeaseState.Phase;
import io.idgen.core.internal.lease.LeaseStep.Notice;
import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.task.BackOff;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.task.Refusal;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.window.RisingWindow;
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
 * Runs a {@link LeaseProtocol}: sends its commands to the store, one turn at a time on a thread of its own, and makes windows of
 * the ticks that are granted. The window in use is found without a lock.
 */
public final class LeaseKeeper {
    private static final AsyncLog LOG = AsyncLog.of(LeaseKeeper.class);
    private static final Duration ALL_TAKEN = Duration.ofSeconds(1);
    private static final int SEARCHES = 8;

    private final LeaseStore store;
    private final LeaseStore.Terms terms;
    private final LeasedWorker.Timing timing;
    private final LeasedWorker.Environment environment;
    private final LeaseProtocol protocol;
    private final StoreClock clock;
    private final WaitingRoom room;
    private final ReentrantLock lock;
    private final int startOffsets;
    private final long aheadTicks;
    private final BackOff backOff;
    private final LeaseReports reports;
    private final LeasedIds leasedIds;

    private volatile Window current;
    private volatile long leasedUntilMillis;

    // All below is guarded by the lock.
    private final NextTurn next;
    private volatile LeaseState state = LeaseState.START; // read without the lock by snapshots
    private boolean leased; // since the start, or the last release

    LeaseKeeper(
            LeaseStore store,
            LeaseStore.Terms terms,
            LeasedWorker.Timing timing,
            int startOffsets,
            LeasedWorker.Environment environment,
            StoreClock clock,
            WaitingRoom room,
            long aheadTicks) {
        this.store = store;
        this.terms = terms;
        this.timing = timing;
        this.startOffsets = startOffsets;
        this.environment = environment;
        this.clock = clock;
        this.room = room;
        this.lock = room.lock();
        this.aheadTicks = aheadTicks;
        this.protocol = new LeaseProtocol(terms, timing.renew(), timing.keepHorizon());
        this.backOff = new BackOff(LeaseProtocol.SOON, timing.renew());
        this.reports = new LeaseReports(terms, environment.time(), environment.events(), clock);
        this.leasedIds = new LeasedIds(terms.namespace(), terms.layout());
        this.next = new NextTurn(environment.thread(), this::turn);
        this.current = new RisingWindow(terms.layout(), 0, 1, 0, aheadTicks);
        this.current.seal(); // there is none yet
    }

    /** The window in use; sealed if there is none. */
    Window window() {
        return current;
    }

    /** When the lease of the row that is held ends unless it is renewed, by the store's clock; null if no row is held. */
    @Nullable
    Instant leasedUntil() {
        return state.holding() == null ? null : Instant.ofEpochMilli(leasedUntilMillis);
    }

    static boolean hasIds(Window window) {
        long highest = window.highest();
        return highest != Window.SEALED && !window.isUsedUp(highest);
    }

    // ---- for callers that wait, under the lock ----

    /** Whether a row was leased since the start, or since the last checkpoint. */
    boolean hasLeased() {
        return leased;
    }

    boolean isSuspended() {
        return state.phase() == Phase.SUSPENDED;
    }

    /** Has a turn run now, unless one is under way; none runs while a checkpoint is made. */
    void hurry() {
        if (!isSuspended()) {
            plan(Duration.ZERO, false, true);
        }
    }

    private void plan(Duration delay, boolean routine, boolean onlyIfIdle) {
        try {
            if (onlyIfIdle) {
                next.hurry();
            } else {
                next.plan(delay, routine);
            }
        } catch (RejectedExecutionException e) {
            stop(Phase.CLOSED, WorkerLease.closed(terms.namespace())); // the owner of the thread has ended it
        }
    }

    private void stop(Phase phase, IdGenerationException reason) {
        state = state.in(phase);
        current.seal();
        room.end(reason);
    }

    /**
     * Takes the ticks of the row that is held into use, if they have begun or the window in use has nothing left.
     *
     * @return whether the window in use is another one now
     */
    boolean openQueued() {
        Window old = current;
        long nowTick = TickScale.of(
                        terms.layout().epoch(),
                        terms.layout().tick(),
                        terms.layout().timeBits())
                .tickAt(clock.millis());
        if (!protocol.isDue(state, old.highestTick(), !hasIds(old), nowTick)) {
            return false;
        }
        old.seal(); // no thread can claim from it any more, so its last tick is final
        LeaseProtocol.Opening opening = protocol.opening(state, old.highestTick());
        if (opening == null) {
            return false;
        }
        Window window =
                new RisingWindow(terms.layout(), opening.workerId(), startOffsets, opening.firstTick(), aheadTicks);
        window.endAt(opening.endTick() - 1);
        state = protocol.opened(state);
        current = window;
        leasedIds.uses(window);
        room.wake();
        clock.follow(current, leased);
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
            answered(converse());
        } catch (StoreUnavailableException e) {
            failed(e);
        } catch (IdGenerationException e) {
            refused(e);
        } catch (RuntimeException | Error e) {
            failed(e); // a driver's own surprises are an outage as well: nothing may end the renewals unseen
        }
        keepLeasedIds();
        reports.stretched(clock.isStretched());
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

    /** Sends what the protocol asks for until the turn is over; returns the pause until the next one. */
    private Duration converse() {
        LeaseStep step = accept(new LeaseEvent.Turn());
        int searches = 0;
        while (step.command() != null) {
            if (step.command() instanceof LeaseCommand.FindRows && ++searches > SEARCHES) {
                return LeaseProtocol.SOON; // others are faster, each time: there are rows, and they will be done soon
            }
            step = accept(send(step.command()));
        }
        if (step.notice() == Notice.ALL_TAKEN) {
            allTaken();
        }
        return step.pause();
    }

    private LeaseEvent send(LeaseCommand command) {
        if (command instanceof LeaseCommand.Acquire acquire) {
            int worker = acquire.lease().workerId();
            if (!leasedIds.register(worker)) {
                return new LeaseEvent.Acquired(
                        acquire, false); // a generator of this JVM has just taken it without a lease
            }
            return ask(acquire.startingAt(TickScale.of(
                            terms.layout().epoch(),
                            terms.layout().tick(),
                            terms.layout().timeBits())
                    .instantOf(leasedIds.firstTick(worker))));
        }
        return ask(command);
    }

    private LeaseEvent ask(LeaseCommand command) {
        try {
            return command.send(store, leasedIds.without(terms), environment.random());
        } catch (RuntimeException | Error e) {
            accept(new LeaseEvent.Unanswered(command));
            throw e;
        }
    }

    private LeaseStep accept(LeaseEvent event) {
        LeaseStep step;
        LeaseState before;
        lock.lock();
        try {
            OptionalLong storeMillis = event.storeMillis();
            if (storeMillis.isPresent()) {
                clock.setTo(storeMillis.getAsLong());
                clock.follow(current, leased);
            }
            before = state;
            step = event.apply(protocol, state);
            state = step.state();
            if (event.renewsLease()) {
                leasedUntilMillis = clock.reading().millis() + terms.lease().toMillis();
            }
            use(step, event);
        } finally {
            lock.unlock();
        }
        reports.step(step, event, before.holding());
        return step;
    }

    /** Brings the windows to what the protocol knows. Called under the lock. */
    private void use(LeaseStep step, LeaseEvent event) {
        Holding holding = state.holding();
        if (holding != null && holding.inUse()) {
            current.endAt(protocol.endTick(holding) - 1);
            room.wake();
        }
        if (step.notice() == Notice.ACQUIRED) {
            leased = true;
            room.taken(null);
            openQueued();
        } else if (step.notice() == Notice.COPIED) {
            stop(Phase.STOPPED, reports.copied((LeaseEvent.Looked) event));
        }
    }

    private void answered(Duration pause) {
        Outage over;
        lock.lock();
        try {
            next.end();
            over = room.answered();
            openQueued();
            clock.follow(current, leased);
            boolean asked = room.isWanted();
            boolean hasIds = hasIds(current);
            if (state.goesOn() && (state.holding() != null || hasIds || asked)) {
                boolean urgent = asked && !hasIds;
                plan(jittered(urgent && pause.compareTo(ALL_TAKEN) > 0 ? ALL_TAKEN : pause), !urgent, false);
            }
        } finally {
            lock.unlock();
        }
        if (over != null) {
            reports.outageEnded(over);
        }
    }

    private void failed(Throwable e) {
        Outage outage;
        boolean idsLeft;
        lock.lock();
        try {
            next.end();
            outage = room.failed(e);
            idsLeft = hasIds(current);
            clock.follow(current, leased);
            if (state.goesOn()) {
                plan(jittered(backOff.pause(outage.failures())), false, false);
            }
        } finally {
            lock.unlock();
        }
        if (outage.failures() == 1) {
            reports.outageBegan(e, idsLeft);
        }
    }

    /**
     * The store works and refuses. Calls that wait get the refusal at once, later calls as long as it {@linkplain Refusal#holds
     * holds}; the next call after that has the store asked again.
     */
    private void refused(IdGenerationException e) {
        Outage over;
        lock.lock();
        try {
            next.end();
            over = room.refused(e);
            clock.follow(current, leased);
            if (state.goesOn() && hasIds(current)) {
                // ids still go out: what is wrong may be mended before they end
                plan(jittered(timing.renew()), true, false);
            }
        } finally {
            lock.unlock();
        }
        if (over != null) {
            reports.outageEnded(over);
        }
        reports.refused(e);
    }

    private Duration jittered(Duration duration) {
        return Duration.ofNanos(
                environment.random().nextLong(duration.toNanos() * 9 / 10, duration.toNanos() * 11 / 10 + 1));
    }

    private void allTaken() {
        IdUnavailableException taken = new IdUnavailableException(
                ErrorCode.WORKER_IDS_TAKEN,
                terms.namespace(),
                Duration.ZERO,
                "all " + terms.workers() + " worker ids of namespace '" + terms.namespace() + "' are leased; "
                        + store.holders(terms)
                        + "; stop a process, or move the namespace to a layout with more worker bits",
                null);
        lock.lock();
        try {
            room.taken(taken);
        } finally {
            lock.unlock();
        }
    }

    // ---- the end, and checkpoints ----

    /** Seals the window and gives the row back, so that no copy of this process has anything of them. */
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

    /** After a checkpoint, in the process itself or in a copy: ids may be asked for. */
    void resume() {
        lock.lock();
        try {
            if (isSuspended()) {
                state = protocol.resumed(state);
                room.restart(); // a call that waited meanwhile has its patience anew
            }
        } finally {
            lock.unlock();
        }
    }

    /** Seals the window and gives the row back, with all ticks that were not used. */
    CompletableFuture<Void> close() {
        lock.lock();
        try {
            if (state.phase() == Phase.CLOSED) {
                return CompletableFuture.completedFuture(null);
            }
            room.end(WorkerLease.closed(terms.namespace()));
            CompletableFuture<Void> released = leave(Phase.CLOSED);
            environment.thread().shutdown();
            return released.thenCompose(done -> LOG.written());
        } finally {
            lock.unlock();
        }
    }

    /** Called under the lock. */
    private CompletableFuture<Void> leave(Phase phase) {
        CompletableFuture<Void> released = new CompletableFuture<>();
        current.seal();
        leasedIds.keepOnly(null);
        next.cancel();
        try {
            environment
                    .thread()
                    .execute(() -> release(released)); // after the turn that is under way, and what it was granted
            state = protocol.leaving(state, phase);
        } catch (RejectedExecutionException e) {
            state = state.in(phase); // the owner of the thread has ended it
            released.complete(null);
        }
        room.wake();
        return released;
    }

    /** Once the window is sealed: whatever the answer, nothing of what was granted so far is ever issued again. */
    private void release(CompletableFuture<Void> released) {
        LeaseCommand command;
        lock.lock();
        try {
            LeaseStep step = protocol.release(state, current.highestTick());
            state = step.state();
            // a store that failed just now is not waited for again
            command = room.outage() == null ? step.command() : null;
            leased = false;
            room.taken(null);
            clock.follow(current, leased);
        } finally {
            lock.unlock();
        }
        try {
            if (command instanceof LeaseCommand.Release release
                    && command.send(store, terms, environment.random()) instanceof LeaseEvent.Released answer
                    && answer.accepted()) {
                reports.released(release.lease());
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a worker id stays leased until its lease is over", e);
        } finally {
            lock.lock();
            try {
                state = protocol.left(state);
                room.wake(); // after a checkpoint: no turn was begun before
            } finally {
                lock.unlock();
            }
            released.complete(null);
        }
    }

    // ---- copies of the process ----

    /** What a copy of this process has: a snapshot of its host copies it, and a simulation of one. */
    record Memory(LeaseState state, Window window, boolean leased, StoreClock.Reading clock) {}

    Memory memory() {
        return new Memory(state, current, leased, clock.reading());
    }

    /** Goes on with the memory of another keeper, which is in no turn. */
    void remember(Memory memory) {
        lock.lock();
        try {
            state = memory.state;
            current = memory.window;
            leased = memory.leased;
            clock.setTo(memory.clock);
            clock.follow(current, leased);
            if (state.goesOn() && leased) {
                plan(Duration.ZERO, false, false);
            }
        } finally {
            lock.unlock();
        }
    }
}
