package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.internal.lease.LeaseCommand.FindRows;
import io.idgen.core.internal.lease.LeaseCommand.Heal;
import io.idgen.core.internal.lease.LeaseCommand.LookAtRow;
import io.idgen.core.internal.lease.LeaseCommand.Raise;
import io.idgen.core.internal.lease.LeaseCommand.Release;
import io.idgen.core.internal.lease.LeaseCommand.Renew;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.lease.LeaseState.LeasePhase;
import io.idgen.core.internal.lease.LeaseStep.Notice;
import io.idgen.core.internal.lease.LeaseWait.AllTaken;
import io.idgen.core.internal.lease.LeaseWait.HorizonsAhead;
import io.idgen.core.internal.lease.LeaseWait.NotFencedOff;
import io.idgen.core.internal.lease.LeaseWait.StoreClockBehind;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a process leases a worker id, as pure functions. Each takes the state of the process and an event,
 * and returns the next state and the next command. There is no clock, no thread and no I/O here: {@link LeasedWorker}
 * has those. The models search this class, so it has all the rules.
 *
 * <p>Uniqueness rests on three rules. A tick is used only below a horizon that the store has confirmed. A row is
 * acquired or raised only if it is as it was last seen. A window is sealed before another one replaces it and before
 * its row is released.
 */
class LeaseProtocol {

    /**
     * The first window of a lease. It is short, so that a process that crashes at each start does not use up the
     * horizons.
     */
    static final Duration FIRST_WINDOW = Duration.ofSeconds(15);

    /**
     * The pause before the next turn if other processes were faster, or if the next look shows why a statement was
     * refused.
     */
    static final Duration SOON = Duration.ofMillis(250);

    /** The pause before the next look at a row if the last read was out of date. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private static final Duration ALL_TAKEN = Duration.ofSeconds(1);
    private static final long NEAR_MILLIS = 1_000;

    private final LeaseTerms terms;
    final RowRules rules;
    private final TickScale scale;
    private final Duration renew;
    private final Duration firstWindow;

    LeaseProtocol(LeaseTerms terms) {
        this(terms, new RowRules(terms.layout()));
    }

    /**
     * Creates the rules of a process.
     *
     * @param terms the parameters of the generator
     * @param rules the rules on rows of the layout
     */
    LeaseProtocol(LeaseTerms terms, RowRules rules) {
        this.terms = terms;
        this.rules = rules;
        this.scale = rules.scale();
        this.renew = terms.renewal();
        this.firstWindow = shorter(FIRST_WINDOW, terms.window());
    }

    // ---- a turn ----

    LeaseStep turn(LeaseState state) {
        if (!state.goesOn()) {
            return LeaseStep.rest(state, renew);
        }
        Holding holding = state.holding();
        return LeaseStep.send(
                state, holding == null ? new FindRows(state.doubtfulToken()) : new LookAtRow(holding.lease()));
    }

    // ---- acquiring a row ----

    LeaseStep found(LeaseState state, LeaseEvent.RowsFound found) {
        Candidates candidates = found.candidates();
        if (isHealedSince(state, candidates)) {
            return discarded(state);
        }
        if (candidates.rows().isEmpty()) {
            return LeaseStep.rest(state, ALL_TAKEN).waitingFor(new AllTaken(candidates.holders()));
        }
        List<Row> foreign = foreign(candidates);
        Row row = choose(candidates, foreign, found.choice());
        if (row == null) {
            return waitingFor(state, candidates, untilPassed(candidates));
        }
        if (!row.sameServer()) {
            return LeaseStep.send(state, fenceOff(row, candidates.nowMillis(), Duration.ZERO));
        }
        long start = rules.up(Math.max(row.horizonMillis(), candidates.nowMillis()));
        if (scale.tickAt(start) > scale.lastTick()) {
            throw LayoutTime.exhausted(terms.layout(), candidates.nowMillis());
        }
        long horizon = rules.down(candidates.nowMillis() + firstWindow.toMillis());
        if (horizon <= start) {
            horizon = rules.down(candidates.nowMillis() + terms.window().toMillis());
        }
        if (horizon <= start) {
            Duration pause = untilReached(row, candidates.nowMillis());
            // each waiting process fences off a row, so that there is a row for each when they can begin
            return foreign.isEmpty()
                    ? waitingFor(state, candidates, pause)
                    : LeaseStep.send(state, fenceOff(any(foreign, found.choice()), candidates.nowMillis(), pause));
        }
        Lease lease =
                new Lease(row.workerId(), row.fence() + 1, found.freshToken(), horizon, row.generation(), row.server());
        return LeaseStep.send(state, new Acquire(row, state.doubtfulToken(), lease, start));
    }

