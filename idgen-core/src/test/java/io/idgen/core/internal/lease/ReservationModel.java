package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.ReservationCommand.Look;
import io.idgen.core.internal.lease.ReservationCommand.Prepare;
import io.idgen.core.internal.lease.ReservationCommand.Purpose;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every state of one worker id that two processes lease and other processes use without a lease. The latter reserve its
 * row by {@link ReservationProtocol} as it ships. A tick is one unit of the database's time, which only rises. A lease
 * may end at any moment. A fixed process may issue any tick below its confirmed horizon at any time: no clock and no
 * timely renewal is assumed. Between two statements of a fixed process, any other step may happen, so it may be stopped
 * or cut off for any time.
 *
 * <p>It models a lease only as its row shows it; {@link LeaseModel} covers the protocol of leases.
 */
final class ReservationModel implements ModelSearch.Model<ReservationModel.State> {
    private static final int WINDOW = 2;

    /** How far ahead of the database's clock the clock of a fixed process may be when it renews. */
    private static final int AHEAD = 1;

    private static final int LEASE = 1;

    /** What a variant adds to the protocol, or omits. */
    enum Trait implements ModelVerdict.Trait {
        KILL("fixed processes may be killed, and new ones may start"),
        TWO("there are two fixed processes"),
        COPY("once, the first fixed process is copied with its memory; repeats below its horizons of that moment do not"
                + " count"),
        LOST("answers may be lost, and a statement may be sent twice and answered once"),
        UNRESERVE("once, while no fixed process counts as alive, the operator ends the reservation and raises the"
                + " horizon"),
        CARELESS("the operator does not check whether a fixed process counts as alive"),
        UNBOUNDED("*broken:* a fixed process issues ids by its clock, also above its confirmed horizon"),
        HEARTBEAT("*broken:* the row has a horizon just above the issued ids, as if time were not reserved ahead"),
        FORMULA("*broken:* the operator sets the horizon by the clock and the gap alone"),
        ONE_TOKEN("*broken:* all statements of a process and of its copy have one token"),
        BLIND("*broken:* a fixed process starts without reserving the row"),
        LOW("*broken:* a fixed process starts at its clock, even below the horizon"),
        KEPT("*broken:* a reserved row keeps the token of its lease, so that the lease can still be extended"),
        UNCHECKED("*broken:* a reservation succeeds even if the row has changed since the read");

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
     * @param reserved whether it is reserved
     * @param holder the token of the fixed process that holds it, or null
     * @param renewed when that process reserved it or renewed the reservation
     */
    record Row(
            int token,
            int fence,
            int horizon,
            boolean reserved,
            @Nullable String holder,
            int renewed) {}

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

        static Fixed started(int i) {
            return new Fixed(true, ReservationState.acquiring(name(i)), null, 0);
        }

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
     * process. Repeats below {@code spared} do not count; 0 before a process is copied.
     */
    record State(
            Row row,
            int now,
            List<Lease> leases,
            List<Fixed> fixed,
            int taken,
            int acquisitionsLeft,
            boolean unreserved,
            int spared) {

        State with(Row newRow) {
            return new State(newRow, now, leases, fixed, taken, acquisitionsLeft, unreserved, spared);
        }

        State with(int i, Lease lease) {
            List<Lease> changed = new ArrayList<>(leases);
            changed.set(i, lease);
            return new State(row, now, changed, fixed, taken, acquisitionsLeft, unreserved, spared);
        }

        State with(int i, Fixed process) {
            List<Fixed> changed = new ArrayList<>(fixed);
            changed.set(i, process);
            return new State(row, now, leases, changed, taken, acquisitionsLeft, unreserved, spared);
        }

        State taking(int from, int end) {
            return new State(row, now, leases, fixed, taken | bits(from, end), acquisitionsLeft, unreserved, spared);
        }

        static int bits(int from, int end) {
            return (1 << end) - (1 << from);
        }

        /** Ends or kills a fixed process. Its row stays reserved. */
        State ending(int i) {
            return with(i, Fixed.ENDED);
        }
    }

    private final Set<Trait> traits;
    private final int ticks;
    private final int acquisitions;
    private final ReservationProtocol protocol;

