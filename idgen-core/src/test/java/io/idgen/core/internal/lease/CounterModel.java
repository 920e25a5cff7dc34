package io.idgen.core.internal.lease;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A row of a table of counters, the processes that take ids from it, and an adversary. A replica takes over without the
 * last commits, or a server crashes and forgets them. Somebody sets the row back. An answer is lost, or a statement
 * takes effect late.
 *
 * <p>The model does not issue single ids. An id that was granted and not handed back may be issued at any time, so a
 * second grant of it is the violation.
 */
final class CounterModel implements ModelSearch.Model<CounterModel.State> {

    /** What a variant adds to the rules, or omits. */
    enum Trait {
        /** A replica takes over once, and lacks any number of the commits of the last lag. */
        TAKEOVER,
        /** A second replica takes over, and may also lack the first statement after the first takeover. */
        TWICE,
        /**
         * Two servers take over, the second at any time and with any earlier row, as a former primary that comes back.
         */
        BACK,
        /** The second replica lacks neither the first statement after the first takeover nor anything before it. */
        APART,
        /** The second takeover is by the first server, which is rebuilt from the other one and starts again. */
        FAILBACK,
        /** The server restarts once and loses no commit. */
        RESUMES,
        /** The server executes a transaction of another server once. */
        HEARTBEAT,
        /** The server crashes once and loses commits of the last lag; its identity stays the same. */
        RESTART,
        /** The start time of the server is part of its identity. */
        STARTED,
        /** The database's clock steps forward once, by one lag. */
        JUMP,
        /** The database's clock is far ahead and comes back once, but not within a lag before a takeover. */
        RETURN,
        /** Broken: with that, the clock comes back at any time. */
        ANY_TIME,
        /** The operator raises the reach by one as documented: the new reach applies from the next window on. */
        RAISE,
        /** Processes close and hand back the unissued ids of their last run; the statement may be late. */
        CLOSE,
        /** A layer between processes and database sends statements again, at any later time. */
        REPEATED,
        /** The row is set back once. */
        SET_BACK,
        /** There is one process, and it does not crash. */
        ONE,
        /** Broken: the statements compare neither the server nor the reach. */
        PLAIN,
        /** Broken: what the other server committed is erased from the history of the first one. */
        ERASED,
        /** Broken: the first statement on another server skips the reach once instead of twice. */
        SINGLE,
        /** Broken: each server that takes over skips the reach once more often than the one before. */
        DIFFERS,
        /** Broken: no statement enforces the reach; the reach is the most that any window has granted so far. */
        OBSERVED,
        /** Broken: a window is one lag long instead of two. */
        LAG_WINDOW,
        /** Broken: the raised reach applies immediately. */
        AT_ONCE,
        /** Broken: a process that receives no answer reads the row and sends its hand-back again. */
        RESENT,
        /** Broken: a hand-back does not compare how many ids the row has granted. */
        UNCOMPARED,
        /** Broken: a statement does not compare the row with the value that its process knows. */
        FORGETFUL
    }

    private static final int LAG = 2;
    private static final int REACH = 2;
    private static final int FAR_AHEAD = 20;
    private static final int FIRST = 1;

    /** A server. A row names it if the number and the start, or the number and the history, are equal. */
    record Server(int number, int start, int history) {
        private static final int LATER = 2; // than a restart or a transaction of another server

        static Server of(int number) {
            return new Server(number, 0, 0);
        }

        boolean is(Server other) {
            return number == other.number && (start == other.start || history == other.history);
        }

        Server rebuilt(boolean erased) {
            return new Server(number, LATER, erased ? history : LATER);
        }

        @Override
        public String toString() {
            return "%d.%d.%d".formatted(number, start, history);
        }
    }

    /** {@code win} is the end of the current window, and {@code used} how many ids were granted in it. */
    record Row(int next, Server server, int reach, int win, int used) {
        Row at(int newNext) {
            return new Row(newNext, server, reach, win, used);
        }

        Row of(Server newServer) {
            return new Row(next, newServer, reach, win, used);
        }
    }

