package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.ReservationCommand.FenceOff;
import io.idgen.core.internal.lease.ReservationCommand.Look;
import io.idgen.core.internal.lease.ReservationCommand.Prepare;
import io.idgen.core.internal.lease.ReservationCommand.Purpose;
import io.idgen.core.internal.lease.ReservationCommand.Reserve;
import io.idgen.core.internal.lease.ReservationEvent.Looked;
import io.idgen.core.internal.lease.ReservationState.Asked;
import io.idgen.core.internal.lease.ReservationState.Phase;
import io.idgen.core.internal.lease.ReservationStep.Notice;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;

/**
 * The rules by which a process reserves a fixed worker id while other processes lease theirs, as pure functions. Each
 * takes the state of the process and an event, and returns the next state and the next command. There is no clock, no
 * thread and no I/O here: {@link ReservationKeeper} has those. {@code ReservationModel} searches this class.
 *
 * <p>Uniqueness rests on three rules, and on no clock. Ids begin at the row's horizon. Ids end below the horizon of the
 * last statement that the store has confirmed to this process. Each statement changes the row only if it is as this
 * process has written it, recognised by a token of its own. So a process that is stopped, or is cut off from the store,
 * uses no tick of its successor, and of a process and its copy only one goes on.
 */
class ReservationProtocol {

    /** The pause before the next turn if the row has changed between a look and an update. */
    static final Duration RETRY = Duration.ofMillis(250);

    private static final Duration LONGEST_WAIT = RETRY.multipliedBy(4);

    private final Terms terms;
    private final Duration renew;
    private final boolean keepsHorizon;
    private final long aheadTicks;
    private final RowRules rules;
    private final TickScale scale;
    private final long endTick;

    /**
     * Creates the rules of a process.
     *
     * @param terms terms with exactly one worker id
     * @param renew the time between two renewals
     * @param keepsHorizon whether leaving keeps the horizon as it is, because the process may have been copied
     * @param aheadTicks how far ids may run ahead of the clock
     */
    ReservationProtocol(Terms terms, Duration renew, boolean keepsHorizon, long aheadTicks) {
        this.terms = terms;
        this.renew = renew;
        this.keepsHorizon = keepsHorizon;
        this.aheadTicks = aheadTicks;
        this.rules = new RowRules(terms.layout());
        this.scale = rules.scale();
        this.endTick = scale.lastTick() + 1;
    }

    // ---- a turn ----

    ReservationStep turn(ReservationState state) {
        if (state.phase() != Phase.OPEN) {
            return ReservationStep.rest(state, renew);
        }
        return ReservationStep.send(state, state.reserved() == null ? new Prepare() : new Look(Purpose.RENEW, 0));
    }

    ReservationStep prepared(ReservationState state, long gapMillis) {
        return ReservationStep.send(state, new Look(Purpose.TAKE, gapMillis));
    }

    ReservationStep looked(ReservationState state, Looked looked) {
        return switch (looked.command().purpose()) {
            case TAKE -> take(state, looked);
            case RENEW -> renew(state, looked);
            case PROVE -> proved(state, looked);
            case LEAVE -> leave(state, looked);
        };
    }

    /** Sends a statement. It may take effect whatever its answer, so its horizon is remembered first. */
    private static ReservationStep reserve(
            ReservationState state, Purpose purpose, RowState seen, long horizonMillis, long floorTick, Looked looked) {
        // on another server, the store recognises the holder by the token in the row
        boolean moved = !seen.sameServer() && state.isTokenOf(seen);
        String token = moved ? String.valueOf(seen.token()) : state.token() + "-" + looked.freshSuffix();
        Asked asked = new Asked(token, seen.fence() + 1, horizonMillis, floorTick);
        return ReservationStep.send(state.asking(asked), new Reserve(purpose, seen, token, horizonMillis, floorTick));
    }

    // ---- reserving the row ----

    /** Reserves the row, even if a process leases it. */
    private ReservationStep take(ReservationState state, Looked looked) {
        RowState seen = looked.seen();
        Long mine = looked.floorTick();
        if (seen == null) {
            throw new AllocationException(
                    ErrorCode.LAYOUT_MISMATCH,
                    "there is no row of "
                            + FixedWorkers.Key.of(terms.namespace(), terms.layout(), terms.firstWorkerId())
                            + " with layout " + terms.layout()
                            + "; create it, or set the layout of the namespace's rows");
        }
        if (seen.reserved() && seen.token() != null && mine == null && seen.nowMillis() < seen.heldUntilMillis()) {
            Duration left = Duration.ofMillis(seen.heldUntilMillis() - seen.nowMillis() + 1);
            return ReservationStep.rest(
                    state, left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT, Notice.HELD, seen);
        }
        if (!seen.sameServer() && mine == null) {
            long gapMillis = looked.command().gapMillis();
            Row row = new Row(terms.firstWorkerId(), seen.fence(), seen.horizonMillis(), false, seen.token() != null);
            long horizon = rules.fencedOffMillis(seen.horizonMillis(), seen.nowMillis(), gapMillis);
            return ReservationStep.send(state, new FenceOff(row, horizon, gapMillis));
        }
        long free = Math.max(seen.usedUntilMillis(terms.lease(), 0), seen.nowMillis());
        long floorTick = mine == null ? scale.tickFrom(free) : mine;
        return reserve(state, Purpose.TAKE, seen, horizon(seen, floorTick, looked), floorTick, looked);
    }