    /** Creates the command that fences off a row. */
    FenceOff fenceOff(Row row, long nowMillis, Duration pause) {
        return new FenceOff(row, rules.fencedOffMillis(row.horizonMillis(), nowMillis, terms.gapMillis()), pause);
    }

    /** Returns the rows of another server that this process may fence off now. */
    List<Row> foreign(Candidates candidates) {
        return candidates.rows().stream()
                .filter(row -> !row.sameServer()
                        && RowRules.canFenceOff(row.held(), row.horizonMillis(), candidates.nowMillis()))
                .toList();
    }

    LeaseStep fencedOff(LeaseState state, FenceOff command, boolean granted) {
        if (!granted) {
            return LeaseStep.rest(state, SOON)
                    .waitingFor(new NotFencedOff(command.row().workerId()));
        }
        return command.pause().isZero()
                ? LeaseStep.send(state, new FindRows(state.doubtfulToken()))
                : LeaseStep.rest(state, command.pause());
    }

    LeaseStep acquired(LeaseState state, Acquire command, boolean granted) {
        if (!granted) {
            return LeaseStep.send(state, new FindRows(state.doubtfulToken()));
        }
        Holding holding = new Holding(command.lease(), firstTick(command.startMillis()), false, Set.of());
        return LeaseStep.rest(
                state.holding(holding).doubting(null).generation(command.lease().generation()),
                shorter(firstWindow.dividedBy(3), renew),
                Notice.ACQUIRED);
    }

    /**
     * Chooses a random row among those that can begin now, so that processes that start together choose different rows.
     * Otherwise among the nearest that can begin soon. Otherwise a row of another server, which is fenced off first.
     * Returns null if there is none.
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

    /** Returns how far ahead a horizon may be so that processes wait for it: a window, and what fencing off adds. */
    private long reachMillis() {
        return terms.window().plus(LeaseStore.SERVER_SKEW.multipliedBy(2)).toMillis();
    }

    private static LeaseStep waitingFor(LeaseState state, Candidates candidates, Duration pause) {
        return LeaseStep.rest(state, pause).waitingFor(new HorizonsAhead(candidates.nowMillis(), pause));
    }

    private Duration untilReached(Row row, long nowMillis) {
        checkReach(row, nowMillis);
        return Duration.ofMillis(rules.reachedMillis(row.horizonMillis(), terms.window()) - nowMillis);
    }

    /** Returns the pause until the first horizon has passed. Called if another server has fenced off all rows. */
    private Duration untilPassed(Candidates candidates) {
        Row row = candidates.rows().get(0);
        checkReach(row, candidates.nowMillis());
        return Duration.ofMillis(row.horizonMillis() - candidates.nowMillis() + 1);
    }

