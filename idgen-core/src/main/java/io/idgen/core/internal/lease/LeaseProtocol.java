package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.internal.lease.LeaseCommand.FindRows;
import io.idgen.core.internal.lease.LeaseCommand.Heal;
import io.idgen.core.internal.lease.LeaseCommand.Look;
import io.idgen.core.internal.lease.LeaseCommand.Raise;
import io.idgen.core.internal.lease.LeaseCommand.Release;
import io.idgen.core.internal.lease.LeaseCommand.Renew;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.lease.LeaseState.Phase;
import io.idgen.core.internal.lease.LeaseStep.Notice;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.window.LayoutTime;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a process leases a worker id, as pure steps: from what the process knows and an event to what it
 * knows then and what it asks next. No clock, no thread and no I/O; {@link LeasedWorker} has those, and the models
 * search what is here.
 *
 * <p>Uniqueness rests on three rules. A tick is used only below a horizon whose statement was answered. A row is
 * acquired or raised only as it was last seen. A window is sealed before another one replaces it and before its row is
 * given back.
 *
 * <p>It is longer than other classes, so that all rules of a lease are in one pure function that a model can search.
 */
class LeaseProtocol {

    /** The first window of a lease, so that a process that crashes at each start does not use the horizons up. */
    static final Duration FIRST_WINDOW = Duration.ofSeconds(15);

    /** Until the next turn when others were faster, or the next look says why a statement was refused. */
    static final Duration SOON = Duration.ofMillis(250);

    /** Until the next look at a row whose last look was out of date. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private static final Duration ALL_TAKEN = Duration.ofSeconds(1);
    private static final long NEAR_MILLIS = 1_000;

    private final Terms terms;
    private final SnowflakeLayout layout;
    private final TickScale scale;
    private final Duration renew;
    private final boolean keepsHorizon;
    private final Duration fencingMargin;

    LeaseProtocol(Terms terms, Duration renew, boolean keepsHorizon) {
        this(terms, renew, keepsHorizon, Duration.ofSeconds(1));
    }

    /**
     * The rules of a process.
     *
     * @param renew between two renewals
     * @param keepsHorizon whether a release leaves the horizon alone, since the process may have been copied
     * @param fencingMargin how far above the gap a row of another server is advanced, so that a slow statement is not
     *     refused
     */
    LeaseProtocol(Terms terms, Duration renew, boolean keepsHorizon, Duration fencingMargin) {
        this.terms = terms;
        this.layout = terms.layout();
        this.scale = TickScale.of(layout.epoch(), layout.tick(), layout.timeBits());
        this.renew = renew;
        this.keepsHorizon = keepsHorizon;
        this.fencingMargin = fencingMargin;
    }

    // ---- a turn ----

    LeaseStep turn(LeaseState state) {
        if (!state.goesOn()) {
            return LeaseStep.rest(state, renew);
        }
        Holding holding = state.holding();
        return LeaseStep.send(state, holding == null ? new FindRows(state.doubtfulToken()) : new Look(holding.lease()));
    }

    // ---- acquiring a row ----

    LeaseStep found(LeaseState state, LeaseEvent.Found found) {
        Candidates candidates = found.candidates();
        if (isHealedSince(state, candidates)) {
            return discarded(state);
        }
        if (candidates.rows().isEmpty()) {
            return LeaseStep.rest(state, ALL_TAKEN, Notice.ALL_TAKEN);
        }
        List<Row> foreign = foreign(candidates);
        Row row = choose(candidates, foreign, found.choice());
        if (row == null) {
            return waitingFor(state, candidates, untilPassed(candidates));
        }
        if (!row.sameServer()) {
            return LeaseStep.send(state, fenceOff(row, candidates, Duration.ZERO));
        }
        long start = up(Math.max(row.horizonMillis(), candidates.nowMillis()));
        if (scale.tickAt(start) > scale.lastTick()) {
            throw LayoutTime.exhausted(layout, candidates.nowMillis());
        }
        long horizon = down(candidates.nowMillis() + firstWindow().toMillis());
        if (horizon <= start) {
            horizon = down(candidates.nowMillis() + terms.window().toMillis());
        }
        if (horizon <= start) {
            Duration pause = untilReached(row, candidates.nowMillis());
            // all who wait have one advanced, so that there are rows for all when they can begin
            return foreign.isEmpty()
                    ? waitingFor(state, candidates, pause)
                    : LeaseStep.send(state, fenceOff(any(foreign, found.choice()), candidates, pause));
        }
        Lease lease =
                new Lease(row.workerId(), row.fence() + 1, found.freshToken(), horizon, row.generation(), row.server());
        return LeaseStep.send(state, new Acquire(row, state.doubtfulToken(), lease, start));
    }