    ReservationStep fencedOff(ReservationState state, boolean accepted) {
        return ReservationStep.rest(state, accepted ? Duration.ZERO : RETRY);
    }

    /**
     * Returns the horizon to ask for: a lease ahead of the clock, and of the ids that were issued, and as far beyond
     * that as ids may run ahead.
     */
    private long horizon(RowState seen, long floorTick, Looked looked) {
        long next = Math.max(floorTick, looked.highestTick() + 1);
        long from = Math.max(millisOf(next), looked.hostMillis());
        long tick = scale.tickFrom(from + terms.lease().toMillis()) + aheadTicks;
        return Math.max(seen.horizonMillis(), millisOf(Math.min(tick, endTick)));
    }

    // ---- keeping it ----

    /** Renews the reservation. If another process seems to have written the row, checks that by an update. */
    private ReservationStep renew(ReservationState state, Looked looked) {
        RowState known = state.reserved();
        if (known == null) {
            return ReservationStep.rest(state, renew);
        }
        return looked.floorTick() == null
                ? renew(state, Purpose.PROVE, known, looked)
                : renew(state, Purpose.RENEW, known(looked), looked);
    }

    /**
     * The row is not as this process knows it. It has lost the row, unless an unanswered statement of its own explains
     * the difference, or a server that has taken over shows an earlier state of its row.
     */
    private ReservationStep proved(ReservationState state, Looked looked) {
        RowState known = state.reserved();
        RowState seen = looked.seen();
        boolean earlier = seen != null && known != null && state.isTokenOf(seen) && seen.fence() < known.fence();
        return looked.floorTick() != null || earlier
                ? renew(state, Purpose.RENEW, known(looked), looked)
                : ReservationStep.rest(state.in(Phase.STOPPED), renew, Notice.LOST, seen);
    }

    private static RowState known(Looked looked) {
        RowState seen = looked.seen();
        if (seen == null) {
            throw new IllegalStateException("the row was not found");
        }
        return seen;
    }

    private ReservationStep renew(ReservationState state, Purpose purpose, RowState expected, Looked looked) {
        RowState known = state.reserved();
        long confirmed = known == null ? 0 : known.horizonMillis();
        long horizon = Math.max(confirmed, horizon(expected, state.floorTick(), looked));
        return reserve(state, purpose, expected, horizon, state.floorTick(), looked);
    }

    ReservationStep reserved(ReservationState state, Reserve command, boolean accepted) {
        Purpose purpose = command.purpose();
        if (purpose == Purpose.LEAVE) {
            return ReservationStep.rest(state, renew);
        }
        if (accepted) {
            RowState row = after(command);
            return ReservationStep.rest(
                    state.confirmed(row, command.floorTick()),
                    renew,
                    purpose == Purpose.TAKE ? Notice.RESERVED : Notice.NONE,
                    row);
        }
        return purpose == Purpose.PROVE
                ? ReservationStep.send(state, new Look(Purpose.PROVE, 0))
                : ReservationStep.rest(state, RETRY);
    }

    private RowState after(Reserve command) {
        RowState seen = command.seen();
        long until = seen.nowMillis() + terms.lease().toMillis();
        return new RowState(
                seen.nowMillis(),
                seen.fence() + 1,
                command.horizonMillis(),
                true,
                true,
                command.token(),
                until,
                "this");
    }

    // ---- the end ----

    /** Leaves the row reserved without a process, so that a successor need not wait. The window must be sealed. */
    ReservationStep leave(ReservationState state) {
        return state.reserved() == null
                ? ReservationStep.rest(state, renew)
                : ReservationStep.send(state, new Look(Purpose.LEAVE, 0));
    }

    /** Lowers the horizon to the tick after the last issued one, but not below the first one of this process. */
    private ReservationStep leave(ReservationState state, Looked looked) {
        RowState seen = looked.seen();
        if (seen == null || looked.floorTick() == null) {
            return ReservationStep.rest(state, renew);
        }
        long horizon = keepsHorizon
                ? seen.horizonMillis()
                : rules.leftMillis(seen.horizonMillis(), state.floorTick(), looked.highestTick());
        return ReservationStep.send(state, new Reserve(Purpose.LEAVE, seen, null, horizon, state.floorTick()));
    }

    // ---- ticks ----

    /** Returns the beginning of a tick, in milliseconds. */
    long millisOf(long tick) {
        return scale.millisOf(tick);
    }

    /**
     * Returns the last tick at which the clock may stand when an id is issued. Ids may run ahead of it, and stay below
     * the horizon that the store has confirmed.
     */
    long lastClockTick(ReservationState state) {
        RowState row = state.reserved();
        if (row == null) {
            return -1;
        }
        long tick = scale.tickAt(row.horizonMillis());
        return tick >= endTick ? Long.MAX_VALUE : tick - 1 - aheadTicks;
    }
}