    ReservationModel(Set<Trait> traits, int ticks, int acquisitions) {
        this.traits = traits;
        this.ticks = ticks;
        this.acquisitions = acquisitions;
        SnowflakeLayout layout = new SnowflakeLayout(Instant.EPOCH, Duration.ofMillis(1), 41, 0, 10, 12);
        LeaseStore.Terms terms =
                new LeaseStore.Terms("model", layout, 0, 1, Duration.ofMillis(LEASE), Duration.ofMillis(WINDOW));
        this.protocol = new ReservationProtocol(terms, Duration.ofMillis(1), false, 0);
    }

    private static String name(int i) {
        return "fixed " + (i + 1);
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public State start() {
        return new State(
                new Row(0, 0, 0, false, null, 0),
                0,
                Collections.nCopies(2, new Lease(0, 0)),
                Collections.nCopies(has(Trait.TWO) || has(Trait.COPY) ? 2 : 1, Fixed.ENDED),
                0,
                acquisitions,
                false,
                0);
    }

    /** {@inheritDoc} Counts fences relative to the row's, because a process only compares them. */
    @Override
    public Object key(State state) {
        Row row = state.row;
        List<Fixed> fixed = new ArrayList<>();
        for (Fixed each : state.fixed) {
            Fixed relative = each.knowing(relative(each.known, row));
            fixed.add(
                    each.planned instanceof Reserve reserve
                            ? relative.planning(new Reserve(
                                    reserve.purpose(),
                                    relative(reserve.seen(), row),
                                    reserve.token(),
                                    reserve.horizonMillis(),
                                    reserve.floorTick()))
                            : relative);
        }
        return new State(
                new Row(row.token, 0, row.horizon, row.reserved, row.holder, row.renewed),
                state.now,
                state.leases,
                fixed,
                state.taken,
                state.acquisitionsLeft,
                state.unreserved,
                state.spared);
    }

    /** Leaves out statements that can match no more. */
    private static ReservationState relative(ReservationState known, Row row) {
        RowState reserved = known.reserved();
        Set<ReservationState.Asked> asked = known.asked().stream()
                .filter(each -> each.fence() >= row.fence)
                .map(each -> new ReservationState.Asked(
                        each.token(), each.fence() - row.fence, each.horizonMillis(), each.floorTick()))
                .collect(Collectors.toSet());
        return new ReservationState(
                known.phase(),
                known.token(),
                reserved == null ? null : relative(reserved, row),
                known.floorTick(),
                asked);
    }

    private static RowState relative(RowState seen, Row row) {
        return new RowState(
                0, seen.fence() == row.fence ? 0 : -1, seen.horizonMillis(), true, true, seen.token(), 0, "");
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
        copy(state, steps);
        if (state.now < ticks - 1) {
            State later = new State(
                    state.row,
                    state.now + 1,
                    state.leases,
                    state.fixed,
                    state.taken,
                    state.acquisitionsLeft,
                    state.unreserved,
                    state.spared);
            steps.to(later, () -> "the database's time is " + later.now);
        }
    }

    private void take(
            State state, State next, int from, int end, Supplier<String> words, ModelSearch.Steps<State> steps) {
        if ((state.taken & State.bits(from, end) & -(1 << state.spared)) != 0) {
            steps.violation(() -> words.get() + ": a tick is taken twice");
        }
        steps.to(next.taking(from, end), words);
    }

    // ---- leases ----

    private void acquire(State state, int i, ModelSearch.Steps<State> steps) {
        int from = Math.max(state.row.horizon, state.now);
        int end = Math.min(state.now + WINDOW, ticks);
        if (state.row.reserved || state.acquisitionsLeft == 0 || from >= end) {
            return;
        }
        int token = acquisitions - state.acquisitionsLeft + 1;
        State next = new State(
                        new Row(token, state.row.fence + 1, end, false, null, 0),
                        state.now,
                        state.leases,
                        state.fixed,
                        state.taken,
                        state.acquisitionsLeft - 1,
                        state.unreserved,
                        state.spared)
                .with(i, new Lease(token, end));
        take(state, next, from, end, () -> "P%d leases [%d,%d)".formatted(i, from, end), steps);
    }

    private void extend(State state, int i, ModelSearch.Steps<State> steps) {
        Lease lease = state.leases.get(i);
        Row row = state.row;
        int end = Math.min(state.now + WINDOW, ticks);
        boolean mine = lease.token > 0 && lease.token == row.token && lease.end == row.horizon;
        if (mine && lease.end < end) {
            State next = state.with(new Row(row.token, row.fence, end, row.reserved, row.holder, row.renewed))
                    .with(i, new Lease(lease.token, end));
            take(state, next, lease.end, end, () -> "P%d extends to %d".formatted(i, end), steps);
        }
    }

    // ---- fixed processes ----

    private void fixed(State state, int i, ModelSearch.Steps<State> steps) {
        Fixed process = state.fixed.get(i);
        if (!process.runs) {
            if (!has(Trait.COPY) || i == 0) {
                steps.to(state.with(i, started(state, i)), () -> name(i) + " starts");
            }
            return;
        }
        if (process.issues()) {
            issue(state, i, steps);
        }
        if (process.planned instanceof Reserve reserve) {
            ReservationEvent.Reserved answer = answer(state, reserve);
            State applied = answer.accepted() ? applied(state, i, reserve) : state;
            accept(applied, i, answer, steps, () -> words(i, reserve, answer.accepted()));
            if (has(Trait.LOST)) {
                Fixed unaware = process.planning(null);
                State lost = reserve.purpose() == Purpose.LEAVE ? applied.ending(i) : applied.with(i, unaware);
                steps.to(lost, () -> words(i, reserve, answer.accepted()) + ", without an answer");
                accept(
                        applied,
                        i,
                        new ReservationEvent.Reserved(reserve, false),
                        steps,
                        () -> words(i, reserve, answer.accepted()) + ", sent again and refused");
            }
        } else if (process.known.phase() == Phase.OPEN) {
            accept(state, i, new ReservationEvent.Turn(), steps, () -> name(i) + " rests");
        } else if (process.known.phase() == Phase.CLOSED) {
            accept(state, i, new ReservationEvent.Leave(), steps, () -> name(i) + " ends");
        } else {
            steps.to(state.ending(i), () -> name(i) + " stops");
        }
        if (process.known.phase() == Phase.OPEN) {
            Fixed closed = process.knowing(process.known.in(Phase.CLOSED));
            steps.to(state.with(i, closed), () -> name(i) + " is closed");
        }
        if (has(Trait.KILL)) {
            steps.to(state.ending(i), () -> name(i) + " is killed");
        }
    }

    private Fixed started(State state, int i) {
        if (!has(Trait.BLIND)) {
            return Fixed.started(i);
        }
        RowState unasked = new RowState(state.now, -1, state.now + LEASE, true, true, null, 0, "");
        ReservationState known = ReservationState.acquiring(name(i)).confirmed(unasked, state.now);
        return new Fixed(true, known, null, state.now);
    }

    private void issue(State state, int i, ModelSearch.Steps<State> steps) {
        Fixed process = state.fixed.get(i);
        long end = has(Trait.UNBOUNDED) ? state.now + AHEAD + 1 : protocol.lastClockTick(process.known) + 1;
        for (int t = process.next; t < Math.min(ticks, end); t++) {
            int tick = t;
            take(
                    state,
                    state.with(i, process.from(tick + 1)),
                    tick,
                    tick + 1,
                    () -> name(i) + " issues tick " + tick,
                    steps);
        }
    }

    private ReservationEvent.Reserved answer(State state, Reserve reserve) {
        boolean unchanged = reserve.seen().fence() == state.row.fence
                && (reserve.seen().horizonMillis() == state.row.horizon || has(Trait.HEARTBEAT));
        return new ReservationEvent.Reserved(reserve, unchanged || has(Trait.UNCHECKED));
    }

    /** Returns the answer of the database to a read, at a time of the host's clock. */
    private ReservationEvent answer(State state, int i, ReservationCommand command, int hostMillis) {
        if (command instanceof Prepare) {
            return new ReservationEvent.Prepared(0);
        }
        if (command instanceof Look look) {
            RowState seen = seen(state);
            Fixed process = state.fixed.get(i);
            return new ReservationEvent.Looked(
                    look,
                    seen,
                    process.known.floorTickIn(seen),
                    process.next - 1,
                    hostMillis,
                    has(Trait.ONE_TOKEN) ? "0" : String.valueOf(i + 1));
        }
        throw new AssertionError("there is one server, and this is asked: " + command);
    }

    private RowState seen(State state) {
        Row row = state.row;
        int until = row.renewed + LEASE;
        return new RowState(state.now, row.fence, row.horizon, true, row.reserved, row.holder, until, "");
    }

    private State applied(State state, int i, Reserve reserve) {
        Row row = state.row;
        boolean leaves = reserve.token() == null;
        boolean kept = has(Trait.KEPT) && reserve.purpose() == Purpose.TAKE;
        int heartbeat = Math.max(row.horizon, Math.max(state.fixed.get(i).next, state.now));
        int horizon = kept ? row.horizon : has(Trait.HEARTBEAT) ? heartbeat : (int) reserve.horizonMillis();
        return state.with(new Row(
                has(Trait.KEPT) ? row.token : 0,
                row.fence + 1,
                horizon,
                true,
                reserve.token(),
                leaves ? row.renewed : state.now));
    }

    /**
     * Runs a step of the protocol and the reads that follow it, up to the next update. Until then, no result depends on
     * the time between statements.
     */
    private void accept(
            State state, int i, ReservationEvent event, ModelSearch.Steps<State> steps, Supplier<String> words) {
        Fixed before = state.fixed.get(i);
        ReservationStep step = event.apply(protocol, before.known);
        Fixed after = before.knowing(step.state()).planning(step.command());
        if (step.notice() == ReservationStep.Notice.RESERVED) {
            int clock = Math.max(0, state.now - AHEAD);
            after = after.from(has(Trait.LOW) ? clock : (int) step.state().floorTick());
        }
        State next = state.with(i, after);
        if (step.command() instanceof Reserve) {
            steps.to(next, words);
        } else if (step.command() != null) {
            accept(next, i, answer(next, i, step.command(), state.now), steps, () -> name(i) + " reads the row");
            if (step.command() instanceof Look) {
                accept(
                        next,
                        i,
                        answer(next, i, step.command(), state.now + AHEAD),
                        steps,
                        () -> name(i) + " reads the row, with a clock that is ahead");
            }
        } else {
            steps.to(isLeaving(event) ? state.ending(i) : next, words);
        }
    }

    private static boolean isLeaving(ReservationEvent event) {
        return event instanceof ReservationEvent.Leave
                || (event instanceof ReservationEvent.Looked looked
                        && looked.command().purpose() == Purpose.LEAVE)
                || (event instanceof ReservationEvent.Reserved reserved
                        && reserved.command().purpose() == Purpose.LEAVE);
    }

    private static String words(int i, Reserve command, boolean accepted) {
        String what = switch (command.purpose()) {
            case TAKE -> "reservation";
            case RENEW, PROVE -> "renewal";
            case LEAVE -> "reservation without a holder";
        };
        return "%s: the %s is %s, horizon %d"
                .formatted(name(i), what, accepted ? "granted" : "refused", command.horizonMillis());
    }

    // ---- copies ----

    private void copy(State state, ModelSearch.Steps<State> steps) {
        Fixed first = state.fixed.get(0);
        if (!has(Trait.COPY) || state.spared > 0 || !first.issues() || state.fixed.get(1).runs) {
            return;
        }
        long asked = first.known.asked().stream()
                .mapToLong(ReservationState.Asked::horizonMillis)
                .max()
                .orElse(0);
        RowState reserved = first.known.reserved();
        long known = reserved == null ? 0 : reserved.horizonMillis();
        State next = state.with(1, first);
        State copied = new State(
                next.row, next.now, next.leases, next.fixed, next.taken, next.acquisitionsLeft, next.unreserved, (int)
                        Math.min(ticks, Math.max(asked, known)));
        steps.to(copied, () -> "fixed 1 is copied, as fixed 2");
    }

    // ---- the operator ----

    private void unreserve(State state, ModelSearch.Steps<State> steps) {
        Row row = state.row;
        boolean alive = row.holder != null && state.now < row.renewed + LEASE;
        if (!has(Trait.UNRESERVE) || state.unreserved || !row.reserved || (alive && !has(Trait.CARELESS))) {
            return;
        }
        int gap = state.now + 1;
        int horizon = has(Trait.FORMULA) ? gap : Math.max(row.horizon, gap);
        steps.to(
                new State(
                        new Row(0, row.fence + 1, horizon, false, null, 0),
                        state.now,
                        state.leases,
                        state.fixed,
                        state.taken,
                        state.acquisitionsLeft,
                        true,
                        state.spared),
                () -> "the operator ends the reservation, horizon " + horizon);
    }
}
