package io.idgen.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The lease of one worker id, with an adversary for a clock: each reading of a clock, by a process or by the database, may give
 * any value. A process may stop for any time between two steps (it is not scheduled then), crash, and start again knowing
 * nothing; its lease may be taken over at any moment. A statement may fail, be applied and answered, or stay unanswered and be
 * applied at once, at any later time, or never.
 *
 * <p>An issued id is its tick: the sequence within a tick is a counter of one process that only rises, and adds nothing. The
 * promise is in {@link #issue}: no tick is issued twice.
 */
final class LeaseModel implements ModelSearch.Model<LeaseModel.State> {

    /** What a variant adds to the protocol, or leaves out of it. */
    enum Trait implements ModelVerdict.Trait {
        TOKEN(
                "after a statement without an answer the token is kept, and acquires the process's own row again (after an"
                        + " extension it also releases)"),
        RETRY("as `token`, and an extension or a release may also be sent again, or an extension after a release"),
        RELEASE(
                "a release lowers the horizon to the tick after the last one issued, or to where its own acquisition began"),
        KEEP("a release leaves the horizon alone"),
        HOOK("a process is copied once; the copy drops its window and its token"),
        CLONE("a process is copied once; the copy drops what is left of its window, and both have the token"),
        SILENT(
                "a process is copied once; the copy issues nothing of its window, but releases by the last tick it remembers"),
        COPY("a process is copied once, with everything; a tick of the window of that moment may be issued twice"),
        FAILOVER("a replica that lost any number of the last commits takes over once"),
        GAP("a row of another server is first lifted above every window that was ever granted"),
        FAILBACK("after a failover there is a second one, back to the first server"),
        COARSE("a tick is 2 units of the database's clock; windows lie on the ticks' boundaries"),
        NO_CAS("*broken:* an extension looks at the token and not at the horizon"),
        ADOPT("*broken:* an extension without an answer is read back, and its window used"),
        UNSEALED("*broken:* ids are issued on after a release"),
        BARE("*broken:* a release looks at the token and not at the horizon"),
        BELOW("*broken:* a release goes down to the last tick issued, even if that was before its acquisition"),
        SHORT_GAP("*broken:* as `gap`, one tick too short"),
        UNROUNDED("*broken:* windows do not lie on the ticks' boundaries");

        private final String meaning;

        Trait(String meaning) {
            this.meaning = meaning;
        }

        @Override
        public String meaning() {
            return meaning;
        }
    }

    /** How far ahead of the database's clock a window may end, in ticks. */
    static final int WINDOW_TICKS = 2;

    private static final int NO_TOKEN = 0;

    /** The worker id's row: who has it, up to where its ticks are granted, and by which server. */
    record Row(int token, int horizon, int server) {}

    /** The ticks from {@code lo} up to {@code hi}, in units of the database's clock; {@code lo} rises as they are issued. */
    record Span(int lo, int hi) {
        static final Span NONE = new Span(0, 0);

        boolean isEmpty() {
            return lo >= hi;
        }

        Span from(int bound) {
            return new Span(Math.max(lo, bound), hi);
        }

        Span to(int end) {
            return new Span(lo, end);
        }
    }

    // What a process remembers of a statement that was not answered.
    private static final int NOTHING = 0;
    private static final int EXTENSION = -1;
    private static final int RELEASE = -2;

    /**
     * A process.
     *
     * @param token of its acquisition, or {@link #NO_TOKEN}: it uses up its window then
     * @param window it issues from
     * @param queued its next window, granted while it still had one; {@link Span#NONE} if there is none
     * @param unanswered {@link #NOTHING}, {@link #EXTENSION}, {@link #RELEASE}, or the horizon of an extension that is to be
     *     read back
     * @param silent it is a copy that issues nothing until it is granted something
     */
    record Process(int token, Span window, Span queued, int unanswered, boolean silent) {
        static final Process FRESH = new Process(NO_TOKEN, Span.NONE, Span.NONE, NOTHING, false);

        boolean hasQueued() {
            return !queued.isEmpty();
        }

        boolean canIssue() {
            return !window.isEmpty() && !silent;
        }

        /** Where what it knows to be granted ends: the horizon that it expects in the row. */
        int end() {
            return hasQueued() ? queued.hi() : window.hi();
        }

        Process with(Span newWindow) {
            return new Process(token, newWindow, queued, unanswered, silent);
        }

        Process remembering(int statement) {
            return new Process(token, window, queued, statement, silent);
        }

        Process swapped() {
            return new Process(token, queued.from(window.lo()), Span.NONE, unanswered, false);
        }

        /** It has lost the row; what it has left of its windows is still its own. */
        Process withoutToken() {
            return new Process(NO_TOKEN, window, queued, NOTHING, silent).settled();
        }

        /** A process that has nothing left is one that has just started. */
        Process settled() {
            if (token != NO_TOKEN) {
                return this;
            }
            return window.isEmpty() && !hasQueued() ? FRESH : new Process(NO_TOKEN, window, queued, NOTHING, silent);
        }

        Process granted(int newToken, Span grant) {
            return window.isEmpty() || silent
                    ? new Process(newToken, grant, Span.NONE, NOTHING, false)
                    : new Process(newToken, window, grant, NOTHING, false);
        }

        Process extended(int newEnd) {
            return hasQueued()
                    ? new Process(token, window, queued.to(newEnd), NOTHING, silent)
                    : new Process(
                            token, (silent ? window.from(window.hi()) : window).to(newEnd), Span.NONE, NOTHING, false);
        }

        /** It has the token and nothing to issue. */
        Process emptied(int statement) {
            return new Process(token, new Span(end(), end()), Span.NONE, statement, false);
        }

        Process silenced() {
            Span rest = hasQueued() ? queued.from(window.lo()) : window;
            return new Process(token, rest, Span.NONE, unanswered, true);
        }

        /** In 26 bits. */
        int packed(int rank) {
            int windows = window.lo() << 12 | window.hi() << 8 | queued.lo() << 4 | queued.hi();
            return (rank << 16 | windows) << 6 | (unanswered - RELEASE) << 1 | (silent ? 1 : 0);
        }
    }

    /** A statement that was sent and not answered: it may meet the row at any time. */
    record Statement(boolean raises, int token, int expected, int horizon) {
        String words() {
            return (raises ? "extension to " : "release at ") + horizon;
        }

        int packed(int rank) {
            return (raises ? 1 << 12 : 0) | rank << 8 | expected << 4 | horizon;
        }
    }

    /**
     * The database.
     *
     * @param replica what a failover goes on from; without failovers, the row
     * @param server the identity of the server that answers
     * @param highest the highest horizon ever granted, where there are failovers
     */
    record Database(Row row, Row replica, int server, int highest) {
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

    /**
     * A bit for each tick.
     *
     * @param forgiven ticks that may be issued twice
     */
    record Ticks(int issued, int forgiven) {
        boolean repeats(int tick) {
            return ((issued & ~forgiven) >> tick & 1) != 0;
        }

        Ticks issue(int tick) {
            return new Ticks(issued | 1 << tick, forgiven);
        }

        Ticks forgive(int more) {
            return new Ticks(issued, forgiven | more);
        }
    }

    /** What may happen so many times more. */
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

    record State(Database database, List<Process> processes, Ticks ticks, List<Statement> underWay, Left left) {
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

        State sent(Statement statement) {
            var more = Stream.concat(underWay.stream(), Stream.of(statement)).distinct();
            return new State(database, processes, ticks, more.toList(), left);
        }

        State filtered(Predicate<Statement> kept) {
            if (underWay.isEmpty()) {
                return this;
            }
            return new State(
                    database, processes, ticks, underWay.stream().filter(kept).toList(), left);
        }
    }

    private final Set<Trait> traits;
    private final int ticks;
    private final int processes;
    private final int acquisitions;

    /** Units of the database's clock per tick. */
    private final int unit;

    private final int end;
    private final boolean failovers;
    private final boolean keepsToken;

    LeaseModel(Set<Trait> traits, int ticks, int processes, int acquisitions) {
        this.traits = traits;
        this.ticks = ticks;
        this.processes = processes;
        this.acquisitions = acquisitions;
        this.unit = has(Trait.COARSE) ? 2 : 1;
        this.end = ticks * unit;
        this.failovers = has(Trait.FAILOVER);
        this.keepsToken = has(Trait.TOKEN) || has(Trait.RETRY);
        if (end > 15 || acquisitions > 15) {
            throw new IllegalArgumentException("a key has 4 bits for each of " + end + " and " + acquisitions);
        }
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public State start() {
        Row row = new Row(NO_TOKEN, 0, 0);
        boolean copies = has(Trait.HOOK) || has(Trait.CLONE) || has(Trait.SILENT) || has(Trait.COPY);
        Left left = new Left(acquisitions, copies ? 1 : 0, (failovers ? 1 : 0) + (has(Trait.FAILBACK) ? 1 : 0));
        List<Process> fresh = Collections.nCopies(processes, Process.FRESH);
        return new State(new Database(row, row, 0, 0), fresh, new Ticks(0, 0), List.of(), left);
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < processes; i++) {
            issue(state, i, steps);
            swap(state, i, steps);
            acquire(state, i, steps);
            lift(state, i, steps);
            extend(state, i, steps);
            learn(state, i, steps);
            release(state, i, steps);
            copy(state, i, steps);
            crash(state, i, steps);
        }
        late(state, steps);
        failOver(state, steps);
    }

    /** Any tick of the window, as its clock may show any; and what is promised of it. */
    private void issue(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (!process.canIssue()) {
            return;
        }
        int last = (process.window().hi() - 1) / unit;
        for (int tick = process.window().lo() / unit; tick <= last; tick++) {
            int issued = tick;
            if (state.ticks().repeats(tick)) {
                steps.violation(() -> "P%d issues tick %d again".formatted(i, issued));
            }
            Span rest = new Span((tick + 1) * unit, process.window().hi());
            go(
                    state.with(state.ticks().issue(tick)).with(i, process.with(rest)),
                    () -> "P%d issues tick %d".formatted(i, issued),
                    steps);
        }
    }

    /** The queued window takes over, at any moment; what is left of the old one is dropped. */
    private void swap(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (process.hasQueued()) {
            go(
                    state.with(i, process.swapped()),
                    () -> "P%d goes over to %s"
                            .formatted(i, text(process.swapped().window())),
                    steps);
        }
    }

    /** A row that nobody has, or whose lease ran out (a clock decides: at any moment), or the process's own by its token. */
    private void acquire(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        Row row = state.row();
        boolean byToken = keepsToken && process.token() != NO_TOKEN && process.token() == row.token();
        if (state.left().acquisitions() == 0 || process.hasQueued() || !sameServer(state)) {
            return;
        }
        if (process.token() != NO_TOKEN && !byToken) {
            return;
        }
        int token = freshToken(state);
        for (int now = 0; now < end; now++) {
            Span grant = new Span(up(Math.max(row.horizon(), now)), down(now + WINDOW_TICKS * unit));
            if (grant.isEmpty() || grant.hi() > end) {
                continue;
            }
            String how = byToken ? " by its token" : "";
            State acquired = state.with(state.left().afterAcquisition()).with(new Row(token, grant.hi(), row.server()));
            go(
                    acquired.with(i, process.granted(token, grant)),
                    () -> "P%d acquires %s%s".formatted(i, text(grant), how),
                    steps);
            go(
                    acquired.with(i, process.withoutToken()),
                    () -> "P%d acquires %s%s, and the answer is lost".formatted(i, text(grant), how),
                    steps);
        }
    }

    /** A row that another server granted is made this server's, above what that one may have granted; nothing is granted. */
    private void lift(State state, int i, ModelSearch.Steps<State> steps) {
        if (!sameServer(state)) {
            int above = state.database().highest() - (has(Trait.SHORT_GAP) ? unit : 0);
            Row lifted = new Row(
                    NO_TOKEN,
                    Math.max(state.row().horizon(), above),
                    state.database().server());
            go(
                    state.with(lifted),
                    () -> "P%d lifts the row to %d for a new server".formatted(i, lifted.horizon()),
                    steps);
        }
    }

    private void extend(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (process.token() == NO_TOKEN || process.unanswered() != NOTHING) {
            return;
        }
        for (int now = 0; now < end; now++) {
            int horizon = down(now + WINDOW_TICKS * unit);
            if (horizon <= process.end() || horizon > end) {
                continue;
            }
            Statement statement = new Statement(true, process.token(), process.end(), horizon);
            if (matches(statement, state)) {
                go(
                        state.with(applied(statement, state.row())).with(i, process.extended(horizon)),
                        () -> "P%d extends to %d".formatted(i, horizon),
                        steps);
            }
            go(
                    state.sent(statement).with(i, afterLostExtension(process, horizon)),
                    () -> "P%d sends an extension to %d, and no answer comes".formatted(i, horizon),
                    steps);
        }
        Row row = state.row();
        if (process.token() != row.token() || process.end() != row.horizon() || !sameServer(state)) {
            go(state.with(i, process.withoutToken()), () -> "P%d is refused an extension".formatted(i), steps);
        }
    }

    private Process afterLostExtension(Process process, int horizon) {
        if (has(Trait.RETRY)) {
            return process;
        }
        if (has(Trait.ADOPT)) {
            return process.remembering(horizon);
        }
        return keepsToken ? process.remembering(EXTENSION) : process.withoutToken();
    }

    /** What a process does about a statement that was not answered, besides acquiring by its token. */
    private void learn(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        Row row = state.row();
        if (process.unanswered() > NOTHING) {
            if (row.token() == process.token() && row.horizon() == process.unanswered()) {
                go(
                        state.with(i, process.extended(process.unanswered())),
                        () -> "P%d adopts the extension to %d".formatted(i, process.unanswered()),
                        steps);
            } else {
                go(state.with(i, process.withoutToken()), () -> "P%d gives its token up".formatted(i), steps);
            }
        }
        if (process.unanswered() < NOTHING && process.token() != row.token()) {
            go(
                    state.with(i, process.withoutToken()),
                    () -> "P%d is refused an acquisition by its token".formatted(i),
                    steps);
        }
    }

    /** Sealed first: whatever becomes of the statement, nothing more is issued from the window. */
    private void release(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        boolean releases = has(Trait.RELEASE) || has(Trait.KEEP);
        if (!releases || process.token() == NO_TOKEN || process.unanswered() == RELEASE) {
            return;
        }
        int unused = process.hasQueued() && !has(Trait.BELOW)
                ? process.queued().lo()
                : process.window().lo();
        int horizon = has(Trait.KEEP) ? process.end() : Math.min(process.end(), unused);
        Statement statement = new Statement(false, process.token(), process.end(), horizon);
        Process sealed = has(Trait.UNSEALED) ? process.withoutToken() : Process.FRESH;
        if (matches(statement, state)) {
            go(
                    state.with(applied(statement, state.row())).with(i, sealed),
                    () -> "P%d releases at %d".formatted(i, horizon),
                    steps);
        }
        Process unsure =
                keepsToken && !has(Trait.UNSEALED) ? process.emptied(has(Trait.RETRY) ? NOTHING : RELEASE) : sealed;
        go(
                state.sent(statement).with(i, unsure),
                () -> "P%d sends a release at %d, and no answer comes".formatted(i, horizon),
                steps);
    }

    private void copy(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (state.left().copies() == 0 || process.equals(Process.FRESH)) {
            return;
        }
        int forgiven = has(Trait.COPY) ? ticksOf(process.window()) | ticksOf(process.queued()) : 0;
        for (int j = 0; j < processes; j++) {
            int to = j;
            if (state.processes().get(j).equals(Process.FRESH)) {
                go(
                        state.with(state.left().afterCopy())
                                .with(state.ticks().forgive(forgiven))
                                .with(j, copyOf(process)),
                        () -> "P%d is copied to P%d".formatted(i, to),
                        steps);
            }
        }
    }

    private Process copyOf(Process process) {
        if (has(Trait.HOOK)) {
            return Process.FRESH;
        }
        if (has(Trait.COPY)) {
            return process;
        }
        return has(Trait.SILENT) ? process.silenced() : process.emptied(process.unanswered());
    }

    private void crash(State state, int i, ModelSearch.Steps<State> steps) {
        if (!state.processes().get(i).equals(Process.FRESH)) {
            go(state.with(i, Process.FRESH), () -> "P%d crashes".formatted(i), steps);
        }
    }

    private void late(State state, ModelSearch.Steps<State> steps) {
        for (Statement statement : state.underWay()) {
            if (matches(statement, state)) {
                go(
                        state.with(applied(statement, state.row())).filtered(other -> !other.equals(statement)),
                        () -> "the " + statement.words() + " is applied late",
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

    /** Whether the statement changes a row now. */
    private boolean matches(Statement statement, State state) {
        Row row = state.row();
        boolean sameHorizon = statement.expected() == row.horizon();
        return statement.token() == row.token()
                && (statement.raises()
                        ? (sameHorizon || has(Trait.NO_CAS)) && sameServer(state)
                        : sameHorizon || has(Trait.BARE));
    }

    private Row applied(Statement statement, Row row) {
        if (!statement.raises()) {
            return new Row(NO_TOKEN, statement.horizon(), row.server());
        }
        int horizon = has(Trait.NO_CAS) ? Math.max(statement.horizon(), row.horizon()) : statement.horizon();
        return new Row(row.token(), horizon, row.server());
    }

    /** A token never comes back, but from a replica; and as long as a row has one token, its horizon only rises. */
    private boolean possible(Statement statement, Row row) {
        return statement.token() == row.token()
                && (statement.expected() >= row.horizon() || has(Trait.NO_CAS) || has(Trait.BARE));
    }

    private boolean sameServer(State state) {
        return state.row().server() == state.database().server() || !has(Trait.GAP) && !has(Trait.SHORT_GAP);
    }

    /** Stands for a random token and for the fence, which are both new with each acquisition. */
    private static int freshToken(State state) {
        int highest = Math.max(state.row().token(), state.database().replica().token());
        for (Process process : state.processes()) {
            highest = Math.max(highest, process.token());
        }
        for (Statement statement : state.underWay()) {
            highest = Math.max(highest, statement.token());
        }
        return highest + 1;
    }

    private int up(int units) {
        return has(Trait.UNROUNDED) ? units : (units + unit - 1) / unit * unit;
    }

    private int down(int units) {
        return has(Trait.UNROUNDED) ? units : units / unit * unit;
    }

    private int ticksOf(Span span) {
        int ticks = 0;
        for (int tick = span.lo() / unit; tick < (span.hi() + unit - 1) / unit; tick++) {
            ticks |= 1 << tick;
        }
        return ticks;
    }

    private static String text(Span span) {
        return "[%d,%d)".formatted(span.lo(), span.hi());
    }

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
                        .filtered(statement -> possible(statement, row) || possible(statement, database.replica())),
                step);
    }

    /**
     * Processes are interchangeable. A token that nobody has any more is as good as none, and the others count by their order.
     * A tick below every horizon and window cannot come up again; it counts as issued, so that at worst too much is reported.
     */
    @Override
    public Object key(State state) {
        int live = 1 << NO_TOKEN;
        int lowest = Math.min(state.row().horizon(), state.database().replica().horizon());
        for (Process process : state.processes()) {
            live |= 1 << process.token();
            if (!process.equals(Process.FRESH)) {
                lowest = Math.min(lowest, process.window().lo());
            }
            if (process.hasQueued()) {
                lowest = Math.min(lowest, process.queued().lo());
            }
        }
        for (Statement statement : state.underWay()) {
            live |= 1 << statement.token();
            lowest = Math.min(lowest, statement.horizon());
        }
        int past = (1 << lowest / unit) - 1;

        int[] holders = new int[processes];
        for (int i = 0; i < processes; i++) {
            Process process = state.processes().get(i);
            holders[i] = process.packed(rank(process.token(), live));
        }
        Arrays.sort(holders);
        int[] statements = new int[state.underWay().size()];
        for (int i = 0; i < statements.length; i++) {
            Statement statement = state.underWay().get(i);
            statements[i] = statement.packed(rank(statement.token(), live));
        }
        Arrays.sort(statements);

        Bytes key = new Bytes(8 + 4 * holders.length + 2 * statements.length);
        key.add(rank(state.row().token(), live) << 4 | state.row().horizon());
        key.add(rank(state.database().replica().token(), live) << 4
                | state.database().replica().horizon());
        key.add(state.row().server() << 4
                | state.database().replica().server() << 2
                | state.database().server());
        key.add(state.ticks().issued() | past);
        key.add(state.ticks().forgiven() & ~past);
        key.add(state.left().acquisitions() << 4 | state.database().highest());
        key.add(state.left().copies() << 4 | state.left().failovers());
        for (int holder : holders) {
            key.add(holder >> 24);
            key.add(holder >> 16);
            key.add(holder >> 8);
            key.add(holder);
        }
        for (int statement : statements) {
            key.add(statement >> 8);
            key.add(statement);
        }
        return key.text();
    }

    private static int rank(int token, int live) {
        return (live >> token & 1) == 0 ? 0 : Integer.bitCount(live & (1 << token) - 1);
    }

    /** A string of one byte a character: of all keys with equality, the JDK's smallest. */
    private static final class Bytes {
        private final byte[] bytes;
        private int size;

        Bytes(int capacity) {
            bytes = new byte[capacity];
        }

        void add(int value) {
            bytes[size++] = (byte) value;
        }

        String text() {
            return new String(bytes, 0, size, StandardCharsets.ISO_8859_1);
        }
    }
}
