package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.ReservationCommand.Look;
import io.idgen.core.internal.lease.ReservationCommand.Prepare;
import io.idgen.core.internal.lease.ReservationCommand.Reserve;
import io.idgen.core.internal.lease.ReservationState.Phase;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.RowState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every state of one worker id that two processes lease and other processes use without a lease. The latter reserve its
 * row by {@link ReservationProtocol} as it ships. A tick is one unit of the database's time, which only rises. A lease
 * may end at any moment. The clock of a fixed process shows any tick up to {@value #AHEAD} ahead of the database's.
 * Between two statements of a fixed process, any other step may happen.
 *
 * <p>A running fixed process renews its reservation within {@value #RENEW} ticks, because the model has no outages. It
 * models a lease only as its row shows it; {@link LeaseModel} covers the protocol of leases.
 */
final class ReservationModel implements ModelSearch.Model<ReservationModel.State> {
    private static final int WINDOW = 2;
    private static final int AHEAD = 1;
    private static final int RENEW = 1;

    /** Longer than a renewal interval plus the error of a clock. */
    private static final int LEASE = RENEW + AHEAD + 1;

    private static final int NOT_RESERVED = -1;
    private static final int NOBODY = 0;

    /** The holder of a row whose fixed process no longer runs. */
    private static final int DEAD = Integer.MAX_VALUE;

    /** What a variant adds to the protocol, or omits. */
    enum Trait implements ModelVerdict.Trait {
        KILL("fixed processes may be killed, and new ones may start"),
        TWO("there are two fixed processes"),
        UNRESERVE("once, while no fixed process counts as alive, the operator ends the reservation and raises the"
                + " horizon"),
        BLIND("*broken:* a fixed process starts without reserving the row"),
        LOW("*broken:* a fixed process starts at its clock, even below the horizon"),
        KEPT("*broken:* a reserved row keeps the token of its lease, so that the lease can still be extended"),
        UNOWNED("*broken:* a fixed process does not write its token into the row"),
        FLAT("*broken:* neither a renewal nor a stop raises the horizon"),
        HASTY("*broken:* a successor of a dead process does not wait for one lease time after the last renewal"),
        UNCHECKED("*broken:* a reservation succeeds even if the row has changed since the read"),
        CARELESS("*broken:* the operator does not check whether a fixed process counts as alive");

        private final String meaning;

        Trait(String meaning) {
            this.meaning = meaning;
        }

        @Override
        public String meaning() {
            return meaning;
        }
    }

    /**
     * The row.
     *
     * @param token the token of its lease, or 0
     * @param fence rises with each change of the holder and with each renewal of a reservation
     * @param reservedBy the number of the fixed process that holds it
     * @param renewed when that process reserved it or renewed the reservation
     */
    record Row(int token, int fence, int horizon, int reservedBy, int renewed) {
        boolean isReserved() {
            return reservedBy != NOT_RESERVED;
        }

        Row heldBy(int number) {
            return new Row(token, fence, horizon, number, renewed);
        }
    }

    /** A lease: its token, or 0, and the end of its window. */
    record Lease(int token, int end) {}

    /**
     * A process with the fixed worker id.
     *
     * @param known the state of its protocol
     * @param planned the statement that it sends next, or null between two turns
     * @param next the lowest tick that it may still issue
     */
    record Fixed(
            boolean runs, ReservationState known, @Nullable ReservationCommand planned, int next) {
        static final Fixed ENDED = new Fixed(false, ReservationState.START, null, 0);

        static final Fixed STARTED = new Fixed(true, ReservationState.START, null, 0);

        boolean issues() {
            return runs && known.phase() == Phase.OPEN && known.reserved() != null;
        }

        Fixed planning(@Nullable ReservationCommand command) {
            return new Fixed(runs, known, command, next);
        }

        Fixed knowing(ReservationState state) {
            return new Fixed(runs, state, planned, next);
        }

        Fixed from(int tick) {
            return new Fixed(runs, known, planned, tick);
        }
    }

    /**
     * The state of the model. {@code taken} has a bit for each tick that was granted to a lease or issued by a fixed
     * process.
     */
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

        /** Ends or kills a fixed process. Its row stays reserved. */
        State ending(int i) {
            Row left = row.reservedBy == i + 1 ? row.heldBy(DEAD) : row;
            return with(left).with(i, Fixed.ENDED);
        }
    }

    private final Set<Trait> traits;
    private final int ticks;
    private final int acquisitions;
    private final List<ReservationProtocol> protocols;

    ReservationModel(Set<Trait> traits, int ticks, int acquisitions) {
        this.traits = traits;
        this.ticks = ticks;
        this.acquisitions = acquisitions;
        SnowflakeLayout layout = new SnowflakeLayout(Instant.EPOCH, Duration.ofMillis(1), 41, 0, 10, 12);
        LeaseStore.Terms terms =
                new LeaseStore.Terms("model", layout, 0, 1, Duration.ofMillis(LEASE), Duration.ofMillis(WINDOW));
        this.protocols = List.of(
                new ReservationProtocol(terms, name(1), Duration.ofMillis(RENEW)),
                new ReservationProtocol(terms, name(2), Duration.ofMillis(RENEW)));
    }

    private static String name(int number) {
        return "fixed " + (number == DEAD ? "one that is dead" : number);
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public State start() {
        return new State(
                new Row(0, 0, 0, NOT_RESERVED, 0),
                0,
                Collections.nCopies(2, new Lease(0, 0)),
                Collections.nCopies(has(Trait.TWO) ? 2 : 1, Fixed.ENDED),
                0,
                acquisitions,
                false);
    }

    /** {@inheritDoc} Counts fences relative to the row's, because a process only compares them. */
    @Override
    public Object key(State state) {
        Row row = state.row;
        List<Fixed> fixed = new ArrayList<>();
        for (Fixed each : state.fixed) {
            RowState reserved = each.known.reserved();
            Fixed relative = reserved == null ? each : each.knowing(each.known.renewed(relative(reserved, row)));
            fixed.add(
                    each.planned instanceof Reserve reserve
                            ? relative.planning(new Reserve(
                                    reserve.purpose(),
                                    relative(reserve.seen(), row),
                                    reserve.token(),
                                    reserve.horizonMillis(),
                                    null))
                            : relative);
        }
        return new State(
                new Row(row.token, 0, row.horizon, row.reservedBy, row.renewed),
                state.now,
                state.leases,
                fixed,
                state.taken,
                state.acquisitionsLeft,
                state.unreserved);
    }

    private static RowState relative(RowState seen, Row row) {
        return new RowState(
                seen.nowMillis(),
                seen.fence() == row.fence ? 0 : -1,
                seen.horizonMillis(),
                true,
                true,
                seen.token(),
                0,
                "");
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < state.leases.size(); i++) {
            acquire(state, i, steps);
            extend(state, i, steps);
        }
        for (int i = 0; i < state.fixed.size(); i++) {
            fixed(state, i, steps);
        }
        unreserve(state, steps);
        boolean renewalIsDue = isHeldByRunning(state.row)
                && state.fixed.get(state.row.reservedBy - 1).issues()
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

    private static boolean isHeldByRunning(Row row) {
        return row.reservedBy > NOBODY && row.reservedBy != DEAD;
    }

    private void take(
            State state, State next, int from, int end, Supplier<String> words, ModelSearch.Steps<State> steps) {
        if ((state.taken & State.bits(from, end)) != 0) {
            steps.violation(() -> words.get() + ": a tick is taken twice");
        }
        steps.to(next.taking(from, end), words);
    }

    // ---- leases ----

    private void acquire(State state, int i, ModelSearch.Steps<State> steps) {
        int from = Math.max(state.row.horizon, state.now);
        int end = Math.min(state.now + WINDOW, ticks);
        if (state.row.isReserved() || state.acquisitionsLeft == 0 || from >= end) {
            return;
        }
        int token = acquisitions - state.acquisitionsLeft + 1;
        State next = new State(
                        new Row(token, state.row.fence + 1, end, NOT_RESERVED, 0),
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
            State next = state.with(new Row(row.token, row.fence, end, row.reservedBy, row.renewed))
                    .with(i, new Lease(lease.token, end));
            take(state, next, lease.end, end, () -> "P%d extends to %d".formatted(i, end), steps);
        }
    }

    // ---- fixed processes ----

    private void fixed(State state, int i, ModelSearch.Steps<State> steps) {
        Fixed process = state.fixed.get(i);
        if (!process.runs) {
            steps.to(state.with(i, started(state)), () -> name(i + 1) + " starts");
            return;
        }
        if (process.issues()) {
            issue(state, i, steps);
        }
        if (process.planned instanceof Reserve reserve) {
            ReservationEvent.Reserved answer = answer(state, reserve);
            State applied = answer.accepted() ? applied(state, i, reserve) : state;
            accept(applied, i, answer, steps, () -> words(i, reserve, answer.accepted()));
        } else if (process.known.phase() == Phase.OPEN) {
            accept(state, i, new ReservationEvent.Turn(), steps, () -> name(i + 1) + " rests");
        } else if (process.known.phase() == Phase.CLOSED) {
            accept(state, i, new ReservationEvent.Leave(), steps, () -> name(i + 1) + " ends");
        } else {
            steps.to(state.ending(i), () -> name(i + 1) + " stops");
        }
        if (process.known.phase() == Phase.OPEN) {
            Fixed closed = process.knowing(process.known.in(Phase.CLOSED));
            steps.to(state.with(i, closed), () -> name(i + 1) + " is closed");
        }
        if (has(Trait.KILL)) {
            steps.to(state.ending(i), () -> name(i + 1) + " is killed");
        }
    }

    private Fixed started(State state) {
        if (!has(Trait.BLIND)) {
            return Fixed.STARTED;
        }
        RowState unasked = new RowState(state.now, -1, 0, true, true, null, 0, "");
        int clock = Math.max(0, state.now - AHEAD);
        return new Fixed(true, ReservationState.START.taken(unasked, clock), null, clock);
    }

    private void issue(State state, int i, ModelSearch.Steps<State> steps) {
        Fixed process = state.fixed.get(i);
        for (int t = process.next; t < Math.min(ticks, state.now + AHEAD + 1); t++) {
            int tick = t;
            take(
                    state,
                    state.with(i, process.from(tick + 1)),
                    tick,
                    tick + 1,
                    () -> name(i + 1) + " issues tick " + tick,
                    steps);
        }
    }

    private ReservationEvent.Reserved answer(State state, Reserve reserve) {
        boolean unchanged =
                reserve.seen().fence() == state.row.fence && reserve.seen().horizonMillis() == state.row.horizon;
        return new ReservationEvent.Reserved(reserve, unchanged || has(Trait.UNCHECKED));
    }

    /** Returns the answer of the database to a read. */
    private ReservationEvent answer(State state, int i, ReservationCommand command) {
        Row row = state.row;
        if (command instanceof Prepare) {
            return new ReservationEvent.Prepared(0);
        }
        if (command instanceof Look look) {
            return new ReservationEvent.Looked(look, seen(state), state.fixed.get(i).next - 1);
        }
        throw new AssertionError("there is one server, and this is asked: " + command);
    }

    private RowState seen(State state) {
        Row row = state.row;
        int until = row.renewed + LEASE;
        boolean shown = row.reservedBy > NOBODY && !(row.reservedBy == DEAD && has(Trait.HASTY));
        String holder = shown ? name(row.reservedBy) : null;
        return new RowState(state.now, row.fence, row.horizon, true, row.isReserved(), holder, until, "");
    }

    private State applied(State state, int i, Reserve reserve) {
        Row row = state.row;
        boolean leaves = reserve.token() == null;
        boolean taking = reserve.purpose() == ReservationCommand.Purpose.TAKE;
        int horizon = (has(Trait.FLAT) && !taking) || (has(Trait.KEPT) && taking)
                ? row.horizon
                : (int) Math.max(row.horizon, reserve.horizonMillis());
        return state.with(new Row(
                has(Trait.KEPT) ? row.token : 0,
                row.fence + 1,
                horizon,
                leaves || has(Trait.UNOWNED) ? NOBODY : i + 1,
                leaves ? row.renewed : state.now));
    }

    /**
     * Runs a step of the protocol and the reads that follow it, up to the next update. Until then, no result depends on
     * the time between statements.
     */
    private void accept(
            State state, int i, ReservationEvent event, ModelSearch.Steps<State> steps, Supplier<String> words) {
        Fixed before = state.fixed.get(i);
        ReservationStep step = event.apply(protocols.get(i), before.known);
        Fixed after = before.knowing(step.state()).planning(step.command());
        if (step.notice() == ReservationStep.Notice.RESERVED) {
            int clock = Math.max(0, state.now - AHEAD);
            after = after.from(has(Trait.LOW) ? clock : (int) step.state().floorTick());
        }
        State next = state.with(i, after);
        if (step.command() instanceof Reserve) {
            steps.to(next, words);
        } else if (step.command() != null) {
            accept(next, i, answer(next, i, step.command()), steps, () -> name(i + 1) + " reads the row");
        } else {
            steps.to(isLeaving(event) ? state.ending(i) : next, words);
        }
    }

    private static boolean isLeaving(ReservationEvent event) {
        return event instanceof ReservationEvent.Leave
                || (event instanceof ReservationEvent.Looked looked
                        && looked.command().purpose() == ReservationCommand.Purpose.LEAVE)
                || (event instanceof ReservationEvent.Reserved reserved
                        && reserved.command().purpose() == ReservationCommand.Purpose.LEAVE);
    }

    private static String words(int i, Reserve command, boolean accepted) {
        String what = switch (command.purpose()) {
            case TAKE -> "reservation";
            case RENEW, PROVE -> "renewal";
            case LEAVE -> "reservation without a holder";
        };
        return "%s: the %s is %s, horizon %d"
                .formatted(name(i + 1), what, accepted ? "granted" : "refused", command.horizonMillis());
    }

    // ---- the operator ----

    private void unreserve(State state, ModelSearch.Steps<State> steps) {
        Row row = state.row;
        boolean alive = row.reservedBy > NOBODY && state.now < row.renewed + LEASE;
        if (!has(Trait.UNRESERVE) || state.unreserved || !row.isReserved() || (alive && !has(Trait.CARELESS))) {
            return;
        }
        int horizon = Math.max(row.horizon, state.now + AHEAD + 1);
        steps.to(
                new State(
                        new Row(0, row.fence + 1, horizon, NOT_RESERVED, 0),
                        state.now,
                        state.leases,
                        state.fixed,
                        state.taken,
                        state.acquisitionsLeft,
                        true),
                () -> "the operator ends the reservation, horizon " + horizon);
    }
}