    /**
     * Never adds to a horizon that is far ahead already: two servers that answer in turn would raise it without end.
     */
    FenceOff fenceOff(Row row, Candidates candidates, Duration pause) {
        long beyond = candidates.nowMillis() + candidates.gapMillis() + fencingMargin.toMillis();
        return new FenceOff(row, up(Math.max(row.horizonMillis(), beyond)), candidates.gapMillis(), pause);
    }

    /**
     * Rows of another server that this process may fence off now. If no process has leased a row since it was fenced
     * off, its horizon must pass first. Otherwise two servers that answer in turn would fence off each other's rows
     * again and again, and no process would get a lease.
     */
    List<Row> foreign(Candidates candidates) {
        return candidates.rows().stream()
                .filter(row -> !row.sameServer() && (row.held() || row.horizonMillis() <= candidates.nowMillis()))
                .toList();
    }

    LeaseStep fencedOff(LeaseState state, FenceOff command) {
        return command.pause().isZero()
                ? LeaseStep.send(state, new FindRows(state.doubtfulToken()))
                : LeaseStep.rest(state, command.pause());
    }

    LeaseStep acquired(LeaseState state, Acquire command, boolean granted) {
        if (!granted) {
            return LeaseStep.send(state, new FindRows(state.doubtfulToken()));
        }
        Holding holding = new Holding(command.lease(), firstTick(command.startMillis()), false, false);
        return LeaseStep.rest(
                state.holding(holding).doubting(null).generation(command.lease().generation()),
                shorter(firstWindow().dividedBy(3), renew),
                Notice.ACQUIRED);
    }

    /**
     * At random among the rows that can begin now, so that processes that start at once do not meet; else among the
     * nearest that can begin soon; else one of another server, which is fenced off first. Null if there is none of
     * these.
     */
    private @Nullable Row choose(Candidates candidates, List<Row> foreign, int choice) {
        long now = candidates.nowMillis();
        List<Row> known = candidates.rows().stream().filter(Row::sameServer).toList();
        if (known.isEmpty() || (!foreign.isEmpty() && known.get(0).horizonMillis() > now + reachMillis())) {
            return foreign.isEmpty() ? null : any(foreign, choice);
        }
        long nearest = Math.max(now, known.get(0).horizonMillis() + NEAR_MILLIS);
        return any(known.stream().filter(row -> row.horizonMillis() <= nearest).toList(), choice);
    }

    private static Row any(List<Row> rows, int choice) {
        return rows.get(choice % rows.size());
    }

    /** How far ahead a horizon may be that is waited for: a window, and what fencing a row off adds to it. */
    private long reachMillis() {
        return terms.window().plus(LeaseStore.SERVER_SKEW.multipliedBy(2)).toMillis();
    }

    private static LeaseStep waitingFor(LeaseState state, Candidates candidates, Duration pause) {
        return LeaseStep.rest(state, pause)
                .waitingFor("the horizons of all free worker ids are ahead of the database's clock, which is at "
                        + Instant.ofEpochMilli(candidates.nowMillis()) + "; the first one can be leased in "
                        + seconds(pause));
    }

    private static String seconds(Duration duration) {
        return Durations.text(Duration.ofSeconds(duration.toSeconds() + 1));
    }

    private Duration untilReached(Row row, long nowMillis) {
        checkReach(row, nowMillis);
        return Duration.ofMillis(row.horizonMillis()
                - nowMillis
                - terms.window().toMillis()
                + layout.tick().toMillis()
                + 1);
    }

    /** Until the first horizon has passed, where all rows are of another server and were fenced off by it. */
    private Duration untilPassed(Candidates candidates) {
        Row row = candidates.rows().get(0);
        checkReach(row, candidates.nowMillis());
        return Duration.ofMillis(row.horizonMillis() - candidates.nowMillis() + 1);
    }

    private void checkReach(Row row, long nowMillis) {
        if (row.horizonMillis() <= nowMillis + reachMillis()) {
            return;
        }
        throw new AllocationException(
                ErrorCode.HORIZON_FAR,
                "the nearest free worker id, " + FixedWorkers.Key.of(terms.namespace(), layout, row.workerId())
                        + ", begins at " + Instant.ofEpochMilli(row.horizonMillis())
                        + ", and the database's clock is at " + Instant.ofEpochMilli(nowMillis)
                        + ": ids may be ahead of it by " + Durations.text(terms.window())
                        + "; correct the clock if it is behind, else repair the rows as docs/operations.md has it");
    }

