package io.idgen.cli.analysis;

import io.idgen.cli.analysis.StreamAnalysis.Saturation;
import java.util.Arrays;

/**
 * Counts the ids of one worker, or of all.
 *
 * <p>The ids of each tick are counted in a ring of {@value #TICKS} slots; a tick replaces an earlier one in its slot.
 * If a stream is mixed by less than {@value #TICKS} ticks, or runs backwards, the most ids in one tick are exact.
 * Beyond that the value is too low, never too high. A repeated id counts each time.
 */
final class WorkerTally {
    static final int TICKS = 64;
    private static final int PERCENT = 100;

    final int loadRow;
    private final long idsPerTick;
    private final long[] ticks = new long[TICKS];
    private final int[] idsOfTick = new int[TICKS];
    long ids;
    private int highest;
    private long nearTheTop;
    private int mostInOneTick;

    WorkerTally(int loadRow, long idsPerTick) {
        this.loadRow = loadRow;
        this.idsPerTick = idsPerTick;
        Arrays.fill(ticks, -1);
    }

    void add(long tick, int sequence) {
        ids++;
        highest = Math.max(highest, sequence);
        if (sequence >= idsPerTick - Math.max(1, idsPerTick / PERCENT)) {
            nearTheTop++;
        }
        int slot = (int) (tick % TICKS);
        if (ticks[slot] != tick) {
            ticks[slot] = tick;
            idsOfTick[slot] = 0;
        }
        mostInOneTick = Math.max(mostInOneTick, ++idsOfTick[slot]);
    }

    Saturation saturation() {
        return new Saturation(idsPerTick, highest, nearTheTop, mostInOneTick);
    }

    /** Adds the counts of another worker, whose ticks are its own. */
    void merge(WorkerTally other) {
        highest = Math.max(highest, other.highest);
        nearTheTop += other.nearTheTop;
        mostInOneTick = Math.max(mostInOneTick, other.mostInOneTick);
    }
}
