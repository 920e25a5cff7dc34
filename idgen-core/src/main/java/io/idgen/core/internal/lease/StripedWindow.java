package io.idgen.core.internal.lease;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A rising window for wide layouts, in which threads claim blocks of {@value #BLOCK} words and then use them word by
 * word. This reduces contention: the cores share the cache line of the window once per block, not once per id.
 *
 * <p>The id of a thread selects its stripe, which is the last used word of a block. A stripe only rises, by
 * compare-and-set. So two threads may share one, and a seal ends it as it ends the window. Words of a stripe rise;
 * words of several stripes rise from tick to tick.
 *
 * <p>A block is claimed like a single word: below the limit of the clock policy, and below the highest word that a seal
 * finds. The rest of a block is lost when its tick ends, so this is for layouts with many ids per tick.
 */
public final class StripedWindow extends RisingWindow {
    /** A power of two. Blocks end at its multiples, so the last word shows whether a stripe has one left. */
    private static final int BLOCK = 64;

    /** Enough for the busy threads of a large host. */
    private static final int STRIPES = 64;

    /** The fewest ids per tick. The blocks of all stripes together are then a 64th of a tick. */
    public static final int WIDE = 64 * BLOCK * STRIPES;

    /** From this sequence on a tick counts as busy: one word in 250 ns, if the tick is a millisecond. */
    private static final int BUSY = 4096;

    // Padding against false sharing; processors prefetch cache lines in pairs.
    private static final int LINE_PAIR = 16;

    private final AtomicLongArray stripes = new AtomicLongArray((STRIPES + 1) * LINE_PAIR);

    StripedWindow(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick, long aheadTicks) {
        super(layout, workerId, startOffsets, firstTick, aheadTicks);
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            stripes.set(place(stripe), NONE);
        }
    }

    /** A rising window that begins with a tick; striped if a tick has {@value #WIDE} ids or more. */
    public static RisingWindow ifWide(
            SnowflakeLayout layout, long workerId, int startOffsets, long firstTick, long aheadTicks) {
        return layout.idsPerTick() >= WIDE
                ? new StripedWindow(layout, workerId, startOffsets, firstTick, aheadTicks)
                : new RisingWindow(layout, workerId, startOffsets, firstTick, aheadTicks);
    }

    private static int place(int stripe) {
        return (stripe + 1) * LINE_PAIR;
    }

    static int placeOfThread() {
        return place((int) Thread.currentThread().getId() & (STRIPES - 1));
    }

    @Override
    public long claim(Ticks clock) {
        int mine = placeOfThread();
        long last = stripes.get(mine);
        while (hasNext(last) && isCurrent(last + 1, clock)) {
            long seen = stripes.compareAndExchange(mine, last, last + 1);
            if (seen == last) {
                return last + 1;
            }
            last = seen; // another thread has the same stripe, or the window is sealed
        }
        long first = spread(super.claim(clock, BLOCK));
        raise(mine, first);
        return first;
    }

    /**
     * Returns the word with which a thread begins a block. In the first blocks of a tick, that is a hash of the block,
     * so that ids of many threads spread over their low bits as those of one thread do. The words below are lost, at
     * most {@value #BUSY} of a tick.
     */
    private long spread(long first) {
        return first >= 0 && (first & (BLOCK - 1)) == 0 && (first & sequenceMask) < BUSY
                ? first + (hash(first) & startMask & (BLOCK - 1))
                : first;
    }

    /** Abandons the rest of the thread's block, so that the words of a thread rise. */
    @Override
    public long claim(Ticks clock, int count) {
        long first = super.claim(clock, count);
        raise(placeOfThread(), (first & -BLOCK) - 1); // the last word of a block, so no word is left
        return first;
    }

    /** Ends a claim of a block or more at the end of a block. */
    @Override
    public int claimed(long first, int wanted) {
        int claimed = super.claimed(first, wanted);
        return wanted < BLOCK ? claimed : claimed - (int) ((first + claimed) & (BLOCK - 1));
    }

    /** Whether a word is left in the block of a stripe. */
    private static boolean hasNext(long last) {
        return last >= 0 && ((last + 1) & (BLOCK - 1)) != 0;
    }

    /** Returns whether the clock allows a word of a block: its tick is not over, and not too far ahead. */
    private boolean isCurrent(long word, Ticks clock) {
        boolean busy = (word & sequenceMask) >= BUSY;
        long now = busy ? clock.recently() : clock.now();
        if (busy && word > ceiling(now)) {
            now = clock.now(); // the cached tick is late
        }
        return word >= now << sequenceBits && word <= ceiling(now);
    }

    /** Begins a claimed block, unless the window was sealed meanwhile. */
    void raise(int place, long word) {
        stripes.accumulateAndGet(place, word, StripedWindow::higher);
    }

    private static long higher(long last, long word) {
        return last == SEALED ? SEALED : Math.max(last, word);
    }

    /** Ends the blocks after the window, so that no stripe is filled again. */
    @Override
    long sealWords() {
        long highest = super.sealWords();
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            stripes.set(place(stripe), SEALED);
        }
        return highest;
    }
}
