package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.ReservationCommand.FenceOff;
import io.idgen.core.internal.lease.ReservationCommand.Look;
import io.idgen.core.internal.lease.ReservationCommand.Prepare;
import io.idgen.core.internal.lease.ReservationCommand.Purpose;
import io.idgen.core.internal.lease.ReservationCommand.Reserve;
import io.idgen.core.internal.lease.ReservationState.Phase;
import io.idgen.core.internal.lease.ReservationStep.Notice;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a process reserves a fixed worker id while other processes lease theirs, as pure functions. Each
 * takes the state of the process and an event, and returns the next state and the next command. There is no clock, no
 * thread and no I/O here: {@link ReservationKeeper} has those. {@code ReservationModel} searches this class.
 *
 * <p>Uniqueness rests on three rules. Ids begin at the row's horizon, which no earlier holder has passed. Each renewal
 * raises the horizon above all issued ids. Another process takes the row only if its holder has not renewed for the
 * time of a lease. So a process that finds its row changed issues no more ids.
 */
class ReservationProtocol {

    /** The pause before the next turn if the row has changed between a look and an update. */
    static final Duration RETRY = Duration.ofMillis(250);

    private static final Duration LONGEST_WAIT = RETRY.multipliedBy(4);
    private static final long FENCING_MARGIN_MILLIS = 1000; // so that a slow statement is not refused

    private final Terms terms;
    private final String token;
    private final Duration renew;
    private final TickScale scale;

    /**
     * Creates the rules of a process.
     *
     * @param terms terms with exactly one worker id
     * @param token a token that only this process has
     * @param renew the time between two renewals
     */
    ReservationProtocol(Terms terms, String token, Duration renew) {
        SnowflakeLayout layout = terms.layout();
        this.terms = terms;
        this.token = token;
        this.renew = renew;
        this.scale = TickScale.of(layout.epoch(), layout.tick(), layout.timeBits());
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

    ReservationStep looked(ReservationState state, ReservationEvent.Looked looked) {
        RowState seen = looked.seen();
        boolean mine = seen != null && token.equals(seen.token());
        return switch (looked.command().purpose()) {
            case TAKE -> take(state, seen, mine, looked.command().gapMillis());
            case RENEW, PROVE -> renew(state, seen, mine, looked.highestTick());
            case LEAVE ->
                seen == null || !mine
                        ? ReservationStep.rest(state, renew)
                        : ReservationStep.send(
                                state,
                                new Reserve(Purpose.LEAVE, seen, null, horizon(seen, looked.highestTick()), seen));
        };
    }

    // ---- reserving the row ----

    /** Reserves the row, even if a process leases it. */
    private ReservationStep take(ReservationState state, @Nullable RowState seen, boolean mine, long gapMillis) {
        if (seen == null) {
            throw new AllocationException(
                    ErrorCode.LAYOUT_MISMATCH,
                    "there is no row of "
                            + FixedWorkers.Key.of(terms.namespace(), terms.layout(), terms.firstWorkerId())
                            + " with layout " + terms.layout()
                            + "; create it, or set the layout of the namespace's rows");
        }
        if (seen.reserved() && seen.token() != null && !mine && seen.nowMillis() < seen.heldUntilMillis()) {
            Duration left = Duration.ofMillis(seen.heldUntilMillis() - seen.nowMillis() + 1);
            return ReservationStep.rest(
                    state, left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT, Notice.HELD, seen);
        }
        if (!seen.sameServer() && !mine) {
            // all ticks that another server granted and lost end below this; see LeaseProtocol.fenceOff
            long beyond = seen.nowMillis() + gapMillis + FENCING_MARGIN_MILLIS;
            Row row = new Row(terms.firstWorkerId(), seen.fence(), seen.horizonMillis(), false, seen.token() != null);
            return ReservationStep.send(
                    state, new FenceOff(row, up(Math.max(seen.horizonMillis(), beyond)), gapMillis));
        }
        long horizon = up(Math.max(seen.horizonMillis(), seen.nowMillis() + (mine ? 0 : aheadMillis(seen))));
        return ReservationStep.send(state, new Reserve(Purpose.TAKE, seen, token, horizon, seen));
    }

    ReservationStep fencedOff(ReservationState state, boolean accepted) {
        return ReservationStep.rest(state, accepted ? Duration.ZERO : RETRY);
    }

    /**
     * Returns how far ids of a dead holder were ahead of the store's time at its last renewal. Ids that it issued
     * afterwards were ahead by at most that.
     */
    private long aheadMillis(RowState seen) {
        boolean died = seen.reserved() && seen.token() != null;
        long renewedMillis = seen.heldUntilMillis() - terms.lease().toMillis();
        return died ? Math.max(0, seen.horizonMillis() - renewedMillis) : 0;
    }

    // ---- keeping it ----

    /** Renews the reservation, with a horizon above all issued ids. */
    private ReservationStep renew(ReservationState state, @Nullable RowState seen, boolean mine, long highestTick) {
        RowState known = state.reserved();
        if (known == null) {
            return ReservationStep.rest(state, renew);
        }
        if (seen != null && seen.reserved() && mine) {
            long horizon = horizon(seen, highestTick);
            return ReservationStep.send(state, new Reserve(Purpose.RENEW, seen, token, horizon, seen));
        }
        long horizon = horizon(known, highestTick);
        return ReservationStep.send(state, new Reserve(Purpose.PROVE, known, token, horizon, seen));
    }

    ReservationStep reserved(ReservationState state, Reserve command, boolean accepted) {
        RowState row = after(command);
        return switch (command.purpose()) {
            case TAKE ->
                accepted
                        ? ReservationStep.rest(
                                state.taken(row, scale.tickFrom(command.horizonMillis())), renew, Notice.RESERVED, row)
                        : ReservationStep.rest(state, RETRY);
            case RENEW ->
                accepted ? ReservationStep.rest(state.renewed(row), renew) : ReservationStep.rest(state, RETRY);
            case PROVE ->
                accepted
                        ? ReservationStep.rest(state.renewed(row), renew)
                        : ReservationStep.rest(state.in(Phase.STOPPED), renew, Notice.LOST, command.found());
            case LEAVE -> ReservationStep.rest(state, renew);
        };
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

    private long horizon(RowState seen, long highestTick) {
        long issued = scale.instantOf(highestTick + 1).toEpochMilli();
        return Math.max(Math.max(seen.horizonMillis(), issued), up(seen.nowMillis()));
    }

    // ---- the end ----

    /** Leaves the row reserved without a process, so that a successor need not wait. The window must be sealed. */
    ReservationStep leave(ReservationState state) {
        return state.reserved() == null
                ? ReservationStep.rest(state, renew)
                : ReservationStep.send(state, new Look(Purpose.LEAVE, 0));
    }

    // ---- ticks ----

    /** Returns the beginning of a tick, in milliseconds. */
    long millisOf(long tick) {
        return scale.instantOf(tick).toEpochMilli();
    }

    /** Returns the next boundary of a tick. */
    private long up(long millis) {
        return millisOf(scale.tickFrom(millis));
    }
}
