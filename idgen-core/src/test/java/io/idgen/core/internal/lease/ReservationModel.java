package io.idgen.core.internal.lease;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One worker id that two processes lease, and that is fixed in others, which reserve its row. The database's time only rises. A
 * lease may end at any moment; the clock of a fixed process shows any tick up to {@value #AHEAD} ahead of the database's.
 *
 * <p>A fixed process renews its reservation every {@value #RENEW} ticks as long as it runs; the database is never away. Reading
 * the row and the compare-and-set on what was read are one step: the row has a fence, which each of these statements raises.
 */
final class ReservationModel implements ModelSearch.Model<ReservationModel.State> {
    private static final int WINDOW = 2;
    private static final int AHEAD = 1;
    private static final int RENEW = 1;

    /** Longer than a renewal and what a clock may be ahead. */
    private static final int LEASE = RENEW + AHEAD + 1;

    private static final int NOT_RESERVED = -1;
    private static final int NOBODY = 0;

    /** What a variant adds to the protocol, or leaves out of it. */
    enum Trait {
        /** Fixed processes may be killed, and others started. */
        KILL,
        /** There are two fixed processes. */
        TWO,
        /** The operator ends the reservation when no fixed process counts as alive, and raises the horizon. */
        UNRESERVE,
        /** Broken: a fixed process does not ask for the row. */
        BLIND,
        /** Broken: a fixed process begins by its clock, below the horizon. */
        LOW,
        /** Broken: a reserved row keeps its leaseholder's token, so that it can still be extended. */
        KEPT,
        /** Broken: a fixed process does not write itself into the row. */
        UNOWNED,
        /** Broken: a renewal leaves the horizon, and so does a stop. */
        FLAT,
        /** Broken: a successor does not wait until the reservation has not been renewed for a lease. */
        HASTY,
        /** Broken: the operator does not look whether a fixed process runs. */
        CARELESS
    }

    /** The row: the token of its lease, the horizon, the fixed process that holds it, and when that was renewed. */
    record Row(int token, int horizon, int reservedBy, int renewed) {
        boolean isReserved() {
            return reservedBy != NOT_RESERVED;
        }
    }

    /** A lease: its token, or 0, and the end of its window. */
    record Lease(int token, int end) {}

    /** A process with the fixed worker id, and the lowest tick that it may still issue. */
    record Fixed(boolean runs, int next) {}

    /** All of it, with a bit for each tick that was granted to a lease or issued by a fixed process. */
    record State(
            Row row,
            int now,
            List<Lease> leases,
            List<Fixed> fixed,
            int taken,
            int acquisitionsLeft,
            boolean unreserved) {

        State with(Row newRow) {
            return new State(newRow, now, leases, fixed, taken, acquisitionsLeft, unreserved);
        }

        State with(int i, Lease lease) {
            List<Lease> changed = new ArrayList<>(leases);
            changed.set(i, lease);
            return new State(row, now, changed, fixed, taken, acquisitionsLeft, unreserved);
        }

        State with(int i, Fixed process) {
            List<Fixed> changed = new ArrayList<>(fixed);
            changed.set(i, process);
            return new State(row, now, leases, changed, taken, acquisitionsLeft, unreserved);
        }

        State taking(int from, int end) {
            return new State(row, now, leases, fixed, taken | bits(from, end), acquisitionsLeft, unreserved);
        }

        static int bits(int from, int end) {
            return (1 << end) - (1 << from);
        }
    }

    private final Set<Trait> traits;
    private final int ticks;
    private final int acquisitions;

    ReservationModel(Set<Trait> traits, int ticks, int acquisitions) {
        this.traits = traits;
        this.ticks = ticks;
        this.acquisitions = acquisitions;
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public State start() {
        return new State(
                new Row(0, 0, NOT_RESERVED, 0),
                0,
                Collections.nCopies(2, new Lease(0, 0)),
                Collections.nCopies(has(Trait.TWO) ? 2 : 1, new Fixed(false, 0)),
                0,
                acquisitions,
                false);
    }

    @Override
    public Object key(State state) {
        return state;
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < state.leases.size(); i++) {
            acquire(state, i, steps);
            extend(state, i, steps);
        }
        for (int i = 0; i < state.fixed.size(); i++) {
            if (state.fixed.get(i).runs) {
                issue(state, i, steps);
                renewOrEnd(state, i, steps);
            } else {
                begin(state, i, steps);
            }
        }
        unreserve(state, steps);
        boolean renewalIsDue = state.row.reservedBy > NOBODY
                && state.fixed.get(state.row.reservedBy - 1).runs
                && state.now >= state.row.renewed + RENEW;
        if (state.now < ticks - 1 && !renewalIsDue) {
            State later = new State(
                    state.row,
                    state.now + 1,
                    state.leases,
                    state.fixed,
                    state.taken,
                    state.acquisitionsLeft,
                    state.unreserved);
            steps.to(later, () -> "the database's time is " + later.now);
        }
    }

    private void take(
            State state, State next, int from, int end, Supplier<String> words, ModelSearch.Steps<State> steps) {
        if ((state.taken & State.bits(from, end)) != 0) {
            steps.violation(() -> words.get() + ", some of it again");
        }
        steps.to(next.taking(from, end), words);
    }

    private void acquire(State state, int i, ModelSearch.Steps<State> steps) {
        int from = Math.max(state.row.horizon, state.now);
        int end = Math.min(state.now + WINDOW, ticks);
        if (state.row.isReserved() || state.acquisitionsLeft == 0 || from >= end) {
            return;
        }
        int token = acquisitions - state.acquisitionsLeft + 1;
        State next = new State(
                        new Row(token, end, NOT_RESERVED, 0),
                        state.now,
                        state.leases,
                        state.fixed,
                        state.taken,
                        state.acquisitionsLeft - 1,
                        state.unreserved)
                .with(i, new Lease(token, end));
        take(state, next, from, end, () -> "P%d leases [%d,%d)".formatted(i, from, end), steps);
    }

    private void extend(State state, int i, ModelSearch.Steps<State> steps) {
        Lease lease = state.leases.get(i);
        Row row = state.row;
        int end = Math.min(state.now + WINDOW, ticks);
        boolean mine = lease.token > 0 && lease.token == row.token && lease.end == row.horizon;
        if (mine && lease.end < end) {
            State next = state.with(new Row(row.token, end, row.reservedBy, row.renewed))
                    .with(i, new Lease(lease.token, end));
            take(state, next, lease.end, end, () -> "P%d extends to %d".formatted(i, end), steps);
        }
    }

    private void begin(State state, int i, ModelSearch.Steps<State> steps) {
        Row row = state.row;
        int clock = Math.max(0, state.now - AHEAD);
        if (has(Trait.BLIND)) {
            steps.to(state.with(i, new Fixed(true, clock)), () -> "fixed %d begins at %d".formatted(i, clock));
            return;
        }
        boolean held = row.reservedBy > NOBODY && (!has(Trait.HASTY) || state.fixed.get(row.reservedBy - 1).runs);
        if (held && state.now < row.renewed + LEASE) {
            return;
        }
        int floor = Math.max(row.horizon, state.now);
        int from = has(Trait.LOW) ? clock : floor;
        Row reserved = new Row(
                has(Trait.KEPT) ? row.token : 0,
                has(Trait.KEPT) ? row.horizon : floor,
                has(Trait.UNOWNED) ? NOBODY : i + 1,
                state.now);
        steps.to(
                state.with(reserved).with(i, new Fixed(true, from)),
                () -> "fixed %d reserves the row and begins at %d".formatted(i, from));
    }

    private void issue(State state, int i, ModelSearch.Steps<State> steps) {
        for (int t = state.fixed.get(i).next; t < Math.min(ticks, state.now + AHEAD + 1); t++) {
            int tick = t;
            take(
                    state,
                    state.with(i, new Fixed(true, tick + 1)),
                    tick,
                    tick + 1,
                    () -> "fixed %d issues tick %d".formatted(i, tick),
                    steps);
        }
    }

    private void renewOrEnd(State state, int i, ModelSearch.Steps<State> steps) {
        Row row = state.row;
        int next = state.fixed.get(i).next;
        State ended = state.with(i, new Fixed(false, 0));
        if (row.reservedBy == i + 1) {
            int horizon = has(Trait.FLAT) ? row.horizon : Math.max(row.horizon, next);
            steps.to(
                    state.with(new Row(
                            row.token,
                            has(Trait.FLAT) ? row.horizon : Math.max(horizon, state.now),
                            row.reservedBy,
                            state.now)),
                    () -> "fixed %d renews".formatted(i));
            steps.to(
                    ended.with(new Row(row.token, horizon, NOBODY, row.renewed)),
                    () -> "fixed %d is closed".formatted(i));
        } else {
            steps.to(ended, () -> "fixed %d ends".formatted(i));
        }
        if (has(Trait.KILL)) {
            steps.to(ended, () -> "fixed %d is killed".formatted(i));
        }
    }

    private void unreserve(State state, ModelSearch.Steps<State> steps) {
        Row row = state.row;
        boolean alive = row.reservedBy > NOBODY && state.now < row.renewed + LEASE;
        if (!has(Trait.UNRESERVE) || state.unreserved || !row.isReserved() || (alive && !has(Trait.CARELESS))) {
            return;
        }
        int horizon = Math.max(row.horizon, state.now + AHEAD + 1);
        steps.to(
                new State(
                        new Row(0, horizon, NOT_RESERVED, 0),
                        state.now,
                        state.leases,
                        state.fixed,
                        state.taken,
                        state.acquisitionsLeft,
                        true),
                () -> "the operator ends the reservation, horizon " + horizon);
    }
}
