package io.idgen.core.internal.window;

import io.idgen.core.internal.block.ThreadBlocks;
import io.idgen.core.layout.SnowflakeLayout;

/**
 * A rising window of which threads that race for its word claim blocks, and use them up while the clock is in their tick. Such
 * threads would pass a line of the cache back and forth for each id, and read the clock in between, which waits for it; this way
 * they meet once in {@value #BLOCK} ids, at the price of the order within a tick. Until a step fails there are no blocks.
 *
 * <p>A word of a block was claimed like any other: below the bound that the policy sets, below the highest that a seal finds, once.
 * What is left of a block when its tick is over stays unused, so this is for layouts whose ticks have plenty.
 *
 * <p>Not for leased worker ids: a thread that is stopped between the look at a seal and its block would go on in each copy of
 * a process, where a step of the shared word fails.
 */
public final class StripedWindow extends RisingWindow {
    private static final int BLOCK = 64;

    /** How many ids a tick has at least: a block of each slot is then a 64th of them. */
    public static final int WIDE = 64 * BLOCK * ThreadBlocks.SLOTS;

    /** After so many words of a tick it is busy: of a millisecond's, one in 250 ns. */
    private static final int BUSY = 4096;

    private final ThreadBlocks blocks = new ThreadBlocks();
    private volatile boolean raced;

    /** A window from the given tick on. */
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
     * A thread that has no one to race with spends most of the time on the clock. So where a tick is busy, most of its words are by
     * what the clock said recently. The first of each block still are by the clock itself, so that a tick which has begun is
     * noticed after fewer words than that.
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
