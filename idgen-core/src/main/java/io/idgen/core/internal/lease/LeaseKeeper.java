package io.idgen.core.internal.lease;

import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.lease.LeaseState.LeasePhase;
import io.idgen.core.internal.lease.LeaseStep.Notice;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.BackOff;
import io.idgen.core.internal.time.RepeatedTask;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One state machine under one lock: the {@link LeaseState}, the window in use, the next turn and the calls that wait.
 * A turn runs on a thread of its own. It sends the commands of {@link LeaseProtocol} to the store without the lock, and
 * applies each answer under it. Callers read the window without the lock.
 *
 * <pre>
 *   hurry or plan → turn: accept, send, accept, … → end: answered, failed or refused → plan
 *   leave: seal the window → release, after the turn under way → resume, unless it is closed
 * </pre>
 */
public final class LeaseKeeper {
    private static final AsyncLog LOG = AsyncLog.of(LeaseKeeper.class);
    private static final Duration URGENT = Duration.ofSeconds(1);
    private static final int SEARCHES = 8;

    /** How far ids run ahead of the time in a burst. */
    private static final Duration RUN_AHEAD = Duration.ofMillis(500);

    private final LeaseStore store;
    private final LeaseTerms terms;
    private final LeasedWorker.LeaseEnvironment environment;
    private final LeaseProtocol protocol;
    private final int startOffsets;
    final long aheadTicks;
    private final BackOff backOff;
    private final LeaseReports reports;
    private final LeasedIds leasedIds;
    final WaitingRoom room;
    private final Standing standing;
    final StoreClock clock;
    final ReentrantLock lock;

    // All below is guarded by the lock. Callers and snapshots read the volatile fields without it.
    final RepeatedTask next;
    private volatile long leasedUntilMillis;
    volatile LeaseState state = LeaseState.START;
    volatile Window window;
    boolean leased; // since the start, or the last checkpoint or release

    LeaseKeeper(LeaseStore store, LeaseTerms terms, int startOffsets, LeasedWorker.LeaseEnvironment environment) {
        this.store = store;
        this.terms = terms;
        this.environment = environment;
        this.protocol = new LeaseProtocol(terms);
        this.startOffsets = startOffsets;
        this.aheadTicks =
                Math.max(1, RUN_AHEAD.toMillis() / terms.layout().tick().toMillis());
        this.backOff = new BackOff(LeaseProtocol.SOON, terms.renewal());
        // held after a quarter of a window of silence: ids that follow the time skip ticks that may still be
        // needed
        this.clock = new StoreClock(
                environment.time(), terms.layout(), aheadTicks, terms.window().dividedBy(4));
        this.reports = new LeaseReports(terms, environment.time(), environment.events(), clock);
        this.leasedIds = new LeasedIds(terms);
        this.room = new WaitingRoom(terms.namespace(), environment.time(), environment.events());
        this.standing = room.standing;
        this.lock = room.lock;
        this.next = new RepeatedTask(environment.thread(), lock, this::turn);
        this.window = new RisingWindow(terms.layout(), 0, 1, 0, aheadTicks);
        this.window.seal(); // there is no window yet
    }

    /** Returns when the lease of the held row ends unless it is renewed, by the store's clock; null without a row. */
    @Nullable
    Instant leasedUntil() {
        return state.holding() == null ? null : Instant.ofEpochMilli(leasedUntilMillis);
    }

    // ---- for waiting callers, under the lock ----

    boolean isSuspended() {
        return state.phase() == LeasePhase.SUSPENDED;
    }

    /** Runs a turn now, unless one is under way. */
    void hurry() {
        if (!isSuspended()) {
            next.hurry();
        }
    }

    private void stop(LeasePhase phase, IdGenerationException reason) {
        state = state.in(phase);
        window.seal();
        standing.end(reason);
    }

    /** Opens the window of the held row, if its time has begun or the one in use has no id left. */
    boolean openQueued() {
        Window old = window;
        if (!protocol.isDue(state, old.highestTick(), !old.hasIds(), clock.storeTick())) {
            return false;
        }
        old.seal(); // no thread can claim from it any more, so its last tick is final
        LeaseProtocol.NextWindow opening = protocol.opening(state, old.highestTick());
        if (opening == null) {
            return false;
        }
        Window opened =
                StripedWindow.ifWide(terms.layout(), opening.workerId(), startOffsets, opening.firstTick(), aheadTicks);
        opened.endAt(opening.endTick() - 1);
        window = opened;
        state = protocol.opened(state);
        leasedIds.uses(opened);
        room.wake();
        clock.follow(opened, leased);
        return true;
    }

    // ---- a turn ----

    private void turn() {
        if (!locked(() -> state.phase() == LeasePhase.OPEN && next.begin())) {
            return;
        }
        try {
            LeaseStep last = conversation();
            end(() -> answered(last));
        } catch (StoreUnavailableException e) {
            end(() -> failed(e));
        } catch (IdGenerationException e) {
            end(() -> refused(e));
        } catch (RuntimeException | Error e) {
            end(() -> failed(e)); // an unexpected exception of a driver counts as an outage: renewals must not end
        }
        reports.clockHeld(clock.isHeld());
    }

    /** Sends the commands of the protocol until the turn is over. Blocks for as long as the store does. */
    private LeaseStep conversation() {
        LeaseStep step = accept(new LeaseEvent.Turn());
        int searches = 0;
        while (step.command() != null) {
            if (step.command() instanceof LeaseCommand.FindRows && ++searches > SEARCHES) {
                // other processes were faster each time; there are free rows, and those processes will soon be done
                return LeaseStep.rest(step.state(), LeaseProtocol.SOON);
            }
            LeaseEvent answer;
            try {
                answer = step.command().answer(store, terms, leasedIds, environment.random());
            } catch (RuntimeException | Error e) {
                accept(new LeaseEvent.Unanswered(step.command()));
                throw e;
            }
            step = accept(answer);
        }
        return step;
    }