    // ---- keeping it ----

    LeaseStep looked(LeaseState state, Lease lease, @Nullable LeaseView view) {
        Holding holding = state.holding();
        if (holding == null || !holding.lease().equals(lease)) {
            return LeaseStep.rest(state, renew);
        }
        if (view == null) {
            return lost(state, Notice.ROW_GONE);
        }
        if (view.generation() > lease.generation()) {
            return discarded(state);
        }
        if (view.setBack()) {
            return LeaseStep.send(state, view.held() ? new Raise(lease, view.horizonMillis()) : new Heal(lease));
        }
        if (!view.held()) {
            return lost(state, Notice.ROW_TAKEN);
        }
        if (!view.sameServer()) {
            return lost(state, Notice.OTHER_SERVER);
        }
        if (view.horizonMillis() < lease.horizonMillis()) {
            // only an older state of the row has a lower horizon: what was read is old, which proves nothing
            return LeaseStep.rest(state, LOOK_AGAIN);
        }
        if (view.horizonMillis() > lease.horizonMillis()) {
            // what was granted unseen stays unused; its row may be acquired again by its token
            return holding.uncertain()
                    ? lost(state.doubting(lease.token()), Notice.EXTENDED_UNSEEN)
                    : LeaseStep.rest(state.holding(null).in(Phase.STOPPED), renew, Notice.COPIED);
        }
        long horizon = down(view.nowMillis() + terms.window().toMillis());
        return LeaseStep.send(
                state,
                horizon <= lease.horizonMillis() ? new Renew(lease, view.nowMillis()) : new Extend(lease, horizon));
    }

    // ---- rows that somebody set back ----

    /** The row is as this process left it again, or what was read was out of date. */
    LeaseStep raised(LeaseState state, boolean granted) {
        return granted ? LeaseStep.rest(state, SOON, Notice.RAISED) : LeaseStep.rest(state, LOOK_AGAIN);
    }

    /**
     * No process is granted a tick again from now on that was granted before. Ticks of this one may have been granted
     * to another one until now, so both discard theirs. If the row proved nothing, what was read was out of date.
     */
    LeaseStep healed(LeaseState state, boolean healed) {
        return healed ? discarded(state) : LeaseStep.rest(state, LOOK_AGAIN);
    }

    /** Whether the namespace was healed after the grant of the window in use. The process holds no row any more. */
    private static boolean isHealedSince(LeaseState state, Candidates candidates) {
        return state.generation() != LeaseState.NO_GENERATION
                && candidates.rows().stream().anyMatch(row -> row.generation() > state.generation());
    }

    private static LeaseStep discarded(LeaseState state) {
        return LeaseStep.rest(state.discarded(), Duration.ZERO, Notice.DISCARDED);
    }

    private static LeaseStep lost(LeaseState state, Notice notice) {
        return LeaseStep.rest(state.holding(null), Duration.ZERO, notice);
    }

    LeaseStep extended(LeaseState state, Extend command, boolean granted) {
        Holding holding = state.holding();
        if (!granted || holding == null || !holding.lease().equals(command.lease())) {
            return LeaseStep.rest(state, SOON); // the next look says why
        }
        return LeaseStep.rest(state.holding(holding.extendedTo(command.horizonMillis())), renew);
    }

    /**
     * The store's clock has stepped back, so the window has to last. No other row helps: what it would grant ends a
     * window ahead of the clock as well, below ids that this process may have issued, and its ids never fall.
     */
    LeaseStep renewed(LeaseState state, Renew command) {
        // a horizon is at most a window ahead of the clock at the moment when it is granted
        long shownMillis = command.lease().horizonMillis() - terms.window().toMillis();
        Duration behind = Duration.ofMillis(Math.max(0, shownMillis - command.nowMillis()));
        Duration pause = behind.plus(layout.tick());
        return LeaseStep.rest(state, shorter(pause, renew))
                .waitingFor("the database's clock stepped back: it is at " + Instant.ofEpochMilli(command.nowMillis())
                        + ", and was at " + Instant.ofEpochMilli(shownMillis)
                        + " or later before; ids continue when it has passed that, in " + seconds(behind)
                        + "; correct the clock if it is behind, or restart this process: its ids are then lower than the"
                        + " last ones, and still unique");
    }