    private void checkReach(Row row, long nowMillis) {
        if (row.horizonMillis() > nowMillis + reachMillis()) {
            throw LeaseReports.horizonFar(terms, row, nowMillis);
        }
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
            // only an earlier state of the row has a lower horizon, so the read was out of date and proves nothing
            return LeaseStep.rest(state, LOOK_AGAIN);
        }
        if (view.horizonMillis() > lease.horizonMillis()) {
            // ticks of an unconfirmed grant stay unused: a copy may have asked for the same horizon. The row may be
            // acquired again with its token
            return holding.asked().contains(view.horizonMillis())
                    ? lost(state.doubting(lease.token()), Notice.EXTENDED_UNSEEN)
                    : LeaseStep.rest(state.holding(null).in(LeasePhase.STOPPED), renew, Notice.COPIED);
        }
        long horizon = rules.down(view.nowMillis() + terms.window().toMillis());
        return LeaseStep.send(
                state,
                horizon <= lease.horizonMillis() ? new Renew(lease, view.nowMillis()) : new Extend(lease, horizon));
    }

    // ---- rows that somebody set back ----

    /** The row has its horizon again. If it was not changed, the read was out of date. */
    LeaseStep raised(LeaseState state, boolean granted) {
        return granted ? LeaseStep.rest(state, SOON, Notice.RAISED) : LeaseStep.rest(state, LOOK_AGAIN);
    }

    /**
     * After a heal, no tick is granted again. Until now, another process may have been granted ticks of this one, so
     * both discard theirs. If the row was not healed, the read was out of date.
     */
    LeaseStep healed(LeaseState state, boolean healed) {
        return healed ? discarded(state) : LeaseStep.rest(state, LOOK_AGAIN);
    }

    /**
     * Returns whether the namespace was healed after the grant of the window in use. Called if the process holds no
     * row.
     */
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

    /**
     * A refused extension may have taken effect: a layer between this process and the store may have sent it twice, so
     * that the refusal is the answer to the second one. The next look shows the cause.
     */
    LeaseStep extended(LeaseState state, Extend command, boolean granted) {
        Holding holding = state.holding();
        return granted && holding != null && holding.lease().equals(command.lease())
                ? LeaseStep.rest(state.holding(holding.extendedTo(command.horizonMillis())), renew)
                : unanswered(state, command);
    }

    /**
     * The horizon was not raised because the store's clock has stepped back, so the window has to last. Another row
     * would not help: its window would also end at most a window ahead of the clock. Those ticks are below ids that
     * this process may have issued, and its ids never fall.
     */
    LeaseStep renewed(LeaseState state, Renew command) {
        // when it was granted, the horizon was at most a window ahead of the clock
        long shownMillis = command.lease().horizonMillis() - terms.window().toMillis();
        StoreClockBehind wait = new StoreClockBehind(command.nowMillis(), shownMillis);
        return LeaseStep.rest(state, shorter(wait.behind().plus(terms.layout().tick()), renew))
                .waitingFor(wait);
    }

    /**
     * An unanswered extension may take effect until another one is granted, because it no longer matches then. So a
     * look that does not show it proves nothing. A row that may have been acquired unseen is not used.
     */
    LeaseStep unanswered(LeaseState state, LeaseCommand command) {
        Holding holding = state.holding();
        if (holding != null
                && command instanceof Extend extend
                && holding.lease().equals(extend.lease())) {
            return LeaseStep.rest(state.holding(holding.asking(extend.horizonMillis())), SOON);
        }
        return LeaseStep.rest(state, SOON);
    }

    // ---- windows ----

    /**
     * Returns whether the window of the held row must replace the window in use: its time has begun, or the window in
     * use is used up.
     *
     * @param highestTick the last tick in the ids of the window in use
     * @param usedUp whether the window in use has no id left
     */
    boolean isDue(LeaseState state, long highestTick, boolean usedUp, long nowTick) {
        Holding holding = state.holding();
        if (holding == null || holding.inUse() || !state.goesOn()) {
            return false;
        }
        return usedUp || (nowTick >= holding.firstTick() && highestTick + 1 < endTick(holding));
    }

    /** The ticks of a new window; {@code endTick} is exclusive. */
    record NextWindow(int workerId, long firstTick, long endTick) {}

    /**
     * Returns the window that replaces a sealed one. It begins above all issued ids.
     *
     * @param highestTick the last tick in the ids of the sealed window
     * @return null if the sealed window has run ahead of all granted ticks; the next renewal is granted more
     */
    @Nullable
    NextWindow opening(LeaseState state, long highestTick) {
        Holding holding = state.holding();
        if (holding == null || holding.inUse() || !state.goesOn()) {
            return null;
        }
        long first = Math.max(holding.firstTick(), highestTick + 1);
        return first < endTick(holding) ? new NextWindow(holding.lease().workerId(), first, endTick(holding)) : null;
    }

    /** The window of the held row was opened. */
    LeaseState opened(LeaseState state) {
        Holding holding = state.holding();
        return holding == null ? state : state.holding(holding.used());
    }

    /** Returns the first tick of a row that is acquired from this time on. */
    long firstTick(long startMillis) {
        return scale.tickFrom(startMillis);
    }

    /** Returns the end of the window of a row, exclusive. */
    long endTick(Holding holding) {
        return scale.tickAt(holding.lease().horizonMillis());
    }

    // ---- the end ----

    /**
     * Releases the row after its window is sealed. Whatever the outcome of the statement, no tick that was granted so
     * far is used again.
     *
     * @param highestTick the last tick in the ids of the window in use
     */
    LeaseStep release(LeaseState state, long highestTick) {
        LeaseState left = state.discarded();
        Holding holding = state.holding();
        if (holding == null) {
            return LeaseStep.rest(left, Duration.ZERO);
        }
        long horizon = holding.lease().horizonMillis();
        long used = holding.inUse() ? highestTick : -1;
        return LeaseStep.send(left, new Release(holding.lease(), rules.leftMillis(horizon, holding.firstTick(), used)));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
