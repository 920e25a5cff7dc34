package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.internal.lease.LeaseState.LeasePhase;
import io.idgen.core.internal.time.CloseWait;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.TaskThreads;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The callers' side of a worker id that is leased from a {@link LeaseStore}: the window in use, the store's time, and
 * waiting. {@link LeaseKeeper} acquires and renews the lease in the background, by the rules of {@link LeaseProtocol}.
 *
 * <p>Calls wait only for a window, or for the next tick. A granted window stays usable to its end, even if the lease is
 * lost. {@code docs/leases.md} describes the protocol and its models.
 */
public final class LeasedWorker implements WorkerLease, IssueClock {
    /** The state of a call that waits for the next tick. */
    static final Wait NEXT_TICK = new Wait() {};

    private static final long LONGEST_PARK_NANOS = 5_000_000;

    private final LeaseTerms terms;
    private final Timing timing;
    private final TickScale scale;
    private final StoreClock clock;
    private final WaitingRoom room;
    private final ReentrantLock lock;
    private final TickQueue queue;
    final LeaseKeeper keeper;

    @SuppressWarnings("UnusedVariable") // the JVM references it weakly
    private @Nullable Object checkpoints;

    /** How long a call waits for the first lease, and for more ticks. */
    public record Timing(Duration acquireTimeout, Duration idTimeout) {}

    /** The injected environment; a simulation replaces it. */
    public record LeaseEnvironment(TimeSource time, RandomGenerator random, TaskThreads thread, IdgenListener events) {}

    /** Creates a worker without a lease. The store is not called before the first id or {@link #warmUp}. */
    public LeasedWorker(
            LeaseStore store, LeaseTerms terms, Timing timing, int startOffsets, LeaseEnvironment environment) {
        this.terms = terms;
        this.timing = timing;
        this.scale = LayoutTime.ticks(terms.layout());
        this.keeper = new LeaseKeeper(store, terms, startOffsets, environment);
        this.clock = keeper.clock;
        this.room = keeper.room;
        this.lock = room.lock;
        this.queue = new TickQueue(terms.layout(), environment.time, this, clock::nanosUntil);
    }

    @Override
    public Window window() {
        return keeper.window;
    }

    @Override
    public long now() {
        return clock.tick(keeper.window);
    }

    @Override
    public long nanosUntil(long tick) {
        return clock.nanosUntil(tick);
    }

    @Override
    public long tickWaits() {
        return queue.waits();
    }

    @Override
    public @Nullable Wait pause(@Nullable Wait before, Window window) {
        if (window == keeper.window && window.hasIds()) {
            IssueClock.checkInterrupt(terms.namespace(), "the next tick");
            if (before != NEXT_TICK) {
                queue.countWait();
            }
            queue.sleep(window, window.highestTick() - keeper.aheadTicks + 1, LONGEST_PARK_NANOS);
            return NEXT_TICK; // the window has ids, but none for the present time
        }
        return awaitWindow(before instanceof WaitingRoom.LeaseVisit visit ? visit : null, window);
    }

    /** Waits until a window may have ids, or throws if it has none in time. */
    private WaitingRoom.@Nullable LeaseVisit awaitWindow(WaitingRoom.@Nullable LeaseVisit before, Window window) {
        lock.lock();
        try {
            room.want();
            room.standing.checkOpen();
            if (window != keeper.window || keeper.openQueued()) {
                return before;
            }
            if (keeper.leased && window.lastTick() == scale.lastTick() && window.highest() != Window.SEALED) {
                throw LayoutTime.exhausted(terms.layout(), clock.millis());
            }
            WaitingRoom.LeaseVisit visit = room.visit(before);
            Duration patience = keeper.leased ? timing.idTimeout : timing.acquireTimeout;
            long nanosLeft = room.nanosLeft(visit, patience);
            if (nanosLeft <= 0) {
                throw outOfTime(patience);
            }
            keeper.hurry();
            room.sleep(nanosLeft);
            return visit;
        } finally {
            lock.unlock();
        }
    }

    private IdUnavailableException outOfTime(Duration patience) {
        IdUnavailableException taken = room.taken();
        if (taken != null && !keeper.isSuspended()) {
            return taken.forCaller();
        }
        boolean leased = keeper.leased;
        Standing standing = room.standing;
        return new IdUnavailableException(
                leased ? ErrorCode.WINDOW_USED_UP : ErrorCode.IDS_UNAVAILABLE,
                terms.namespace(),
                (leased
                                ? "the window of the worker id of namespace '" + terms.namespace()
                                        + "' is used up, and none was granted"
                                : "no worker id of namespace '" + terms.namespace() + "' was granted")
                        + " within " + Durations.text(patience) + "; "
                        + (keeper.isSuspended()
                                ? "a checkpoint of this process is under way"
                                : standing.why(
                                        Objects.requireNonNullElse(
                                                room.waitsFor,
                                                "no request has failed so far: the database is slow, or no worker id is free"))),
                standing.lastFailure());
    }

    @Override
    public void warmUp() {
        WaitingRoom.LeaseVisit visit = null;
        while (true) {
            Window window = keeper.window;
            if (window.hasIds()) {
                return;
            }
            visit = awaitWindow(visit, window);
        }
    }

    @Override
    public SnowflakeSnapshot snapshot(long tickWaits) {
        Window window = keeper.window;
        boolean sealed = window.highest() == Window.SEALED;
        WorkerKey worker = WorkerKey.of(terms.namespace(), terms.layout(), (int) window.workerId);
        Standing standing = room.standing;
        return new SnowflakeSnapshot(
                terms.namespace(),
                sealed ? null : worker.datacenter(),
                sealed ? null : worker.worker(),
                clock.time(),
                clock.lag(window),
                keeper.leasedUntil(),
                sealed ? null : scale.instantOf(window.lastTick() + 1),
                terms.layout().end(),
                window.hasIds(),
                standing.ended(),
                room.refused(),
                room.waits(),
                tickWaits,
                standing.outage(),
                standing.failures());
    }

    /** Registers with CRaC. Called once, before this worker is used. */
    public void registerForCheckpoints() {
        checkpoints = Checkpoints.register(this::suspend, this::resume);
    }

    /**
     * Prepares for a copy of the process: ends the window in use, and releases the row, as closing does. Calls wait
     * until {@link #resume}. The next call after that leases a row again.
     */
    void suspend() {
        CloseWait.await(keeper.leave(LeasePhase.SUSPENDED));
    }

    /** Continues after {@link #suspend}, in the process itself or in a copy. */
    void resume() {
        keeper.resume();
    }

    /** {@inheritDoc} Releases the row with all unused ticks. */
    @Override
    public CompletableFuture<?> close() {
        return keeper.leave(LeasePhase.CLOSED);
    }
}
