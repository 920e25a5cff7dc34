package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.internal.lease.LeaseCommand.Release;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.lease.LeaseState.LeasePhase;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every state of some processes that lease one worker id by {@link LeaseProtocol} as it ships. The adversary decides
 * what each clock shows: each reading, by a process or by the database, may return any value. A process may pause for
 * any time between two steps. It may crash, and start again without any memory. Its lease may be taken over at any
 * moment. A statement may be applied and answered, or stay unanswered and be applied at once, at any later time, or
 * never.
 *
 * <p>An issued id is modelled as its tick, because the sequence within a tick is a counter of one process that only
 * rises. {@link #issue} checks the promise: no tick is issued twice.
 */
final class LeaseModel implements ModelSearch.Model<LeaseModel.State> {

    /** What a variant adds to the protocol, or omits. */
    enum Trait {
        /**
         * A process may close; its release lowers the horizon to the tick after the last one issued, or to the start
         * of its acquisition.
         */
        RELEASE,
        /** A process is suspended for checkpoints, and it is copied once between a checkpoint and the restore. */
        HOOK,
        /** A process is copied once; the copy discards the rest of its window, and both processes have the token. */
        CLONE,
        /** A replica takes over once, and lacks any number of the last commits. */
        FAILOVER,
        /** Before an acquisition, a row of another server is advanced above all windows that were ever granted. */
        GAP,
        /** A second failover returns to the first server. */
        FAILBACK,
        /** A tick is 2 units of the database's clock; windows begin and end at tick boundaries. */
        COARSE,
        /**
         * A layer between process and database sends a statement twice: the process may receive the answer of the
         * second one, or the second one may arrive later.
         */
        TWICE,
        /** Broken: after a refused extension, the process does not remember the horizon that it asked for. */
        FORGETFUL,
        /** Broken: an extension compares the token but not the horizon. */
        NO_CAS,
        /**
         * Broken: after an extension without an answer, or a refused one, the process reads the row and uses the
         * window that it finds.
         */
        ADOPT,
        /** Broken: a close does not seal the window, so the process issues ids after its release. */
        UNSEALED,
        /** Broken: a release compares the token but not the horizon. */
        BARE,
        /** Broken: a release lowers the horizon to the tick after the last one issued, even below its acquisition. */
        BELOW,
        /** Broken: as gap, one tick too short. */
        SHORT_GAP,
        /** Broken: windows do not begin and end at tick boundaries. */
        UNROUNDED,
        /** Broken: a process whose row was taken keeps looking at it. */
        STUBBORN,
        /** Broken: no process fences off a row of another server. */
        UNFENCED
    }

    /** How far ahead of the database's clock a window may end, in ticks. */
    static final int WINDOW_TICKS = 2;

    static final int NO_TOKEN = 0;

    /** The worker id's row. */
    record Row(int token, int fence, long horizon, int server) {}

    /** The ticks from {@code lo} up to {@code hi}; {@code lo} rises as they are issued. */
    record Span(long lo, long hi) {
        static final Span NONE = new Span(0, 0);

        boolean isEmpty() {
            return lo >= hi;
        }

        Span sealed() {
            return new Span(lo, lo);
        }
    }

    /**
     * A process.
     *
     * @param window the window that it issues from; ticks below {@code lo} are issued or skipped
     * @param planned the statement that it sends next, or null between two turns
     */
    record Process(LeaseState lease, Span window, @Nullable LeaseCommand planned) {
        static final Process FRESH = new Process(LeaseState.START, Span.NONE, null);

        Process with(LeaseState newLease) {
            return new Process(newLease, window, planned);
        }

        Process with(Span newWindow) {
            return new Process(lease, newWindow, planned);
        }

        Process planning(@Nullable LeaseCommand command) {
            return new Process(lease, window, command);
        }

        /** Returns a fresh process if this one has nothing left. */
        Process settled() {
            return lease.generation(LeaseState.NO_GENERATION).equals(LeaseState.START)
                            && window.isEmpty()
                            && planned == null
                    ? FRESH
                    : this;
        }

        long highestTick() {
            return window.lo() - 1;
        }
    }

    /**
     * The database.
     *
     * @param replica the row with which a failover continues; without failovers, the row itself
     * @param server the identity of the server that answers
     * @param highest the highest horizon ever granted, with failovers
     */
    record Database(Row row, Row replica, int server, long highest) {
        Database with(Row newRow) {
            return new Database(newRow, replica, server, highest);
        }

        Database caughtUp() {
            return new Database(row, row, server, highest);
        }

        Database failedOver(int newServer) {
            return new Database(replica, replica, newServer, highest);
        }
    }

    /** The ticks that were issued, one bit each. */
    record Ticks(int issued) {
        boolean repeats(long tick) {
            return (issued >> tick & 1) != 0;
        }

        Ticks issue(long tick) {
            return new Ticks(issued | 1 << tick);
        }
    }

    /** How often each of these may still happen. */
    record Left(int acquisitions, int copies, int failovers) {
        Left afterAcquisition() {
            return new Left(acquisitions - 1, copies, failovers);
        }

        Left afterCopy() {
            return new Left(acquisitions, copies - 1, failovers);
        }

        Left afterFailover() {
            return new Left(acquisitions, copies, failovers - 1);
        }
    }

    /**
     * The state of the model. Statements in {@code underWay} were sent and not answered; they may reach the row at any
     * time.
     */
    record State(Database database, List<Process> processes, Ticks ticks, List<LeaseCommand> underWay, Left left) {
        Row row() {
            return database.row();
        }

        State with(Database changed) {
            return new State(changed, processes, ticks, underWay, left);
        }

        State with(Row row) {
            return with(database.with(row));
        }

        State with(int i, Process process) {
            List<Process> changed = new ArrayList<>(processes);
            changed.set(i, process.settled());
            return new State(database, changed, ticks, underWay, left);
        }

        State with(Ticks changed) {
            return new State(database, processes, changed, underWay, left);
        }

        State with(Left changed) {
            return new State(database, processes, ticks, underWay, changed);
        }

        State sent(LeaseCommand statement) {
            var more = Stream.concat(underWay.stream(), Stream.of(statement)).distinct();
            return new State(database, processes, ticks, more.toList(), left);
        }

        boolean isUnderWay(Class<? extends LeaseCommand> kind) {
            return underWay.stream().anyMatch(kind::isInstance);
        }

        State filtered(Predicate<LeaseCommand> kept) {
            if (underWay.isEmpty()) {
                return this;
            }
            return new State(
                    database, processes, ticks, underWay.stream().filter(kept).toList(), left);
        }
    }

    private final Set<Trait> traits;
    private final int processes;
    private final int acquisitions;

    /** Milliseconds per tick, and per unit of the database's clock. */
    private final long tickMillis;

    private final long unitMillis;
    private final long endMillis;
    private final boolean failovers;
    private final boolean guarded;
    private final LeaseProtocol protocol;

    /** What the row that was read last is fenced off above, in place of the gap. */
    private long beyond;

    LeaseModel(Set<Trait> traits, int ticks, int processes, int acquisitions) {
        this.traits = traits;
        this.processes = processes;
        this.acquisitions = acquisitions;
        this.tickMillis = has(Trait.COARSE) ? 10 : 1;
        this.unitMillis = has(Trait.COARSE) ? 5 : 1;
        this.endMillis = ticks * tickMillis;
        this.failovers = has(Trait.FAILOVER);
        this.guarded = has(Trait.GAP) || has(Trait.SHORT_GAP);
        SnowflakeLayout layout = new SnowflakeLayout(
                Instant.EPOCH,
                Duration.ofMillis(tickMillis),
                has(Trait.COARSE) ? 56 : 58,
                0,
                3,
                has(Trait.COARSE) ? 4 : 2);
        Duration window = Duration.ofMillis(WINDOW_TICKS * tickMillis);
        LeaseTerms terms = new LeaseTerms("model", layout, 0, 1, Set.of(), window, window);
        this.protocol = new Variant(terms);
    }

    LeaseProtocol protocol() {
        return protocol;
    }

    long millis(long tick) {
        return tick * tickMillis;
    }

    /** Returns the first tick above all that the row or a process may have, rounded up. */
    long highestTick(State state) {
        long millis = state.row().horizon();
        for (Process process : state.processes()) {
            Holding holding = process.lease().holding();
            millis = Math.max(millis, process.window().hi() * tickMillis);
            millis = holding == null ? millis : Math.max(millis, holding.lease().horizonMillis());
        }
        return (millis + tickMillis - 1) / tickMillis;
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** Returns whether two processes may have one token, or a process may misread its own row. */
    private boolean mayStop() {
        return has(Trait.CLONE) || has(Trait.ADOPT);
    }

    private RowRules rules(SnowflakeLayout layout) {
        return new RowRules(layout, Duration.ZERO) {
            @Override
            long up(long millis) {
                return has(Trait.UNROUNDED) ? millis : super.up(millis);
            }

            @Override
            long down(long millis) {
                return has(Trait.UNROUNDED) ? millis : super.down(millis);
            }
        };
    }

    /** The protocol, with the broken rules of a variant. */
    private final class Variant extends LeaseProtocol {
        Variant(LeaseTerms terms) {
            super(terms, rules(terms.layout()));
        }

        @Override
        FenceOff fenceOff(LeaseStore.Row row, long nowMillis, Duration pause) {
            return new FenceOff(row, rules.up(Math.max(row.horizonMillis(), Math.max(nowMillis, beyond))), pause);
        }

        @Override
        LeaseStep looked(LeaseState state, Lease lease, LeaseStore.@Nullable LeaseView view) {
            Holding holding = state.holding();
            if (has(Trait.ADOPT) && holding != null && !holding.asked().isEmpty() && view != null && view.held()) {
                return LeaseStep.rest(state.holding(holding.extendedTo(view.horizonMillis())), Duration.ZERO);
            }
            return has(Trait.STUBBORN) && view != null && !view.held()
                    ? LeaseStep.rest(state, Duration.ZERO)
                    : super.looked(state, lease, view);
        }

        @Override
        List<LeaseStore.Row> foreign(LeaseStore.Candidates candidates) {
            return has(Trait.UNFENCED) ? List.of() : super.foreign(candidates);
        }

        @Override
        LeaseStep extended(LeaseState state, Extend command, boolean granted) {
            return has(Trait.FORGETFUL) && !granted
                    ? LeaseStep.rest(state, Duration.ZERO)
                    : super.extended(state, command, granted);
        }

        @Override
        LeaseStep release(LeaseState state, long highestTick) {
            Holding holding = state.holding();
            if (has(Trait.BELOW) && holding != null) {
                long unused =
                        Math.min((highestTick + 1) * tickMillis, holding.lease().horizonMillis());
                return LeaseStep.send(state.discarded(), new Release(holding.lease(), unused));
            }
            return super.release(state, highestTick);
        }

        @Override
        long firstTick(long startMillis) {
            return has(Trait.UNROUNDED) ? startMillis / tickMillis : super.firstTick(startMillis);
        }

        @Override
        long endTick(Holding holding) {
            long horizon = holding.lease().horizonMillis();
            return has(Trait.UNROUNDED) ? (horizon + tickMillis - 1) / tickMillis : super.endTick(holding);
        }
    }

    @Override
    public State start() {
        Row row = new Row(NO_TOKEN, 0, 0, 0);
        boolean copies = has(Trait.HOOK) || has(Trait.CLONE);
        Left left = new Left(acquisitions, copies ? 1 : 0, (failovers ? 1 : 0) + (has(Trait.FAILBACK) ? 1 : 0));
        List<Process> fresh = Collections.nCopies(processes, Process.FRESH);
        return new State(new Database(row, row, 0, 0), fresh, new Ticks(0), List.of(), left);
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < processes; i++) {
            int process = i;
            if (state.processes().get(i).lease().phase() == LeasePhase.STOPPED && !mayStop()) {
                steps.violation(() -> "P%d stops although no copy of it runs".formatted(process));
            }
            issue(state, i, steps);
            swap(state, i, steps);
            turn(state, i, steps);
            send(state, i, steps);
            leave(state, i, steps);
            copy(state, i, steps);
            crash(state, i, steps);
        }
        late(state, steps);
        failOver(state, steps);
    }

    /** Issues any tick of the window, because the clock may show any. Checks that no tick is issued twice. */
    private void issue(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        for (long tick = process.window().lo(); tick < process.window().hi(); tick++) {
            long issued = tick;
            if (state.ticks().repeats(tick)) {
                steps.violation(() -> "P%d issues tick %d again".formatted(i, issued));
            }
            Span rest = new Span(tick + 1, process.window().hi());
            go(
                    state.with(state.ticks().issue(tick)).with(i, process.with(rest)),
                    () -> "P%d issues tick %d".formatted(i, issued),
                    steps);
        }
    }

    /**
     * Seals the window in use and opens the one of the held row. This may happen at any time, because a clock decides.
     */
    private void swap(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (!protocol.isDue(
                process.lease(), process.highestTick(), process.window().isEmpty(), Long.MAX_VALUE)) {
            return;
        }
        LeaseProtocol.NextWindow opening = protocol.opening(process.lease(), process.highestTick());
        if (opening == null) {
            go(
                    state.with(i, process.with(process.window().sealed())),
                    () -> "P%d seals its window".formatted(i),
                    steps);
            return;
        }
        Span window = new Span(opening.firstTick(), opening.endTick());
        Process opened = new Process(protocol.opened(process.lease()), window, process.planned());
        go(state.with(i, opened), () -> "P%d opens %s".formatted(i, text(window)), steps);
    }

    /**
     * Runs a turn up to the first statement that changes the row. The result of a read may be out of date when that
     * statement is sent.
     */
    private void turn(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (process.planned() != null || !process.lease().goesOn()) {
            return;
        }
        LeaseCommand first = protocol.turn(process.lease()).command();
        for (long now = 0; now < endMillis; now += unitMillis) {
            LeaseEvent read =
                    first instanceof LeaseCommand.LookAtRow look ? looked(state, look, now) : found(state, now);
            LeaseStep step = read.apply(protocol, process.lease());
            if (isBeyondTheEnd(step.command())
                    || (step.command() instanceof Acquire && state.left().acquisitions() == 0)) {
                continue;
            }
            String words = words(step);
            go(state.with(i, after(process, step)), () -> "P%d %s".formatted(i, words), steps);
        }
    }

    private boolean isBeyondTheEnd(@Nullable LeaseCommand command) {
        return command instanceof Acquire acquire && acquire.lease().horizonMillis() > endMillis
                || command instanceof Extend extend && extend.horizonMillis() > endMillis;
    }

    LeaseEvent.RowsFound found(State state, long now) {
        Row row = state.row();
        long highest = state.database().highest() - (has(Trait.SHORT_GAP) ? tickMillis : 0);
        LeaseStore.Row candidate = new LeaseStore.Row(
                0, row.fence(), row.horizon(), isSameServer(state), row.token() != NO_TOKEN, 0, null);
        beyond = highest;
        LeaseStore.Candidates candidates = new LeaseStore.Candidates(now, List.of(candidate), "");
        return new LeaseEvent.RowsFound(candidates, String.valueOf(freshToken(state)), 0);
    }

    LeaseEvent looked(State state, LeaseCommand.LookAtRow look, long now) {
        Row row = state.row();
        boolean held = token(look.lease()) == row.token();
        LeaseStore.LeaseView view = new LeaseStore.LeaseView(now, held, row.horizon(), isSameServer(state), 0, false);
        return new LeaseEvent.Looked(look.lease(), view);
    }

    /** Returns the process after a step. A lookup for another row belongs to the next turn. */
    Process after(Process process, LeaseStep step) {
        Span window = process.window();
        LeaseState lease = step.state();
        Holding holding = lease.holding();
        if (lease.phase() == LeasePhase.STOPPED) {
            window = window.sealed();
        } else if (lease.goesOn() && holding != null && holding.inUse() && protocol.endTick(holding) > window.hi()) {
            window = new Span(window.lo(), protocol.endTick(holding));
        }
        boolean changes =
                !(step.command() instanceof LeaseCommand.FindRows) && !(step.command() instanceof LeaseCommand.Renew);
        return new Process(lease, window, changes ? step.command() : null);
    }

    private void send(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        LeaseCommand statement = process.planned();
        if (statement == null) {
            return;
        }
        boolean matches = matches(statement, state);
        if (statement instanceof Acquire && state.left().acquisitions() == 0) {
            matches = false;
        }
        boolean applied = matches;
        State answered = matches ? applied(statement, state) : state;
        go(
                answered.with(i, afterAnswer(process.planning(null), answer(statement, matches))),
                () -> "P%d: the %s is %s".formatted(i, words(statement), applied ? "granted" : "refused"),
                steps);
        Process unsure = afterAnswer(process.planning(null), new LeaseEvent.Unanswered(statement));
        if (matches) {
            go(
                    applied(statement, state).with(i, unsure),
                    () -> "P%d: the %s is applied, and its answer is lost".formatted(i, words(statement)),
                    steps);
        }
        if (matches && has(Trait.TWICE)) {
            go(
                    applied(statement, state).with(i, afterAnswer(process.planning(null), answer(statement, false))),
                    () -> "P%d: the %s is applied, and sent again and refused".formatted(i, words(statement)),
                    steps);
            go(
                    applied(statement, state)
                            .sent(statement)
                            .with(i, afterAnswer(process.planning(null), answer(statement, true))),
                    () -> "P%d: the %s is granted, and sent again".formatted(i, words(statement)),
                    steps);
        }
        LeaseCommand late = statement instanceof Acquire acquire ? forgotten(acquire) : statement;
        boolean isOneMore = late instanceof Acquire && state.isUnderWay(Acquire.class)
                || late instanceof FenceOff && state.isUnderWay(FenceOff.class);
        go(
                (isOneMore ? state : state.sent(late)).with(i, unsure),
                () -> "P%d sends the %s and receives no answer".formatted(i, words(statement)),
                steps);
    }

    /** Returns the acquisition with a token that no process knows. */
    private static Acquire forgotten(Acquire acquire) {
        Lease lease = acquire.lease();
        Lease nobodys =
                new Lease(lease.workerId(), lease.fence(), String.valueOf(NO_TOKEN), lease.horizonMillis(), 0, null);
        return new Acquire(acquire.row(), acquire.token(), nobodys, acquire.startMillis());
    }

    static LeaseEvent answer(LeaseCommand statement, boolean granted) {
        return new LeaseEvent.Answered((LeaseCommand.RowChange) statement, granted);
    }

    private Process afterAnswer(Process process, LeaseEvent event) {
        Process next = after(process, event.apply(protocol, process.lease()));
        return next.lease().phase() == LeasePhase.CLOSED && next.lease().releases() == 0 ? ended(next) : next;
    }

    /** Ends a process whose source is closed and whose row is released. */
    private Process ended(Process process) {
        return has(Trait.UNSEALED) ? process.with(LeaseState.START) : Process.FRESH;
    }

    /** Closes a process, or makes a checkpoint and restores it. Seals the window first. */
    private void leave(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        LeaseState lease = process.lease();
        Span sealed = has(Trait.UNSEALED) ? process.window() : process.window().sealed();
        if (!process.equals(Process.FRESH) && lease.phase() == LeasePhase.OPEN) {
            if (has(Trait.RELEASE)) {
                go(
                        state.with(
                                i,
                                process.with(lease.leaving(LeasePhase.CLOSED)).with(sealed)),
                        () -> "P%d closes".formatted(i),
                        steps);
            }
            if (has(Trait.HOOK) && lease.releases() == 0) {
                go(
                        state.with(
                                i,
                                process.with(lease.leaving(LeasePhase.SUSPENDED))
                                        .with(sealed)),
                        () -> "P%d is suspended".formatted(i),
                        steps);
            }
        }
        if (process.planned() == null && lease.releases() > 0) {
            LeaseStep step = protocol.release(lease, process.highestTick());
            Process left = new Process(step.state().left(), process.window(), step.command());
            boolean over = left.planned() == null && left.lease().phase() == LeasePhase.CLOSED;
            go(
                    state.with(i, over ? ended(left) : left),
                    () -> "P%d plans %s"
                            .formatted(i, left.planned() == null ? "no release" : "the " + words(left.planned())),
                    steps);
        }
        if (lease.phase() == LeasePhase.SUSPENDED) {
            go(state.with(i, process.with(lease.resumed())), () -> "P%d is restored".formatted(i), steps);
        }
    }

    private void copy(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (state.left().copies() == 0 || process.equals(Process.FRESH)) {
            return;
        }
        boolean checkpoint = process.lease().phase() == LeasePhase.SUSPENDED
                && process.lease().releases() == 0
                && process.planned() == null;
        if (has(Trait.HOOK) && !checkpoint) {
            return;
        }
        for (int j = 0; j < processes; j++) {
            int to = j;
            if (state.processes().get(j).equals(Process.FRESH)) {
                go(
                        state.with(state.left().afterCopy()).with(j, copyOf(process)),
                        () -> "P%d is copied to P%d".formatted(i, to),
                        steps);
            }
        }
    }

    /** Returns a copy of a process. Its connections are broken, so it receives no answer. */
    private Process copyOf(Process process) {
        Process copy = process.planned() == null
                ? process
                : afterAnswer(process.planning(null), new LeaseEvent.Unanswered(process.planned()));
        Holding holding = copy.lease().holding();
        if (has(Trait.CLONE)) {
            if (holding != null) {
                long end = protocol.endTick(holding);
                Holding rest = holding.inUse() ? holding : new Holding(holding.lease(), end, false, holding.asked());
                long from = holding.inUse() ? copy.window().hi() : copy.window().lo();
                return copy.with(copy.lease().holding(rest)).with(new Span(from, from));
            }
            return copy.with(copy.window().sealed());
        }
        return copy;
    }

    private static boolean isQueued(Process process) {
        Holding holding = process.lease().holding();
        return holding != null && !holding.inUse();
    }

    private Span queued(Process process) {
        Holding holding = process.lease().holding();
        return holding != null && !holding.inUse()
                ? new Span(holding.firstTick(), protocol.endTick(holding))
                : Span.NONE;
    }

    private void crash(State state, int i, ModelSearch.Steps<State> steps) {
        if (!state.processes().get(i).equals(Process.FRESH)) {
            go(state.with(i, Process.FRESH), () -> "P%d crashes".formatted(i), steps);
        }
    }

    private void late(State state, ModelSearch.Steps<State> steps) {
        for (LeaseCommand statement : state.underWay()) {
            if (matches(statement, state)
                    && (!(statement instanceof Acquire) || state.left().acquisitions() > 0)) {
                go(
                        applied(statement, state).filtered(other -> !other.equals(statement)),
                        () -> "the " + words(statement) + " is applied late",
                        steps);
            }
        }
    }

    private void failOver(State state, ModelSearch.Steps<State> steps) {
        if (state.left().failovers() == 0) {
            return;
        }
        Database database = state.database();
        if (!database.replica().equals(database.row())) {
            go(state.with(database.caughtUp()), () -> "the replica catches up", steps);
        }
        int server = has(Trait.FAILBACK) ? 1 - database.server() : database.server() + 1;
        go(
                state.with(state.left().afterFailover()).with(database.failedOver(server)),
                () -> "the replica takes over as server %d, with horizon %d"
                        .formatted(server, database.replica().horizon()),
                steps);
    }

    // ---- the statements ----

    /**
     * Returns whether the statement changes the row now. The adversary may end a lease at any time, so {@code
     * lease_until} is not compared.
     */
    boolean matches(LeaseCommand statement, State state) {
        Row row = state.row();
        if (statement instanceof Acquire acquire) {
            return isAsOffered(acquire.row(), row) && isSameServer(state);
        }
        if (statement instanceof FenceOff fenceOff) {
            return isAsOffered(fenceOff.row(), row) && !isSameServer(state);
        }
        if (statement instanceof Extend extend) {
            return token(extend.lease()) == row.token()
                    && (extend.lease().horizonMillis() == row.horizon() || has(Trait.NO_CAS))
                    && isSameServer(state);
        }
        Lease lease = ((Release) statement).lease();
        return token(lease) == row.token() && (lease.horizonMillis() == row.horizon() || has(Trait.BARE));
    }

    private static boolean isAsOffered(LeaseStore.Row candidate, Row row) {
        return candidate.fence() == row.fence() && candidate.horizonMillis() == row.horizon();
    }

    State applied(LeaseCommand statement, State state) {
        Row row = state.row();
        if (statement instanceof Acquire acquire) {
            Row acquired = new Row(
                    token(acquire.lease()), row.fence() + 1, acquire.lease().horizonMillis(), row.server());
            return state.with(state.left().afterAcquisition()).with(acquired);
        }
        if (statement instanceof FenceOff fenceOff) {
            return state.with(new Row(
                    NO_TOKEN,
                    row.fence() + 1,
                    fenceOff.horizonMillis(),
                    state.database().server()));
        }
        if (statement instanceof Extend extend) {
            long horizon = has(Trait.NO_CAS) ? Math.max(extend.horizonMillis(), row.horizon()) : extend.horizonMillis();
            return state.with(new Row(row.token(), row.fence(), horizon, row.server()));
        }
        return state.with(new Row(NO_TOKEN, row.fence(), ((Release) statement).horizonMillis(), row.server()));
    }

    /** Returns whether a statement that is under way can still change a row. */
    private boolean isPossible(LeaseCommand statement, Row row) {
        if (statement instanceof Acquire acquire) {
            return acquire.row().fence() >= row.fence();
        }
        if (statement instanceof FenceOff fenceOff) {
            return fenceOff.row().fence() >= row.fence();
        }
        Lease lease = statement instanceof Extend extend ? extend.lease() : ((Release) statement).lease();
        return token(lease) == row.token()
                && (lease.horizonMillis() >= row.horizon() || has(Trait.NO_CAS) || has(Trait.BARE));
    }

    private boolean isSameServer(State state) {
        return state.row().server() == state.database().server() || !guarded;
    }

    static int token(Lease lease) {
        return Integer.parseInt(lease.token());
    }

    /** Returns a number in place of the random token and the fence. Each acquisition gets new ones. */
    private static int freshToken(State state) {
        int highest = Math.max(state.row().token(), state.database().replica().token());
        for (Process process : state.processes()) {
            highest = Math.max(highest, 31 - Integer.numberOfLeadingZeros(tokens(process)));
        }
        for (LeaseCommand statement : state.underWay()) {
            highest = Math.max(highest, 31 - Integer.numberOfLeadingZeros(tokens(statement)));
        }
        return highest + 1;
    }

    private static int tokens(Process process) {
        Holding holding = process.lease().holding();
        String doubtful = process.lease().doubtfulToken();
        return 1
                | (holding == null ? 0 : 1 << token(holding.lease()))
                | (doubtful == null ? 0 : 1 << Integer.parseInt(doubtful))
                | (process.planned() == null ? 0 : tokens(process.planned()));
    }

    private static int tokens(LeaseCommand statement) {
        if (statement instanceof Acquire acquire) {
            return 1 << token(acquire.lease());
        }
        if (statement instanceof Extend extend) {
            return 1 << token(extend.lease());
        }
        return statement instanceof Release release ? 1 << token(release.lease()) : 1;
    }

    // ---- words ----

    private static String text(Span span) {
        return "[%d,%d)".formatted(span.lo(), span.hi());
    }

    private static String words(LeaseStep step) {
        LeaseCommand command = step.command();
        if (command != null) {
            return "plans the " + words(command);
        }
        return step.notice() == LeaseStep.Notice.NONE ? "waits" : "finds " + step.notice();
    }

    private static String words(LeaseCommand statement) {
        if (statement instanceof Acquire acquire) {
            return "acquisition of [%d,%d)"
                    .formatted(acquire.startMillis(), acquire.lease().horizonMillis());
        }
        if (statement instanceof FenceOff fenceOff) {
            return "advance to " + fenceOff.horizonMillis();
        }
        if (statement instanceof Extend extend) {
            return "extension to " + extend.horizonMillis();
        }
        return statement instanceof Release release ? "release at " + release.horizonMillis() : "lookup";
    }

    // ---- equal states ----

    private void go(State next, Supplier<String> step, ModelSearch.Steps<State> steps) {
        Row row = next.row();
        Database database = failovers
                ? new Database(
                        row,
                        next.database().replica(),
                        next.database().server(),
                        Math.max(next.database().highest(), row.horizon()))
                : next.database().caughtUp();
        steps.to(
                next.with(database)
                        .filtered(statement -> isPossible(statement, row) || isPossible(statement, database.replica())),
                step);
    }

    /**
     * {@inheritDoc} Processes are interchangeable. A token that no process has any more counts as none. Other tokens
     * count by their order, and fences by their distance. A tick below every horizon and window cannot occur again. It
     * counts as issued, so that the search at worst reports too much.
     */
    @Override
    public Object key(State state) {
        Row row = state.row();
        Row replica = state.database().replica();
        int live = 1 << NO_TOKEN;
        long lowest = Math.min(row.horizon(), replica.horizon()) / tickMillis;
        for (Process process : state.processes()) {
            live |= tokens(process);
            if (!process.equals(Process.FRESH)) {
                lowest = Math.min(lowest, process.window().lo());
                lowest = Math.min(lowest, lowest(process.planned()));
                lowest = isQueued(process) ? Math.min(lowest, queued(process).lo()) : lowest;
            }
        }
        for (LeaseCommand statement : state.underWay()) {
            live |= tokens(statement);
            lowest = Math.min(lowest, lowest(statement));
        }
        int past = (1 << lowest) - 1;

        String[] holders = new String[processes];
        for (int i = 0; i < processes; i++) {
            holders[i] = key(state.processes().get(i), live, row);
        }
        Arrays.sort(holders);
        String[] statements = new String[state.underWay().size()];
        for (int i = 0; i < statements.length; i++) {
            statements[i] = key(state.underWay().get(i), live, row);
        }
        Arrays.sort(statements);

        StringBuilder key = new StringBuilder(64);
        key.append((char) rank(row.token(), live)).append((char) units(row.horizon()));
        key.append((char) rank(replica.token(), live)).append((char) units(replica.horizon()));
        key.append((char) (replica.fence() - row.fence() + 64));
        key.append((char)
                (row.server() << 4 | replica.server() << 2 | state.database().server()));
        key.append((char) (state.ticks().issued() | past));
        key.append((char) state.left().acquisitions())
                .append((char) units(state.database().highest()));
        key.append((char) (state.left().copies() << 4 | state.left().failovers()));
        for (String holder : holders) {
            key.append(holder);
        }
        for (String statement : statements) {
            key.append(statement);
        }
        return key.toString();
    }

    private long lowest(@Nullable LeaseCommand statement) {
        if (statement instanceof Acquire acquire) {
            return acquire.startMillis() / tickMillis;
        }
        return statement instanceof Release release ? release.horizonMillis() / tickMillis : Long.MAX_VALUE;
    }

    private String key(Process process, int live, Row row) {
        LeaseState lease = process.lease();
        Holding holding = lease.holding();
        String doubtful = lease.doubtfulToken();
        StringBuilder key = new StringBuilder(16);
        key.append((char) (lease.phase().ordinal() << 4 | lease.releases() << 1));
        key.append((char) process.window().lo()).append((char) process.window().hi());
        key.append((char) (doubtful == null ? 0 : rank(Integer.parseInt(doubtful), live)));
        if (holding == null) {
            key.append((char) 255);
        } else {
            key.append((char) rank(token(holding.lease()), live));
            key.append((char) units(holding.lease().horizonMillis())).append((char) holding.firstTick());
            key.append((char) (holding.inUse() ? 1 : 0));
            holding.asked().forEach(asked -> key.append((char) units(asked)));
            key.append((char) 253);
        }
        return key.append(process.planned() == null ? "" + (char) 254 : key(process.planned(), live, row))
                .toString();
    }

    private String key(LeaseCommand statement, int live, Row row) {
        StringBuilder key = new StringBuilder(8);
        if (statement instanceof Acquire acquire) {
            key.append((char) 1).append((char) (acquire.row().fence() - row.fence() + 64));
            key.append((char) units(acquire.row().horizonMillis())).append((char) units(acquire.startMillis()));
            key.append((char) units(acquire.lease().horizonMillis())).append((char) rank(token(acquire.lease()), live));
        } else if (statement instanceof FenceOff fenceOff) {
            key.append((char) 2).append((char) (fenceOff.row().fence() - row.fence() + 64));
            key.append((char) units(fenceOff.row().horizonMillis())).append((char) units(fenceOff.horizonMillis()));
        } else if (statement instanceof Extend extend) {
            key.append((char) 3).append((char) rank(token(extend.lease()), live));
            key.append((char) units(extend.lease().horizonMillis())).append((char) units(extend.horizonMillis()));
        } else if (statement instanceof Release release) {
            key.append((char) 4).append((char) rank(token(release.lease()), live));
            key.append((char) units(release.lease().horizonMillis())).append((char) units(release.horizonMillis()));
        } else {
            throw new IllegalStateException("no statement that changes a row: " + statement);
        }
        return key.toString();
    }

    private long units(long millis) {
        return millis / unitMillis;
    }

    private static int rank(int token, int live) {
        return (live >> token & 1) == 0 ? 0 : Integer.bitCount(live & (1 << token) - 1);
    }
}