    /**
     * An extension without an answer may take effect at any time until another one is granted, which it then cannot
     * match: a look that does not show it proves nothing. What may have been acquired unseen is not used.
     */
    LeaseStep unanswered(LeaseState state, LeaseCommand command) {
        Holding holding = state.holding();
        if (holding != null
                && command instanceof Extend extend
                && holding.lease().equals(extend.lease())) {
            return LeaseStep.rest(state.holding(holding.doubted()), SOON);
        }
        return LeaseStep.rest(state, SOON);
    }

    // ---- windows ----

    /**
     * Whether the held row's window must replace the window in use: its time has begun, or the window in use is used
     * up.
     *
     * @param highestTick the last tick that the window in use has issued ids of
     * @param usedUp whether it has none left
     */
    boolean isDue(LeaseState state, long highestTick, boolean usedUp, long nowTick) {
        Holding holding = state.holding();
        if (holding == null || holding.inUse() || !state.goesOn()) {
            return false;
        }
        return usedUp || (nowTick >= holding.firstTick() && highestTick + 1 < endTick(holding));
    }

    /** Ticks that belong to this process, as a window is made of them; {@code endTick} is exclusive. */
    record Opening(int workerId, long firstTick, long endTick) {}

    /**
     * The window that replaces one that is sealed: above all that was issued.
     *
     * @param highestTick the last tick that the sealed window has issued ids of
     * @return null if the sealed one has run ahead of all that is granted: the next renewal brings more
     */
    @Nullable
    Opening opening(LeaseState state, long highestTick) {
        Holding holding = state.holding();
        if (holding == null || holding.inUse() || !state.goesOn()) {
            return null;
        }
        long first = Math.max(holding.firstTick(), highestTick + 1);
        return first < endTick(holding) ? new Opening(holding.lease().workerId(), first, endTick(holding)) : null;
    }

    /** After its window was opened. */
    LeaseState opened(LeaseState state) {
        Holding holding = state.holding();
        return holding == null ? state : state.holding(holding.used());
    }

    /** The first tick of what is acquired from a moment on. */
    long firstTick(long startMillis) {
        return scale.tickFrom(startMillis);
    }

    /** The end of the window that is made of a row, exclusive. */
    long endTick(Holding holding) {
        return scale.tickAt(holding.lease().horizonMillis());
    }

    // ---- the end ----

    /**
     * Before the source is closed, or a checkpoint made of the process: the window in use must be sealed in the same
     * moment.
     */
    LeaseState leaving(LeaseState state, Phase phase) {
        return state.in(state.phase() == Phase.STOPPED ? Phase.STOPPED : phase).releases(state.releases() + 1);
    }

    /** After a checkpoint. */
    LeaseState resumed(LeaseState state) {
        return state.phase() == Phase.SUSPENDED ? state.in(Phase.OPEN) : state;
    }

    /**
     * Gives the row back, once its window is sealed: whatever becomes of the statement, nothing granted so far is used
     * again.
     *
     * @param highestTick the last tick that the window in use has issued ids of
     */
    LeaseStep release(LeaseState state, long highestTick) {
        LeaseState left = state.discarded();
        Holding holding = state.holding();
        if (holding == null) {
            return LeaseStep.rest(left, Duration.ZERO);
        }
        long tick = holding.inUse() ? Math.max(holding.firstTick(), highestTick + 1) : holding.firstTick();
        long horizon = holding.lease().horizonMillis();
        long unused = scale.instantOf(tick).toEpochMilli();
        return LeaseStep.send(left, new Release(holding.lease(), keepsHorizon ? horizon : Math.min(unused, horizon)));
    }

    LeaseStep released(LeaseState state) {
        return LeaseStep.rest(state, Duration.ZERO);
    }

    /** After a planned release has run, whatever came of it. */
    LeaseState left(LeaseState state) {
        return state.releases(state.releases() - 1);
    }

    // ---- ticks ----

    /** The next boundary of a tick. */
    long up(long millis) {
        return scale.instantOf(scale.tickFrom(millis)).toEpochMilli();
    }

    /** The last boundary of a tick, at most that of the layout's end. */
    long down(long millis) {
        return scale.instantOf(Math.min(scale.tickAt(millis), scale.lastTick() + 1))
                .toEpochMilli();
    }

    private Duration firstWindow() {
        return shorter(FIRST_WINDOW, terms.window());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
