package io.idgen.cli.analysis;

/**
 * How close workers come to using all ids of a tick. A worker that does so must wait for the next tick, and needs more
 * sequence bits or more workers.
 *
 * @param idsPerTick how many ids a worker has per tick
 * @param highestSequence the highest sequence found; 0 if there are no ids
 * @param idsNearTheTop how many ids have a sequence in the top 1 % of a tick, at least the last one
 * @param mostInOneTick the most ids of one worker in one tick. Exact if ids of one tick are less than
 *     {@value WorkerTally#TICKS} ticks apart in the stream; in a stream that is mixed more, one tick may be counted as
 *     several, and the value is too low
 */
public record Saturation(long idsPerTick, int highestSequence, long idsNearTheTop, int mostInOneTick) {
    private static final int PERCENT = 100;

    /**
     * Returns how far into a tick the ids go, as a proportion. It exceeds what {@link #mostInOneTick} suggests if ticks
     * do not begin at sequence 0.
     *
     * @return above 0 to 1; 1 means that a tick is used to its end
     */
    public double highestShare() {
        return (highestSequence + 1.0) / idsPerTick;
    }

    /** Returns how many ids of a tick count as near its end. */
    static long topOf(long idsPerTick) {
        return Math.max(1, idsPerTick / PERCENT);
    }
}
