package io.idgen.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A worker id leased from a {@link LeaseStore}, with the windows of ticks that the store grants, and a clock that follows the
 * store's time. The host's wall clock is not read.
 *
 * <p>One task at a time, on a thread of its own, takes a row, raises its horizon again and again, and moves to another row when
 * this one is lost. Callers find the window in use; they wait only if there is none, or for the next tick. What is granted
 * stays usable to its end whatever becomes of the lease: while the store is away ids go on, in the end without following the
 * time ({@linkplain #dense densely}), so that the rest of the window lasts for all its sequences.
 *
 * <p>Everything rests on three rules: a tick is issued only below a horizon whose statement was answered; a row is only ever
 * taken or raised as it was last seen; and a window that is replaced or given back is sealed first. The protocol and its models
 * are described in {@code docs/leases.md}.
 */
final class LeasedWorker implements WorkerLease, IssueClock {
    private static final AsyncLog LOG = AsyncLog.of(LeasedWorker.class);

    /** The first window of a lease, so that a process that crashes at each start does not use the horizons up. */
    static final Duration FIRST_WINDOW = Duration.ofSeconds(15);

    /** How far ids run ahead of the time in a burst. */
    static final Duration RUN_AHEAD = Duration.ofMillis(500);

    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(250);
    private static final Duration STILL_WANTED = Duration.ofSeconds(5);
    private static final Duration ALL_TAKEN = Duration.ofSeconds(1);
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);
    private static final long LONGEST_PARK_NANOS = 5_000_000;
    private static final long NEAR_MILLIS = 1_000;
    private static final int ATTEMPTS = 8;

    private final LeaseStore store;
    private final LeaseStore.Terms terms;
    private final Timing timing;
    private final SnowflakeLayout layout;
    private final TickScale scale;
    private final long lastTick;
    private final int startOffsets;
    private final Surroundings world;
    private final long aheadTicks;
    private final TickQueue queue;
    private final BackOff backOff;
    private final RateLimit refusalLines;

    private volatile Window current;
    private volatile Anchor anchor = new Anchor(0, 0);
    private volatile boolean dense;
    private volatile long wantedNanos;

    private boolean toldDense; // by the task alone

    @SuppressWarnings("UnusedVariable") // held weakly by who tells it
    private @Nullable Object checkpoints;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed; // a window has ids again, the store refuses, or the end has come

    // All below is guarded by the lock.
    private @Nullable Held held;
    private boolean queued;
    private boolean everHeld;
    private boolean uncertain;
    private @Nullable String doubtfulToken;
    private @Nullable IdUnavailableException taken;
    private @Nullable Future<?> next;
    private boolean nextIsRoutine;
    private boolean running;
    private int failures;
    private long failingSinceNanos;
    private @Nullable Throwable lastFailure;
    private int refusals;
    private @Nullable Refusal refusal;
    private int waiting;
    private @Nullable IdGenerationException end;
    private boolean ending;
    private boolean suspended;
    private int suspensions;
    private int releases; // that are still to run, after which nothing of an earlier turn is left
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** How long things may take. */
    record Timing(Duration renew, Duration acquireTimeout, Duration idTimeout, boolean keepHorizon) {}

    /** What a process has and a simulation replaces. */
    record Surroundings(
            TimeSource time,
            RandomGenerator random,
            ScheduledExecutorService thread,
            IdgenListener events,
            Function<Knob, String> advice) {}

    /** The store's time at some moment of the monotonic clock. */
    private record Anchor(long millis, long nanos) {
        long millisAt(long nowNanos) {
            return millis + (nowNanos - nanos) / 1_000_000;
        }

        long nanosToNextMilli(long nowNanos) {
            return 1_000_000 - (nowNanos - nanos) % 1_000_000;
        }
    }

    /** A row that is ours: where its ticks begin for us, and the window of it that is in use, if any. */
    private static final class Held {
        LeaseStore.Lease lease;
        final long firstTick;

        @Nullable
        Window window;

        Held(LeaseStore.Lease lease, long firstTick) {
            this.lease = lease;
            this.firstTick = firstTick;
        }
    }

    /** A lease. Nothing is asked of the store before an id is asked for, or {@link #warmUp} is called. */
    LeasedWorker(LeaseStore store, LeaseStore.Terms terms, Timing timing, int startOffsets, Surroundings world) {
        this.store = store;
        this.terms = terms;
        this.timing = timing;
        this.layout = terms.layout();
        this.scale = TickScale.of(layout);
        this.lastTick = layout.lastTick();
        this.startOffsets = startOffsets;
        this.world = world;
        this.aheadTicks = Math.max(1, RUN_AHEAD.toMillis() / layout.tick().toMillis());
        this.queue = new TickQueue(world.time, this, this::nanosUntil);
        this.changed = world.time.condition(lock);
        this.backOff = new BackOff(FIRST_BACK_OFF, timing.renew);
        this.refusalLines = new RateLimit(REPORT_EVERY, world.time);
        this.current = nothing();
    }

    /** A window that has no ids, before there is one. */
    private Window nothing() {
        Window window = new RisingWindow(layout, 0, 1, 0, aheadTicks);
        window.seal();
        return window;
    }

    // ---- callers ----

    @Override
    public Window window() {
        return current;
    }

    @Override
    public long now() {
        Window window = current;
        if (dense) {
            return window.highestTick();
        }
        long tick = scale.tickAt(millis());
        if (tick > lastTick) {
            throw WallClock.exhausted(layout, millis());
        }
        return Math.min(tick, window.lastTick());
    }

    @Override
    public Duration lag() {
        if (!dense) {
            return Duration.ZERO;
        }
        return layout.tick().multipliedBy(Math.max(0, layout.tickAt(millis()) - current.highestTick()));
    }

    /** The store's time. */
    private long millis() {
        return anchor.millisAt(world.time.nanoTime());
    }

    private static boolean hasIds(Window window) {
        long highest = window.highest();
        return highest != Window.SEALED && !window.isUsedUp(highest);
    }

    /** Since when a call waits, and how many refusals and suspensions there were by then. */
    private record Pause(long sinceNanos, int refusals, int suspensions) implements Wait {}

    @Override
    public @Nullable Wait pause(@Nullable Wait before, Window window) {
        if (window == current && hasIds(window)) {
            WallClock.checkInterrupt(terms.namespace(), "the next tick");
            queue.sleep(window, window.highestTick() - aheadTicks + 1, LONGEST_PARK_NANOS);
            return null; // ids are in hand; it is only the time that is short of them
        }
        return awaitWindow((Pause) before, window);
    }

    private long nanosUntil(long tick) {
        Anchor now = anchor;
        long nanos = world.time.nanoTime();
        return WallClock.parkNanos(layout, now.millisAt(nanos), tick, now.nanosToNextMilli(nanos));
    }

    /** Waits until a window may have ids, or throws if there will be none in time. */
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's, who tries to claim an id
    private @Nullable Pause awaitWindow(@Nullable Pause before, Window window) {
        long nanos = world.time.nanoTime();
        wantedNanos = nanos;
        lock.lock();
        try {
            checkOpen();
            if (window != current || useQueued()) {
                return before;
            }
            if (everHeld && window.lastTick() == layout.lastTick() && window.highest() != Window.SEALED) {
                throw WallClock.exhausted(layout, millis());
            }
            Pause pause = before == null || before.suspensions != suspensions
                    ? new Pause(nanos, refusals, suspensions)
                    : before;
            if (refusal != null && (refusals != pause.refusals || refusal.holds(nanos))) {
                throw refusal.reason().forCaller();
            }
            Duration patience = everHeld ? timing.idTimeout : timing.acquireTimeout;
            long left = patience.toNanos() - (nanos - pause.sinceNanos);
            if (left <= 0) {
                throw outOfTime(patience);
            }
            if (!suspended && !running && (next == null || nextIsRoutine)) {
                start(Duration.ZERO, false);
                checkOpen();
            }
            waiting++;
            try {
                changed.awaitNanos(left);
            } finally {
                waiting--;
            }
            return pause;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw WallClock.interrupted(terms.namespace(), "a worker id", e);
        } finally {
            lock.unlock();
        }
    }

    /** Called under the lock. */
    private void checkOpen() {
        if (end != null) {
            throw end.forCaller();
        }
    }

    private IdUnavailableException outOfTime(Duration patience) {
        if (taken != null && failures == 0 && !suspended) {
            return taken.forCaller();
        }
        Throwable failure = lastFailure;
        Duration outage = outage();
        return new IdUnavailableException(
                everHeld ? ErrorCode.WINDOW_USED_UP : ErrorCode.IDS_UNAVAILABLE,
                terms.namespace(),
                outage,
                (everHeld
                                ? "the window of the worker id of namespace '" + terms.namespace()
                                        + "' is used up, and none was granted"
                                : "no worker id of namespace '" + terms.namespace() + "' was granted")
                        + " within " + Durations.text(patience) + "; "
                        + (suspended ? "a checkpoint of this process is under way" : answers(failure, outage)),
                failure);
    }

    private static String answers(@Nullable Throwable failure, Duration outage) {
        return failure == null
                ? "the database has not answered yet"
                : "the database has been failing for " + Durations.text(Duration.ofMillis(outage.toMillis()))
                        + ", last: " + IdGenerationException.text(failure);
    }

    private Duration outage() {
        return failures == 0 ? Duration.ZERO : Duration.ofNanos(world.time.nanoTime() - failingSinceNanos);
    }

    @Override
    public void warmUp() {
        Wait wait = null;
        while (true) {
            Window window = current;
            if (hasIds(window)) {
                return;
            }
            wait = awaitWindow((Pause) wait, window);
        }
    }

    // ---- the task ----

    /** Has the task run after a while, in place of what was planned before. Called under the lock. */
    private void start(Duration delay, boolean routine) {
        if (next != null) {
            next.cancel(false);
        }
        nextIsRoutine = routine;
        try {
            next = world.thread.schedule(this::run, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            end = Snowflake.closed(terms.namespace()); // the owner of the thread has ended it
            current.seal();
            changed.signalAll();
        }
    }

    /** Whether more turns are planned, and what they bring is used. Called under the lock. */
    private boolean goesOn() {
        return end == null && !ending && releases == 0;
    }

    private Duration jittered(Duration duration) {
        return Duration.ofNanos(world.random.nextLong(duration.toNanos() * 9 / 10, duration.toNanos() * 11 / 10 + 1));
    }

    /** One turn: takes a row or renews the one that is held, and plans the next turn. */
    private void run() {
        Held mine;
        lock.lock();
        try {
            if (ending || end != null || running || suspended) {
                return;
            }
            running = true;
            next = null;
            mine = held;
        } finally {
            lock.unlock();
        }
        try {
            Duration pause = mine == null ? acquire() : renew(mine);
            answered(pause);
        } catch (IdGenerationException e) {
            if (e.code() == ErrorCode.DATABASE_FAILED) {
                failed(e);
            } else {
                refused(e);
            }
        } catch (RuntimeException | Error e) {
            failed(e); // a driver's own surprises are an outage as well: nothing may end the renewals unseen
        }
        tellDense();
    }

    private void answered(Duration pause) {
        boolean over;
        lock.lock();
        try {
            running = false;
            over = failures > 0;
            failures = 0;
            lastFailure = null;
            refusal = null;
            useQueued();
            follow();
            boolean asked = waiting > 0 || world.time.nanoTime() - wantedNanos < STILL_WANTED.toNanos();
            boolean hasIds = hasIds(current);
            if (goesOn() && (held != null || hasIds || asked)) {
                boolean urgent = asked && !hasIds;
                start(jittered(urgent ? shorter(pause, ALL_TAKEN) : pause), !urgent);
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            tellOver();
        }
    }

    private void tellOver() {
        tell(IdgenEvent.Kind.OUTAGE_ENDED, "the store of leases answers again");
    }

    private void failed(Throwable e) {
        boolean first;
        boolean idsLeft;
        lock.lock();
        try {
            running = false;
            refusal = null;
            idsLeft = hasIds(current);
            first = failures == 0;
            if (first) {
                failingSinceNanos = world.time.nanoTime();
            }
            lastFailure = e;
            follow();
            failures++;
            if (goesOn()) {
                start(jittered(backOff.pause(failures)), false);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            tell(
                    IdgenEvent.Kind.OUTAGE_BEGAN,
                    "leasing a worker id failed and is tried again; "
                            + (idsLeft
                                    ? "ids continue from the rest of the window"
                                    : "there are no ids until it succeeds")
                            + ": " + IdGenerationException.text(e));
        }
    }

    /**
     * The store works and refuses. Calls that wait get the refusal at once, later calls as long as it {@linkplain Refusal#holds
     * holds}; the next call after that has the store asked again.
     */
    private void refused(IdGenerationException e) {
        boolean over;
        lock.lock();
        try {
            running = false;
            over = failures > 0;
            failures = 0;
            lastFailure = null;
            refusals++;
            refusal = Refusal.after(refusal, e, world.time.nanoTime());
            changed.signalAll();
            follow();
            if (goesOn() && hasIds(current)) {
                start(jittered(timing.renew), true); // ids still go out: what is wrong may be mended before they end
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            tellOver();
        }
        if (refusalLines.allows()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: leasing a worker id was refused: {1}",
                    terms.namespace(),
                    IdGenerationException.text(e));
        }
    }

    // ---- taking a row ----

    /** Takes a row; gives the pause until the next turn. */
    private Duration acquire() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            LeaseStore.Offer offer = store.offer(terms, doubtfulToken);
            if (offer.rows().isEmpty()) {
                return allTaken();
            }
            follow(offer.nowMillis());
            LeaseStore.Row row = choose(offer);
            if (!row.sameServer()) {
                lift(row, offer);
                continue;
            }
            long start = up(Math.max(row.horizonMillis(), offer.nowMillis()));
            if (layout.tickAt(start) > layout.lastTick()) {
                throw WallClock.exhausted(layout, offer.nowMillis());
            }
            long horizon = down(offer.nowMillis() + firstWindow().toMillis());
            if (horizon <= start) {
                horizon = down(offer.nowMillis() + terms.window().toMillis());
            }
            if (horizon <= start) {
                liftAnother(offer);
                return untilReached(row, offer.nowMillis());
            }
            LeaseStore.Lease lease = new LeaseStore.Lease(row.machine(), row.fence() + 1, token(), horizon);
            if (store.acquire(terms, row, doubtfulToken, lease)) {
                granted(lease, start);
                return shorter(firstWindow().dividedBy(3), timing.renew);
            }
        }
        return FIRST_BACK_OFF; // others are faster, each time: there are rows, and they will be done soon
    }

    private void lift(LeaseStore.Row row, LeaseStore.Offer offer) {
        long horizon = up(Math.max(row.horizonMillis(), offer.nowMillis() + offer.gapMillis()) + 1000);
        store.lift(terms, row, horizon, offer.gapMillis());
    }

    /** All who wait have one lifted, so that there are rows for all when they can begin, and not one after the other. */
    private void liftAnother(LeaseStore.Offer offer) {
        List<LeaseStore.Row> strange = strange(offer);
        if (!strange.isEmpty()) {
            lift(anyOf(strange), offer);
        }
    }

    private static List<LeaseStore.Row> strange(LeaseStore.Offer offer) {
        return offer.rows().stream().filter(row -> !row.sameServer()).toList();
    }

    private Duration firstWindow() {
        return shorter(FIRST_WINDOW, terms.window());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * At random among those that can begin now, so that processes that start at once do not meet; else among the nearest that
     * can begin soon; else one that another server has granted, which is lifted first.
     */
    private LeaseStore.Row choose(LeaseStore.Offer offer) {
        long now = offer.nowMillis();
        List<LeaseStore.Row> known =
                offer.rows().stream().filter(LeaseStore.Row::sameServer).toList();
        List<LeaseStore.Row> strange = strange(offer);
        if (known.isEmpty() || (!strange.isEmpty() && known.get(0).horizonMillis() > now + reachMillis())) {
            return anyOf(strange);
        }
        long nearest = Math.max(now, known.get(0).horizonMillis() + NEAR_MILLIS);
        return anyOf(
                known.stream().filter(row -> row.horizonMillis() <= nearest).toList());
    }

    private LeaseStore.Row anyOf(List<LeaseStore.Row> rows) {
        return rows.get(world.random.nextInt(rows.size()));
    }

    /** How far ahead a horizon may be that is waited for: a window, and what lifting a row adds to it. */
    private long reachMillis() {
        return terms.window().plus(LeaseStore.SERVER_SKEW.multipliedBy(2)).toMillis();
    }

    private Duration untilReached(LeaseStore.Row row, long nowMillis) {
        if (row.horizonMillis() <= nowMillis + reachMillis()) {
            return Duration.ofMillis(row.horizonMillis()
                    - nowMillis
                    - terms.window().toMillis()
                    + layout.tick().toMillis()
                    + 1);
        }
        throw new AllocationException(
                ErrorCode.HORIZON_FAR,
                "the nearest free worker id of namespace '" + terms.namespace() + "', " + text(row.machine())
                        + ", begins at " + Instant.ofEpochMilli(row.horizonMillis())
                        + ", and the database's clock is at "
                        + Instant.ofEpochMilli(nowMillis) + ": ids may be ahead of it by "
                        + Durations.text(terms.window())
                        + "; correct the clock if it is behind, else repair the rows as docs/operations.md has it");
    }

    private String text(int machine) {
        long workers = 1L << layout.workerBits();
        return machine % workers + (layout.datacenterBits() == 0 ? "" : " of datacenter " + machine / workers);
    }

    private void granted(LeaseStore.Lease lease, long startMillis) {
        lock.lock();
        try {
            held = new Held(lease, layout.tickFrom(startMillis));
            queued = true;
            uncertain = false;
            doubtfulToken = null;
            taken = null;
            everHeld = true;
            useQueued();
        } finally {
            lock.unlock();
        }
        tell(
                IdgenEvent.Kind.LEASE_ACQUIRED,
                "worker id " + text(lease.machine()) + " is leased, ids from " + Instant.ofEpochMilli(startMillis)
                        + " on (the store's time is " + Instant.ofEpochMilli(millis()) + ")");
    }

    private Duration allTaken() {
        String holders = store.holders(terms);
        lock.lock();
        try {
            taken = new IdUnavailableException(
                    ErrorCode.WORKER_IDS_TAKEN,
                    terms.namespace(),
                    Duration.ZERO,
                    "all " + terms.machines() + " worker ids of namespace '" + terms.namespace() + "' are leased; "
                            + holders + "; stop a process, widen the layout, or set another "
                            + world.advice.apply(Knob.NAMESPACE),
                    null);
        } finally {
            lock.unlock();
        }
        return ALL_TAKEN;
    }

    // ---- keeping it ----

    /** Renews what is held; gives the pause until the next turn. */
    private Duration renew(Held mine) {
        LeaseStore.Lease lease = mine.lease;
        LeaseStore.Sight sight = store.look(terms, lease).orElse(null);
        if (sight == null) {
            lost(mine, "its row is gone");
            return Duration.ZERO;
        }
        follow(sight.nowMillis());
        if (!sight.held() || !sight.sameServer()) {
            lost(mine, sight.held() ? "another server answers" : "another process has its row");
            return Duration.ZERO;
        }
        if (sight.horizonMillis() != lease.horizonMillis()) {
            if (uncertain) {
                doubtfulToken = lease.token(); // what was granted unseen stays unused; its row may be taken again
                lost(mine, "a renewal whose answer was lost has taken effect");
                return Duration.ZERO;
            }
            copied(lease, sight.horizonMillis());
            return timing.renew;
        }
        long horizon = down(sight.nowMillis() + terms.window().toMillis());
        if (horizon <= lease.horizonMillis()) {
            store.renew(terms, lease); // the store's clock is behind: the window has to last
            return timing.renew;
        }
        if (!extend(lease, horizon)) {
            return FIRST_BACK_OFF; // the next look says why
        }
        lock.lock();
        try {
            mine.lease = new LeaseStore.Lease(lease.machine(), lease.fence(), lease.token(), horizon);
            if (mine.window != null) {
                mine.window.endAt(layout.tickAt(horizon) - 1);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        return timing.renew;
    }

    /**
     * Raises the horizon. An extension without an answer may take effect at any time until another one has, which it then
     * cannot match: a look that does not show it says nothing.
     */
    private boolean extend(LeaseStore.Lease lease, long horizon) {
        boolean before = uncertain;
        uncertain = true;
        boolean extended = store.extend(terms, lease, horizon);
        uncertain = before && !extended;
        return extended;
    }

    private void lost(Held mine, String why) {
        lock.lock();
        try {
            if (held == mine) {
                held = null;
                queued = false;
            }
        } finally {
            lock.unlock();
        }
        tell(
                IdgenEvent.Kind.LEASE_LOST,
                "the lease of worker id " + text(mine.lease.machine()) + " is gone (" + why
                        + "); ids go on in what is left of its window, and another one is taken");
    }

    private void copied(LeaseStore.Lease lease, long horizonMillis) {
        String text = "the row of worker id " + text(lease.machine()) + " in namespace '" + terms.namespace()
                + "' has this process's token and the horizon " + Instant.ofEpochMilli(horizonMillis) + ", not "
                + Instant.ofEpochMilli(lease.horizonMillis())
                + " as this process left it: a copy of this process runs, or the row was edited; stop the copy, and start"
                + " again";
        lock.lock();
        try {
            end = new IdGenerationException(ErrorCode.LEASE_COPIED, text);
            held = null;
            queued = false;
            current.seal();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        tell(IdgenEvent.Kind.LEASE_COPIED, text);
    }

    // ---- windows and the time ----

    /**
     * Takes the held row's ticks into use if they are not: when they have begun, or the window in use has nothing left. Called
     * under the lock.
     *
     * @return whether the window in use is another one now
     */
    private boolean useQueued() {
        Held mine = held;
        if (mine == null || !queued || !goesOn()) {
            return false;
        }
        Window old = current;
        long endTick = layout.tickAt(mine.lease.horizonMillis());
        boolean oldHasNone = !hasIds(old);
        boolean begun = layout.tickAt(millis()) >= mine.firstTick && old.highestTick() + 1 < endTick;
        if (!oldHasNone && !begun) {
            return false;
        }
        old.seal(); // from here on nobody has more of it, and its last tick is known
        long first = Math.max(mine.firstTick, old.highestTick() + 1);
        if (first >= endTick) {
            return false; // the old one has run ahead of all that is granted: the next renewal brings more
        }
        Window window = new RisingWindow(layout, mine.lease.machine(), startOffsets, first, aheadTicks);
        window.endAt(endTick - 1);
        mine.window = window;
        queued = false;
        current = window;
        changed.signalAll();
        follow();
        return true;
    }

    /** Follows the store's time from a reading of it, which is older than this moment by less than the answer took. */
    private void follow(long storeMillis) {
        anchor = new Anchor(storeMillis, world.time.nanoTime());
        lock.lock();
        try {
            follow();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Decides whether ids follow the time. They do not while the window in use lies ahead of it, or the time stepped back:
     * then they would wait for it; and not when the store has been silent for a quarter of a window: then they would pass
     * over ticks that may have to last. Called under the lock.
     */
    private void follow() {
        long silentNanos = world.time.nanoTime() - anchor.nanos;
        long waited = dense ? 0 : aheadTicks; // so far a step back is waited for, but not after ids have left the time
        boolean ahead = layout.tickAt(millis()) + aheadTicks + waited < current.highestTick();
        boolean silent = silentNanos > terms.window().toNanos() / 4;
        dense = everHeld && (ahead || silent);
    }

    /** At the end of a turn, so that a change which lasts for less is not reported. */
    private void tellDense() {
        if (dense == toldDense) {
            return;
        }
        toldDense = !toldDense;
        tell(
                toldDense ? IdgenEvent.Kind.DENSE_BEGAN : IdgenEvent.Kind.DENSE_ENDED,
                toldDense
                        ? "ids do not follow the time until the store's clock has caught up or it answers again"
                        : "ids follow the time again");
    }

    private long up(long millis) {
        return layout.instantOf(layout.tickFrom(millis)).toEpochMilli();
    }

    private long down(long millis) {
        return layout.instantOf(Math.min(layout.tickAt(millis), layout.lastTick() + 1))
                .toEpochMilli();
    }

    private String token() {
        return String.format("%016x%016x", world.random.nextLong(), world.random.nextLong());
    }

    // ---- checkpoints ----

    /** Has a JVM that makes checkpoints tell this worker of them; asked once, before it is used. */
    void heedCheckpoints() {
        checkpoints = Checkpoints.tell(this);
    }

    /**
     * Before the process is copied: seals the window and gives the row back, as closing does, so that no copy has anything of
     * them. Calls wait until {@link #resume}, after which the next one has a row leased anew.
     */
    void suspend() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        lock.lock();
        try {
            if (ending || end != null || suspended) {
                return;
            }
            suspended = true;
            suspensions++;
            everHeld = false;
            current.seal();
            changed.signalAll();
            if (next != null) {
                next.cancel(false);
                next = null;
            }
            world.thread.execute(() -> release(released)); // after the turn that is under way, and what it was granted
            releases++;
        } catch (RejectedExecutionException e) {
            released.complete(null); // the owner of the thread has ended it
        } finally {
            lock.unlock();
        }
        CloseWait.SYSTEM.await(released, CloseWait.LONGEST);
    }

    /** After {@link #suspend}, in the process itself or in a copy: ids may be asked for. */
    void resume() {
        lock.lock();
        try {
            if (!suspended) {
                return;
            }
            suspended = false;
            suspensions++; // a call that waited meanwhile has its patience anew
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- the end ----

    @Override
    public void close() {
        CloseWait.SYSTEM.await(closeAsync(), CloseWait.LONGEST);
    }

    /** {@inheritDoc} The row is given back with all ticks that were not used. */
    @Override
    public CompletableFuture<?> closeAsync() {
        lock.lock();
        try {
            if (ending) {
                return CompletableFuture.completedFuture(null);
            }
            ending = true;
            if (end == null) {
                end = Snowflake.closed(terms.namespace());
            }
            current.seal();
            changed.signalAll();
            if (next != null) {
                next.cancel(false);
            }
            world.thread.execute(() -> release(ended)); // after the turn that is under way
            releases++;
            world.thread.shutdown();
        } catch (RejectedExecutionException e) {
            ended.complete(null);
        } finally {
            lock.unlock();
        }
        return ended.thenCompose(done -> LOG.written());
    }

    /** Once the window is sealed: whatever the answer, nothing of what was granted so far is ever issued again. */
    private void release(CompletableFuture<Void> released) {
        Held mine;
        boolean hopeless;
        lock.lock();
        try {
            mine = held;
            hopeless = failures > 0;
            held = null;
            queued = false;
            everHeld = false;
            uncertain = false;
            doubtfulToken = null;
            taken = null;
            follow();
        } finally {
            lock.unlock();
        }
        try {
            if (mine != null && !hopeless) {
                release(mine);
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a worker id stays leased until its lease is over", e);
        } finally {
            lock.lock();
            try {
                releases--;
                changed.signalAll(); // after a checkpoint: no turn was begun before
            } finally {
                lock.unlock();
            }
            released.complete(null);
        }
    }

    private void release(Held mine) {
        Window window = mine.window;
        long tick = window == null ? mine.firstTick : Math.max(mine.firstTick, window.highestTick() + 1);
        long used = layout.instantOf(tick).toEpochMilli();
        long horizon = timing.keepHorizon ? mine.lease.horizonMillis() : Math.min(used, mine.lease.horizonMillis());
        if (store.release(terms, mine.lease, horizon)) {
            tell(IdgenEvent.Kind.LEASE_RELEASED, "worker id " + text(mine.lease.machine()) + " is given back");
        }
    }

    private void tell(IdgenEvent.Kind kind, String text) {
        world.events.happened(new IdgenEvent(kind, terms.namespace(), text));
    }
}
