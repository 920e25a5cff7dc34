package io.idgen.core.internal.lease;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The threads of one process while a window is replaced and its worker id is released: two threads issue, one refills,
 * one closes. Each step is one access to shared memory, and a thread may pause for any time between two steps. Each
 * window has a word: the last id issued in it.
 *
 * <p>The refill is first granted more of the same row, then a window of a row with a smaller worker id. {@link #broken}
 * checks the promise.
 */
final class SwapModel implements ModelSearch.Model<SwapModel.State> {

    /** What a variant adds to the protocol, or omits. */
    enum Trait {
        /**
         * A thread closes the process: it seals the current word and lowers the horizon to the tick after it; a lock
         * excludes the refill meanwhile.
         */
        CLOSE,
        /** Broken: the refill reads the old window's word but does not seal it. */
        UNSEALED,
        /** Only repeated ids count as a violation, not falling ones. */
        REPEATS,
        /** Only falling ids count as a violation, not repeated ones. */
        FALLS,
        /** Broken: a new window begins at the start of its grant, even if later ticks were issued. */
        SAME_LO,
        /** Broken: the refill and the close can run at the same time. */
        RACE,
        /** Broken: the close reads the word but does not seal it. */
        OPEN
    }

    private static final int ISSUERS = 2;
    private static final int SEQUENCES = 2;

    /** The tick and the sequence last issued in a window. */
    record Word(int tick, int sequence) {
        static final Word SEALED = new Word(-2, 0);
        static final Word UNREAD = new Word(-3, 0);

        /** Returns the word of a window that begins at {@code lo}. */
        static Word before(int lo) {
            return new Word(lo - 1, SEQUENCES - 1);
        }

        Word next() {
            return sequence + 1 < SEQUENCES ? new Word(tick, sequence + 1) : new Word(tick + 1, 0);
        }
    }

    record Window(int worker, int lo, int hi, Word word) {
        Window with(Word newWord) {
            return new Window(worker, lo, hi, newWord);
        }
    }

    /** The process starts with the first window. */
    private static final List<Window> GRANTS = List.of(
            new Window(7, 0, 2, Word.before(0)),
            new Window(7, 0, 4, Word.before(0)),
            new Window(3, 3, 5, Word.before(3)));

    record Id(int tick, int worker, int sequence) implements Comparable<Id> {
        private static final Comparator<Id> ORDER =
                Comparator.comparingInt(Id::tick).thenComparingInt(Id::worker).thenComparingInt(Id::sequence);

        static final Id NONE = new Id(-1, 0, 0);

        @Override
        public int compareTo(Id other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return "tick %d of worker %d, sequence %d".formatted(tick, worker, sequence);
        }
    }

    /** All issued ids, and the greatest of them. */
    record Issued(Set<Id> ids, Id greatest) {
        Issued with(Id id) {
            Set<Id> more = new HashSet<>(ids);
            more.add(id);
            return new Issued(more, id.compareTo(greatest) > 0 ? id : greatest);
        }
    }

    /**
     * An issuing thread: how many ids it still wants, the window that it has read (or none), and that window's word.
     */
    record Issuer(int left, int window, Word read) {
        private static final int NO_WINDOW = -1;

        Issuer startsAgain() {
            return new Issuer(left, NO_WINDOW, Word.UNREAD);
        }

        Issuer reads(int newWindow) {
            return new Issuer(left, newWindow, Word.UNREAD);
        }

        Issuer reads(Word word) {
            return new Issuer(left, window, word);
        }

        Issuer issued() {
            return new Issuer(left - 1, NO_WINDOW, Word.UNREAD);
        }
    }

    /**
     * The refill: its next grant, and the word that it took from the previous window ({@link Word#UNREAD} if not yet).
     */
    record Refill(int next, Word taken) {}

    enum Stage {
        OPEN,
        SEALED,
        CLOSED
    }

    /** The progress of the close, with the worker id and the word that it seals. */
    record Close(Stage stage, int worker, Word word) {
        /** Returns the tick from which the worker id is released; {@code Integer.MAX_VALUE} if nothing is released. */
        int horizon() {
            return stage == Stage.CLOSED && !word.equals(Word.SEALED) ? word.tick() + 1 : Integer.MAX_VALUE;
        }
    }

    enum Lock {
        FREE,
        REFILL,
        CLOSE
    }

    record State(
            List<Window> windows,
            int current,
            Issued issued,
            List<Issuer> issuers,
            Refill refill,
            Close close,
            Lock lock) {

        State with(int i, Issuer issuer) {
            List<Issuer> changed = new ArrayList<>(issuers);
            changed.set(i, issuer);
            return new State(windows, current, issued, changed, refill, close, lock);
        }

        State with(int window, Word word) {
            List<Window> changed = new ArrayList<>(windows);
            changed.set(window, windows.get(window).with(word));
            return new State(changed, current, issued, issuers, refill, close, lock);
        }

        State with(Id id) {
            return new State(windows, current, issued.with(id), issuers, refill, close, lock);
        }

        State published(Window window) {
            List<Window> more = new ArrayList<>(windows);
            more.add(window);
            return new State(more, windows.size(), issued, issuers, refill, close, lock);
        }

        State with(Refill changed, Lock held) {
            return new State(windows, current, issued, issuers, changed, close, held);
        }

        State with(Close changed, Lock held) {
            return new State(windows, current, issued, issuers, refill, changed, held);
        }
    }

    private final Set<Trait> traits;
    private final int calls;

    /** Creates the model. Each issuing thread wants {@code calls} ids. */
    SwapModel(Set<Trait> traits, int calls) {
        this.traits = traits;
        this.calls = calls;
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public State start() {
        Issuer issuer = new Issuer(calls, Issuer.NO_WINDOW, Word.UNREAD);
        return new State(
                GRANTS.subList(0, 1),
                0,
                new Issued(Set.of(), Id.NONE),
                Collections.nCopies(ISSUERS, issuer),
                new Refill(1, Word.UNREAD),
                new Close(Stage.OPEN, 0, Word.UNREAD),
                Lock.FREE);
    }

    @Override
    public Object key(State state) {
        return state;
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < ISSUERS; i++) {
            issue(state, i, steps);
        }
        refill(state, steps);
        if (has(Trait.CLOSE)) {
            close(state, steps);
        }
    }

    private void issue(State state, int i, ModelSearch.Steps<State> steps) {
        Issuer issuer = state.issuers().get(i);
        if (issuer.left() == 0) {
            return;
        }
        if (issuer.window() == Issuer.NO_WINDOW) {
            steps.to(
                    state.with(i, issuer.reads(state.current())),
                    () -> "T%d reads window %d".formatted(i, state.current()));
            return;
        }
        Window window = state.windows().get(issuer.window());
        if (issuer.read().equals(Word.UNREAD)) {
            boolean sealed = window.word().equals(Word.SEALED);
            steps.to(
                    state.with(i, sealed ? issuer.startsAgain() : issuer.reads(window.word())),
                    () -> "T%d reads word %s".formatted(i, text(window.word())));
        } else if (!issuer.read().equals(window.word())) {
            steps.to(
                    state.with(i, issuer.reads(Word.UNREAD)), () -> "T%d finds that the word has changed".formatted(i));
        } else {
            compareAndSet(state, i, window, steps);
        }
    }

    /** Issues the next sequence, or the first id of any later tick of the window, because the clock may show any. */
    private void compareAndSet(State state, int i, Window window, ModelSearch.Steps<State> steps) {
        Issuer issuer = state.issuers().get(i);
        Word next = window.word().next();
        if (next.tick() >= window.hi()) {
            steps.to(state.with(i, issuer.startsAgain()), () -> "T%d finds the window used up".formatted(i));
            return;
        }
        Stream.concat(Stream.of(next), laterTicks(window)).distinct().forEach(word -> {
            Id id = new Id(word.tick(), window.worker(), word.sequence());
            String fault = broken(state, id);
            if (!fault.isEmpty()) {
                steps.violation(() -> "T%d issues %s: %s".formatted(i, id, fault));
            }
            steps.to(
                    state.with(issuer.window(), word).with(id).with(i, issuer.issued()),
                    () -> "T%d issues %s".formatted(i, id));
        });
    }

    private static Stream<Word> laterTicks(Window window) {
        return Stream.iterate(
                new Word(Math.max(window.lo(), window.word().tick() + 1), 0),
                word -> word.tick() < window.hi(),
                word -> new Word(word.tick() + 1, 0));
    }

    /**
     * Returns which promise an id breaks, or an empty text. No id is issued twice. The ids of a process never fall, in
     * the order of the steps that issue them. No id is at or above the horizon with which its worker id was released.
     */
    private String broken(State state, Id id) {
        if (!has(Trait.FALLS) && state.issued().ids().contains(id)) {
            return "issued twice";
        }
        if (!has(Trait.REPEATS) && id.compareTo(state.issued().greatest()) < 0) {
            return "below " + state.issued().greatest();
        }
        if (id.worker() == state.close().worker() && id.tick() >= state.close().horizon()) {
            return "its worker id is released from tick " + state.close().horizon() + " on";
        }
        return "";
    }

    /** Replaces the window in two steps, under the lock. A closed process takes no window. */
    private void refill(State state, ModelSearch.Steps<State> steps) {
        int next = state.refill().next();
        if (next == GRANTS.size()) {
            return;
        }
        Word taken = state.refill().taken();
        if (taken.equals(Word.UNREAD)) {
            if (has(Trait.RACE) || state.lock() == Lock.FREE && state.close().stage() == Stage.OPEN) {
                Word old = state.windows().get(state.current()).word();
                State seen = has(Trait.UNSEALED) ? state : state.with(state.current(), Word.SEALED);
                Word kept = old.equals(Word.SEALED) ? new Word(-1, 0) : old;
                steps.to(
                        seen.with(new Refill(next, kept), Lock.REFILL),
                        () -> "the refill %s word %s".formatted(has(Trait.UNSEALED) ? "reads" : "seals", text(old)));
            }
            return;
        }
        Window grant = GRANTS.get(next);
        int lo = has(Trait.SAME_LO) ? grant.lo() : Math.max(grant.lo(), taken.tick() + 1);
        Window window = new Window(grant.worker(), lo, grant.hi(), Word.before(lo));
        steps.to(
                state.published(window).with(new Refill(next + 1, Word.UNREAD), Lock.FREE),
                () -> "the refill publishes [%d,%d) of worker %d".formatted(lo, window.hi(), window.worker()));
    }

    private void close(State state, ModelSearch.Steps<State> steps) {
        Close close = state.close();
        if (close.stage() == Stage.OPEN && (has(Trait.RACE) || state.lock() == Lock.FREE)) {
            Window window = state.windows().get(state.current());
            State seen = has(Trait.OPEN) ? state : state.with(state.current(), Word.SEALED);
            steps.to(
                    seen.with(new Close(Stage.SEALED, window.worker(), window.word()), Lock.CLOSE),
                    () -> "the close %s word %s".formatted(has(Trait.OPEN) ? "reads" : "seals", text(window.word())));
        } else if (close.stage() == Stage.SEALED) {
            Close closed = new Close(Stage.CLOSED, close.worker(), close.word());
            boolean releases = !close.word().equals(Word.SEALED);
            steps.to(
                    state.with(closed, state.lock()),
                    () -> releases
                            ? "the close releases worker %d at tick %d".formatted(closed.worker(), closed.horizon())
                            : "the close finds a sealed word and releases nothing");
        }
    }

    private static String text(Word word) {
        return word.equals(Word.SEALED) ? "sealed" : "(%d,%d)".formatted(word.tick(), word.sequence());
    }
}