    /** An earlier state of the row, which a commit in this tick replaced. */
    record Older(Row row, int tick) {}

    /** A process: the row's next id as it knows it, and its last run, from {@code first} to below {@code known}. */
    record Process(int known, int first) {
        static final Process NEW = new Process(FIRST, FIRST);

        boolean hasRun() {
            return first < known;
        }
    }

    /**
     * A statement whose process no longer waits for the answer: an allocation of {@code ids} ids, or with 0 a hand-back
     * that lowers the row from {@code known} to {@code first} if it has still granted {@code used} ids in the window
     * that ends at {@code win}.
     */
    record Late(int ids, int known, int first, int win, int used) {}

    /** How often each fault or operation may still happen. */
    record Budget(int allocations, int takeovers, boolean jump, boolean raise, boolean setBack) {
        Budget allocated() {
            return new Budget(allocations - 1, takeovers, jump, raise, setBack);
        }

        Budget tookOver() {
            return new Budget(allocations, takeovers - 1, jump, raise, setBack);
        }

        Budget jumped() {
            return new Budget(allocations, takeovers, false, raise, setBack);
        }

        Budget raised() {
            return new Budget(allocations, takeovers, jump, false, setBack);
        }

        Budget isSetBack() {
            return new Budget(allocations, takeovers, jump, raise, false);
        }
    }

    /** {@code ids} has a bit for each id that was granted and not handed back. The clock is ahead by {@code ahead}. */
    record State(
            Row row,
            Set<Older> older,
            Server server,
            int now,
            int ahead,
            List<Process> processes,
            long ids,
            Set<Late> late,
            Budget budget) {

        State with(int process, Process changed) {
            List<Process> all = new ArrayList<>(processes);
            all.set(process, changed);
            return new State(row, older, server, now, ahead, all, ids, late, budget);
        }

        State with(Row changed) {
            Set<Older> all = new HashSet<>(older);
            if (!changed.equals(row) && budget.takeovers() > 0) {
                all.add(new Older(row, now));
            }
            return new State(changed, all, server, now, ahead, processes, ids, late, budget);
        }

        State with(Late statement, boolean isUnderWay) {
            Set<Late> all = new HashSet<>(late);
            if (isUnderWay) {
                all.add(statement);
            } else {
                all.remove(statement);
            }
            return new State(row, older, server, now, ahead, processes, ids, all, budget);
        }

        State with(Budget left) {
            return new State(row, older, server, now, ahead, processes, ids, late, left);
        }

        State withIds(long changed) {
            return new State(row, older, server, now, ahead, processes, changed, late, budget);
        }

        State atTick(int tick, int newAhead, boolean remembers) {
            Set<Older> kept = new HashSet<>(older);
            kept.removeIf(each -> !remembers && each.tick() <= tick - LAG);
            return new State(row, kept, server, tick, newAhead, processes, ids, late, budget);
        }

        /** The replicas have all commits so far. */
        State replicated() {
            return new State(row, Set.of(), server, now, ahead, processes, ids, late, budget);
        }

        /** Continues on the same server after an event that loses nothing. */
        State with(Server changed) {
            return new State(row, older, changed, now, ahead, processes, ids, late, budget);
        }

        /** Continues on another server. Statements under way to the old server have no effect. */
        State on(Server newServer, Row found, Budget left) {
            Set<Older> kept = left.takeovers() > 0 ? older : Set.of();
            return new State(found, kept, newServer, now, ahead, processes, ids, Set.of(), left);
        }
    }

    private final Set<Trait> traits;
    private final int ticks;
    private final int allocations;

