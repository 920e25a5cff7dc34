package io.idgen.cli.analysis;

import java.util.Arrays;

/**
 * Counts the ids of one worker.
 *
 * <p>The ids of each tick are counted in a ring of {@value #TICKS} slots; a tick replaces an earlier one in its slot.
 * If a stream is mixed by less than {@value #TICKS} ticks, or runs backwards, the most ids in one tick are exact.
 * Beyond that the value is too low, never too high. A repeated id counts each time.
 */
final class WorkerTally {
    static final int TICKS = 64;

    private final int loadRow;
    private final SequenceTally sequences;
    private final long[] ticks = new long[TICKS];
    private final int[] idsOfTick = new int[TICKS];
    private int mostInOneTick;
    private long ids;

    WorkerTally(int loadRow, long idsPerTick) {
        this.loadRow = loadRow;
        this.sequences = new SequenceTally(idsPerTick);
        Arrays.fill(ticks, -1);
    }

    void add(long tick, int sequence) {
        ids++;
        sequences.add(sequence);
        int slot = (int) (tick % TICKS);
        if (ticks[slot] != tick) {
            ticks[slot] = tick;
            idsOfTick[slot] = 0;
        }
        mostInOneTick = Math.max(mostInOneTick, ++idsOfTick[slot]);
    }

    int loadRow() {
        return loadRow;
    }

    long ids() {
        return ids;
    }

    int mostInOneTick() {
        return mostInOneTick;
    }

    Saturation saturation() {
        return sequences.result(mostInOneTick);
    }
}
