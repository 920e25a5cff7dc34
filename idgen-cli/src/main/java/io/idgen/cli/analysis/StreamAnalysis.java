package io.idgen.cli.analysis;

import java.util.List;

/**
 * The result of an analysis of a stream of ids, and its JSON form: ids as strings, times in UTC, durations in
 * milliseconds. All components except {@code outside} refer to plausible ids only.
 *
 * @param layout the preset's name, or widths and epoch
 * @param ids how many plausible ids there are
 * @param first the time of the earliest id; empty if there is none
 * @param last the time of the latest id; empty if there is none
 * @param load the number of ids over time
 * @param workers the first {@value StreamAnalyzer#MOST_WORKERS} workers of the stream, by datacenter and worker
 * @param otherWorkersIds how many ids belong to further workers
 * @param saturation how close the workers came to using all ids of a tick, for all workers together
 * @param inversions ids that are smaller than an earlier one
 * @param duplicates ids that repeat an earlier one. All are found if equal ids are neighbours, for example in a sorted
 *     stream; otherwise equal ids that are many thousands apart may be missed
 * @param cause the likely cause of the duplicates; empty if there are none
 * @param outside numbers that cannot be ids of this layout by now: negative, too long, or more than a day in the future
 * @param evenness how evenly {@code id % shards} distributes the ids, for 2 to {@value StreamAnalyzer#MOST_SHARDS}
 */
public record StreamAnalysis(
        String layout,
        long ids,
        String first,
        String last,
        Load load,
        List<Worker> workers,
        long otherWorkersIds,
        Saturation saturation,
        Inversions inversions,
        Found duplicates,
        String cause,
        Found outside,
        List<Evenness> evenness) {

    /**
     * The number of ids over time.
     *
     * @param start the beginning of the first bucket
     * @param bucketMillis the duration of one bucket
     * @param ids the number of ids in each bucket, without gaps
     */
    public record Load(String start, long bucketMillis, List<Long> ids) {}

    /** The ids of one worker. Its load has the same buckets as that of all workers. */
    public record Worker(int datacenter, int worker, long ids, Saturation saturation, List<Long> load) {}

    /**
     * How close workers come to using all ids of a tick. A worker that does so must wait for the next tick, and needs
     * more sequence bits or more workers.
     *
     * @param idsPerTick how many ids a worker has per tick
     * @param highestSequence the highest sequence found; 0 if there are no ids
     * @param idsNearTheTop how many ids have a sequence in the top 1 % of a tick, at least the last one
     * @param mostInOneTick the most ids of one worker in one tick. Exact if ids of one tick are less than
     *     {@value WorkerTally#TICKS} ticks apart in the stream; otherwise it can be too low
     */
    public record Saturation(long idsPerTick, int highestSequence, long idsNearTheTop, int mostInOneTick) {

        /** Returns how far into a tick the ids go: above 0 to 1. */
        public double highestShare() {
            return (highestSequence + 1.0) / idsPerTick;
        }
    }

    /**
     * Ids that are smaller than the largest id before them. In insertion order, each of them inserts into the middle of
     * the primary key's index.
     *
     * @param count how many there are; equal ids do not count
     * @param share the proportion of them among all ids
     * @param largestStepBackMillis the longest time from such an id to the largest id before it
     */
    public record Inversions(long count, double share, long largestStepBackMillis) {}

    /** How many ids there are, and the first {@value StreamAnalyzer#MOST_LISTED} of them, each once. */
    public record Found(long count, List<String> first) {}

    /**
     * How evenly {@code id % shards} distributes the ids: the number of ids in the fullest shard, divided by the
     * average. With few ids it is above 1 by chance; use some hundred ids per shard.
     */
    public record Evenness(int shards, double fullestOverFairShare) {}
}