    CounterModel(Set<Trait> traits, int ticks, int allocations) {
        this.traits = traits;
        this.ticks = ticks;
        this.allocations = allocations;
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public State start() {
        int takeovers = has(Trait.TWICE) || has(Trait.BACK) ? 2 : has(Trait.TAKEOVER) || has(Trait.RESTART) ? 1 : 0;
        return new State(
                new Row(FIRST, Server.of(0), has(Trait.OBSERVED) ? 1 : REACH, 0, 0),
                Set.of(),
                Server.of(0),
                0,
                has(Trait.RETURN) ? FAR_AHEAD : 0,
                Collections.nCopies(has(Trait.ONE) ? 1 : 2, Process.NEW),
                0,
                Set.of(),
                new Budget(
                        allocations,
                        takeovers,
                        has(Trait.JUMP) || has(Trait.RETURN),
                        has(Trait.RAISE),
                        has(Trait.SET_BACK)));
    }

    /** {@inheritDoc} Processes are interchangeable. */
    @Override
    public Object key(State state) {
        List<Process> sorted = new ArrayList<>(state.processes());
        sorted.sort(Comparator.comparingInt(Process::known).thenComparingInt(Process::first));
        return new State(
                state.row(),
                state.older(),
                state.server(),
                state.now(),
                state.ahead(),
                sorted,
                state.ids(),
                state.late(),
                state.budget());
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < state.processes().size(); i++) {
            process(state, i, steps);
        }
        for (Late late : state.late()) {
            State left = has(Trait.RESENT) || has(Trait.REPEATED) ? state : state.with(late, false);
            Row row = late.ids() > 0 ? granted(state, late.ids(), late.known()) : handedBack(state, late);
            if (!row.equals(state.row())) {
                steps.to(left.with(row), () -> "%s is applied late".formatted(text(late)));
            }
        }
        database(state, steps);
    }

    private void process(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (state.budget().allocations() > 0) {
            for (int n = 1; n <= (has(Trait.RAISE) ? REACH + 1 : REACH); n++) {
                allocate(state, i, n, steps);
            }
        }
        Row row = state.row();
        boolean isBelow = !has(Trait.FORGETFUL) && row.next() < process.known();
        if (isBelow && isOurs(state)) {
            int next = process.known() + 2 * row.reach();
            steps.to(state.with(row.at(next)), () -> "P%d raises the row to %d".formatted(i, next));
        }
        if (has(Trait.CLOSE) && process.hasRun()) {
            for (int first = process.first(); first < process.known(); first++) {
                Late back = new Late(0, process.known(), first, row.win(), row.used());
                steps.to(
                        state.with(i, Process.NEW)
                                .withIds(state.ids() & ~bits(first, process.known()))
                                .with(back, true),
                        () -> "P%d closes: %s".formatted(i, text(back)));
            }
        }
        if (!has(Trait.ONE) && !process.equals(Process.NEW)) {
            steps.to(state.with(i, Process.NEW), () -> "P%d crashes".formatted(i));
        }
    }

    private void allocate(State state, int i, int n, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        Row row = granted(state, n, process.known());
        State paid = state.with(state.budget().allocated());
        Late late = new Late(n, process.known(), 0, 0, 0);
        steps.to(paid.with(late, true), () -> "P%d allocates %d and gets no answer".formatted(i, n));
        if (row.equals(state.row())) {
            return;
        }
        int first = row.next() - n;
        if ((state.ids() & bits(first, row.next())) != 0) {
            steps.violation(() -> "P%d is granted [%d,%d) again".formatted(i, first, row.next()));
        }
        steps.to(
                paid.with(row).with(i, new Process(row.next(), first)).withIds(state.ids() | bits(first, row.next())),
                () -> "P%d is granted [%d,%d) in tick %d".formatted(i, first, row.next(), state.now()));
    }

    private boolean isOurs(State state) {
        return has(Trait.PLAIN) || state.row().server().is(state.server());
    }

    /** Returns the row after an allocation, or the same row if the statement does not match. */
    private Row granted(State state, int n, int known) {
        Row row = state.row();
        int clock = state.now() + state.ahead();
        boolean inWindow = row.win() > clock && row.win() <= clock + 3 * LAG;
        int used = (inWindow ? row.used() : 0) + n;
        int reach = has(Trait.OBSERVED) ? Math.max(row.reach(), used) : row.reach();
        boolean admits = has(Trait.PLAIN) || used <= reach;
        if (!isOurs(state) || !admits || !has(Trait.FORGETFUL) && row.next() < known) {
            return row;
        }
        int window = has(Trait.LAG_WINDOW) ? LAG : 2 * LAG;
        return new Row(row.next() + n, state.server(), reach, inWindow ? row.win() : clock + window, used);
    }

