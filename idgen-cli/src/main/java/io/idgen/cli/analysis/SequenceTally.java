package io.idgen.cli.analysis;

/** Measures how high sequences go. */
final class SequenceTally {
    private final long idsPerTick;
    private final long top;
    private int highest;
    private long nearTheTop;

    SequenceTally(long idsPerTick) {
        this.idsPerTick = idsPerTick;
        this.top = idsPerTick - Saturation.topOf(idsPerTick);
    }

    void add(int sequence) {
        highest = Math.max(highest, sequence);
        if (sequence >= top) {
            nearTheTop++;
        }
    }

    Saturation result(int mostInOneTick) {
        return new Saturation(idsPerTick, highest, nearTheTop, mostInOneTick);
    }
}
