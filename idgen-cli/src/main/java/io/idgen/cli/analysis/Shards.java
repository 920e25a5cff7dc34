package io.idgen.cli.analysis;

import java.util.Collections;
import java.util.List;

/**
 * How evenly {@code id % count} distributes ids over a number of shards, partitions or buckets.
 *
 * <p>The measure is the skew: the number of ids in the fullest shard, divided by the average. It shows how much more
 * disk and load that shard gets, and means the same for a thousand ids as for a billion. Chi-square has no unit and
 * grows with the number of ids, until it calls every real stream uneven. With few ids the skew is above 1 by chance, as
 * any measure would be; use some hundred ids per shard.
 *
 * @param ids how many ids have each remainder, from 0. Its size is the number of shards, at least 1; unmodifiable
 */
public record Shards(List<Long> ids) {

    /**
     * Checks and copies the list.
     *
     * @throws IllegalArgumentException if the list is empty
     */
    public Shards {
        ids = List.copyOf(ids);
        if (ids.isEmpty()) {
            throw new IllegalArgumentException("at least one shard is needed, got an empty list");
        }
    }

    /**
     * Returns the number of shards.
     *
     * @return the divisor of the ids, at least 1
     */
    public int count() {
        return ids.size();
    }

    /**
     * Returns the skew: the number of ids in the fullest shard, divided by the average.
     *
     * @return 1 if all shards have the same number, {@link #count()} if one shard has all ids; 1 if there are no ids
     */
    public double skew() {
        long all = ids.stream().mapToLong(Long::longValue).sum();
        return all == 0 ? 1 : (double) Collections.max(ids) * count() / all;
    }
}