    private Row handedBack(State state, Late back) {
        Row row = state.row();
        boolean isSame = row.win() == back.win() && row.used() == back.used();
        boolean applies =
                row.next() == back.known() && isOurs(state) && (isSame || has(Trait.RESENT) || has(Trait.UNCOMPARED));
        return applies ? row.at(back.first()) : row;
    }

    private void database(State state, ModelSearch.Steps<State> steps) {
        Row row = state.row();
        if (!isOurs(state)) {
            int times = has(Trait.SINGLE)
                    ? 1
                    : has(Trait.DIFFERS) ? 1 + state.server().number() : 2;
            int skipped = times * row.reach();
            Row raised = row.at(row.next() + skipped).of(state.server());
            steps.to(state.with(raised), () -> "server %s skips %d ids".formatted(state.server(), skipped));
        }
        if (state.now() < ticks) {
            steps.to(
                    state.atTick(state.now() + 1, state.ahead(), has(Trait.BACK)),
                    () -> "tick %d".formatted(state.now() + 1));
        }
        if (state.budget().jump() && has(Trait.RETURN)) {
            State back = state.atTick(state.now(), 0, true).with(state.budget().jumped());
            steps.to(has(Trait.ANY_TIME) ? back : back.replicated(), () -> "the database's clock comes back");
        } else if (state.budget().jump()) {
            steps.to(
                    state.atTick(state.now(), LAG, has(Trait.BACK))
                            .with(state.budget().jumped()),
                    () -> "the database's clock steps forward");
        }
        Server here = state.server();
        if (has(Trait.RESUMES) && here.start() == 0) {
            steps.to(state.with(new Server(here.number(), 1, here.history())), () -> "the server restarts");
        }
        if (has(Trait.HEARTBEAT) && here.history() == 0) {
            steps.to(
                    state.with(new Server(here.number(), here.start(), 1)),
                    () -> "the server executes a transaction of another one");
        }
        if (state.budget().takeovers() > 0) {
            boolean isSecond = has(Trait.TWICE) && state.budget().takeovers() == 1;
            Server server = next(here, isSecond);
            Set<Row> found = new HashSet<>(Set.of(row));
            state.older().stream()
                    .map(Older::row)
                    .filter(older ->
                            !(isSecond && has(Trait.APART)) || older.server().is(here))
                    .forEach(found::add);
            for (Row each : found) {
                steps.to(
                        state.on(server, each, state.budget().tookOver()),
                        () -> "server %s takes over with the row at %d".formatted(server, each.next()));
            }
        }
        if (state.budget().raise()) {
            int clock = state.now() + state.ahead();
            Row raised = has(Trait.AT_ONCE)
                    ? new Row(row.next(), row.server(), row.reach() + 1, row.win(), row.used())
                    : new Row(row.next(), row.server(), row.reach() + 1, clock + 2 * LAG, row.used() + 1);
            steps.to(
                    state.with(raised).with(state.budget().raised()),
                    () -> "the operator raises the reach to %d".formatted(raised.reach()));
        }
        if (state.budget().setBack()) {
            for (int next = FIRST; next < row.next(); next++) {
                Row back = row.at(next);
                steps.to(
                        state.with(back).with(state.budget().isSetBack()),
                        () -> "the row is set back to %d".formatted(back.next()));
            }
        }
    }

    private Server next(Server server, boolean isSecond) {
        if (isSecond && has(Trait.FAILBACK)) {
            return Server.of(0).rebuilt(has(Trait.ERASED));
        }
        return has(Trait.RESTART) && !has(Trait.STARTED) ? server : Server.of(server.number() + 1);
    }

    private static long bits(int first, int end) {
        return (1L << end) - (1L << first);
    }

    private static String text(Late late) {
        return late.ids() > 0
                ? "the allocation of %d".formatted(late.ids())
                : "the hand-back from %d to %d".formatted(late.known(), late.first());
    }
}
