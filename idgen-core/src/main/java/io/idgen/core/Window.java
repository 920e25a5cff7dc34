package io.idgen.core;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Ticks of one machine id that belong to this process alone, and how far it has come in them: one state word {@code tick <<
 * sequenceBits | sequence} that only rises. The carry out of a full sequence is the next tick. An id exists only by the
 * step of the word that makes it, so each is made once; a sealed window makes no more.
 */
final class Window {
    /** What the word is once nothing may be issued; no step leads away from it. */
    static final long SEALED = Long.MIN_VALUE;

    private final SnowflakeLayout layout;
    private final long machine;
    private final long lastWord;
    private final AtomicLong word;

    /** A window from the given tick to the end of the layout. Tick 0 is left out: its first id would be 0. */
    Window(SnowflakeLayout layout, long machine, long firstTick) {
        this.layout = layout;
        this.machine = machine;
        this.lastWord = lastWordOf(layout.lastTick());
        this.word = new AtomicLong((Math.max(1, firstTick) << layout.sequenceBits()) - 1);
    }

    /** The word of the last id, or {@link #SEALED}. */
    long word() {
        return word.get();
    }

    /** The highest word that may be issued up to and in the given tick. */
    long ceiling(long tick) {
        return tick >= layout.lastTick() ? lastWord : lastWordOf(tick);
    }

    /** Claims all words above {@code from} up to {@code to}; false if another thread was first, or the window is sealed. */
    boolean advance(long from, long to) {
        return word.compareAndSet(from, to);
    }

    /** The id of a claimed word. */
    long id(long claimed) {
        return layout.compose(claimed, machine);
    }

    boolean isUsedUp(long last) {
        return last >= lastWord;
    }

    /** Ends the window; returns the word of its last id, or {@link #SEALED} if it was sealed before. */
    long seal() {
        return word.getAndSet(SEALED);
    }

    private long lastWordOf(long tick) {
        return (tick << layout.sequenceBits()) | (layout.idsPerTick() - 1);
    }
}