    private LeaseStep accept(LeaseEvent event) {
        return locked(() -> {
            event.storeMillis().ifPresent(millis -> {
                clock.setTo(millis);
                clock.follow(window, leased);
            });
            Holding before = state.holding();
            LeaseStep step = event.apply(protocol, state);
            state = step.state();
            if (event instanceof LeaseEvent.Answered answer && answer.granted()) {
                // a change that leaves the row with this process renews its lease
                leasedUntilMillis = clock.reading.millis() + terms.lease().toMillis();
            }
            use(step, event);
            reports.step(step, event, before);
            return step;
        });
    }

    /** Adapts the window to the state of the protocol. */
    private void use(LeaseStep step, LeaseEvent event) {
        Holding holding = state.holding();
        if (holding != null && holding.inUse()) {
            window.endAt(protocol.endTick(holding) - 1);
            room.wake();
        }
        if (step.notice() == Notice.ACQUIRED) {
            leased = true;
            room.taken = null;
            openQueued();
        } else if (step.notice() == Notice.DISCARDED) {
            window.seal();
            leased = false; // a new lease may take as long as the first one
        } else if (step.notice() == Notice.COPIED) {
            stop(LeasePhase.STOPPED, reports.copied((LeaseEvent.Looked) event));
        }
    }

    /** Ends a turn, and plans the next one. */
    private void end(Runnable work) {
        locked(() -> {
            next.end();
            work.run();
            clock.follow(window, leased);
            leasedIds.keepOnly(state.holding());
            return null;
        });
    }

    /** The store has answered. */
    private void answered(LeaseStep last) {
        standing.answered();
        LeaseWait wait = last.waitsFor();
        if (!leased && wait instanceof LeaseWait.HorizonsAhead ahead) {
            reports.waitsFor(ahead);
        }
        if (wait instanceof LeaseWait.AllTaken taken) {
            room.taken = reports.allTaken(taken);
        }
        room.waitsFor = wait == null ? null : wait.text();
        openQueued();
        boolean asked = room.isWanted();
        boolean hasIds = window.hasIds();
        if (state.goesOn() && (state.holding() != null || hasIds || asked)) {
            boolean urgent = asked && !hasIds;
            next.plan(jittered(urgent && last.pause().compareTo(URGENT) > 0 ? URGENT : last.pause()), !urgent);
        }
    }

    private void failed(Throwable e) {
        int failures = standing.failed(e, window.hasIds());
        if (state.goesOn()) {
            // once the refusal of a connection no longer holds, the next call starts a turn at once
            next.plan(jittered(backOff.pause(failures)), e instanceof StoreUnreachableException);
        }
    }

    /**
     * The store works and refuses. Waiting calls get the refusal at once, and later calls as long as it
     * holds. The next call after that starts another attempt.
     */
    private void refused(IdGenerationException e) {
        standing.refused(e);
        reports.refused(e);
        if (state.goesOn() && window.hasIds()) {
            // ids are left, and the cause may be repaired before they are used up
            next.plan(jittered(terms.renewal()), true);
        }
    }

    private Duration jittered(Duration duration) {
        return Duration.ofNanos(
                environment.random().nextLong(duration.toNanos() * 9 / 10, duration.toNanos() * 11 / 10 + 1));
    }

    // ---- the end, and checkpoints ----

    /**
     * Seals the window and releases the row with all unused ticks: until {@link #resume}, so that a copy of this
     * process shares no ticks with it, or for good.
     *
     * @param phase suspended or closed
     * @return completes when the row is released, or that has failed
     */
    CompletableFuture<Void> leave(LeasePhase phase) {
        return locked(() -> {
            CompletableFuture<Void> released = new CompletableFuture<>();
            if (state.phase() == LeasePhase.CLOSED
                    || (phase == LeasePhase.SUSPENDED && state.phase() != LeasePhase.OPEN)) {
                return CompletableFuture.completedFuture(null);
            }
            window.seal();
            leasedIds.keepOnly(null);
            next.cancel();
            try {
                // after the turn under way, which may still be granted ticks
                environment.thread().schedule(() -> release(released), Duration.ZERO);
                state = state.leaving(phase);
            } catch (OutOfMemoryError e) { // the host has no thread for this
                state = state.in(phase).discarded();
                released.complete(null);
            }
            leased = false;
            room.wake();
            if (phase == LeasePhase.CLOSED) {
                standing.end(WorkerLease.closed(terms.namespace()));
                environment.thread().shutdown();
            }
            return released.thenCompose(done -> LOG.written());
        });
    }

    /** Continues after a checkpoint, in the process itself or in a copy. */
    void resume() {
        locked(() -> {
            if (isSuspended()) {
                state = state.resumed();
                room.wake();
            }
            return null;
        });
    }

    /** Releases the row. Whatever the answer, no tick that was granted so far is used again. */
    private void release(CompletableFuture<Void> released) {
        LeaseCommand command = locked(() -> {
            LeaseStep step = protocol.release(state, window.highestTick());
            state = step.state();
            room.taken = null;
            clock.follow(window, leased);
            // closing does not wait for a store that failed just now
            return standing.hasFailed() ? null : step.command();
        });
        try {
            if (command instanceof LeaseCommand.Release release && release.send(store, terms)) {
                reports.released(release.lease());
            }
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.DEBUG, "a worker id stays leased until its lease is over", e);
        } finally {
            locked(() -> {
                state = state.left();
                room.wake(); // after a checkpoint, no turn could begin before the release
                return null;
            });
            released.complete(null);
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
