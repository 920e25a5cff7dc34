package io.idgen.core.inspect;

/**
 * How near workers come to using up their ticks: who does has to wait for the next one, and wants more sequence bits or more
 * workers.
 *
 * @param idsPerTick how many ids a worker has in a tick
 * @param highestSequence the highest sequence met, 0 if there are no ids
 * @param idsNearTheTop how many ids have a sequence in the top 1 % of a tick's, which is at least the last one
 * @param mostInOneTick the most ids of one worker in one tick. Exact if the ids of a tick stand together or apart by less
 *     than {@value WorkerTally#TICKS} ticks; in a stream that is mixed more than that they may be counted as several ticks', and this is too low
 */
public record Saturation(long idsPerTick, int highestSequence, long idsNearTheTop, int mostInOneTick) {
    private static final int PERCENT = 100;

    /**
     * How far into a tick ids ever went. More than {@link #mostInOneTick} suggests where ticks do not begin at sequence 0.
     *
     * @return above 0 to 1, where 1 is a tick used to its end
     */
    public double highestShare() {
        return (highestSequence + 1.0) / idsPerTick;
    }

    /** How many of a tick's ids are near its end. */
    static long topOf(long idsPerTick) {
        return Math.max(1, idsPerTick / PERCENT);
    }
}
