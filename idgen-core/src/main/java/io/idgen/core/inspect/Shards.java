package io.idgen.core.inspect;

import java.util.Collections;
import java.util.List;

/**
 * How evenly {@code id % count} spreads the ids over a number of shards, partitions or buckets.
 *
 * <p>The measure is the fullest shard's ids over its fair share, and not chi-square: it says how much more disk and load that
 * shard gets, which is what decides, and reads the same for a thousand ids as for a billion. Chi-square grows with the number
 * of ids, until it calls every real stream uneven, and has no unit. Like any measure, this one is above 1 by mere chance where
 * there are few ids: give it some hundred for each shard.
 *
 * @param ids how many ids have each remainder, from 0; the list's size is the number of shards, and it cannot be changed
 */
public record Shards(List<Long> ids) {

    /** Refuses no shards, and keeps a copy of the list. */
    public Shards {
        ids = List.copyOf(ids);
        if (ids.isEmpty()) {
            throw new IllegalArgumentException("there is at least one shard");
        }
    }

    /**
     * The number of shards.
     *
     * @return what ids were divided by
     */
    public int count() {
        return ids.size();
    }

    /**
     * How many times its fair share the fullest shard has.
     *
     * @return 1 if all have the same, {@link #count()} if one has all; 1 if there are no ids
     */
    public double skew() {
        long all = ids.stream().mapToLong(Long::longValue).sum();
        return all == 0 ? 1 : (double) Collections.max(ids) * count() / all;
    }
}
