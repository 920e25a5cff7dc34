package io.idgen.core.internal.window;

import io.idgen.core.internal.block.ThreadBlocks;
import io.idgen.core.layout.SnowflakeLayout;

/**
 * A rising window for wide layouts. After the first failed compare-and-set, threads claim blocks of {@value #BLOCK}
 * words and use them while their tick lasts. This avoids contention: the cores share the cache line of the word once
 * per block, not once per id. Ids of several threads are then not in order within a tick.
 *
 * <p>A block is claimed like a single word: below the limit of the clock policy, and below the highest word that a seal
 * finds. The rest of a block is lost when its tick ends, so this is for layouts with many ids per tick.
 *
 * <p>Not for leased worker ids. If a process is copied while a thread is between the check for a seal and its block,
 * the thread uses the block in each copy. A compare-and-set on the shared word fails there.
 */
public final class StripedWindow extends RisingWindow {
    private static final int BLOCK = 64;

    /** The fewest ids per tick. The blocks of all slots together are then a 64th of a tick. */
    public static final int WIDE = 64 * BLOCK * ThreadBlocks.SLOTS;

    /** A tick with this many words claimed counts as busy: one word in 250 ns, if the tick is a millisecond. */
    private static final int BUSY = 4096;

    private final ThreadBlocks blocks = new ThreadBlocks();
    private volatile boolean raced;

    /** Creates a window that begins with a tick. */
    public StripedWindow(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick, long aheadTicks) {
        super(layout, workerId, startOffsets, firstTick, aheadTicks);
    }

    @Override
    public long claim(Ticks clock) {
        ThreadBlocks.Block mine = raced ? blocks.mine() : null;
        if (mine == null) {
            return claim(clock, 1);
        }
        long now = clock.now();
        long word = mine.next();
        if (word >= now << sequenceBits && word <= ceiling(now) && word != ThreadBlocks.Block.EMPTY) {
            return mine.take();
        }
        long first = claim(clock, BLOCK);
        if (first < 0) {
            return first;
        }
        mine.fill(first, claimed(first, BLOCK), 1);
        return mine.take();
    }

    /**
     * Without contention, reading the clock takes most of the time of a call. So in a busy tick most words use the
     * cached tick. The first word of each block reads the clock itself, so a new tick is noticed after at most {@value
     * #BLOCK} words.
     */
    @Override
    long tickAfter(long last, Ticks clock) {
        if ((last & sequenceMask) < BUSY || (last & (BLOCK - 1)) == BLOCK - 1) {
            return clock.now();
        }
        long recently = clock.recently();
        return recently + aheadTicks() >= last >>> sequenceBits ? recently : clock.now();
    }

    @Override
    void lostRace() {
        raced = true;
    }

    @Override
    long sealWords() {
        blocks.close();
        return super.sealWords();
    }
}
