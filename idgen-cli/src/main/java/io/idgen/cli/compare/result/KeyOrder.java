package io.idgen.cli.compare.result;

import java.util.List;

/**
 * The order of the keys.
 *
 * @param inversions how many keys are smaller than an earlier one
 * @param share their share of all keys
 * @param shareWithin the share of inversions among the keys of each instance alone
 * @param fullestOf8 the shard skew: the largest of eight shards divided by a fair share; the three lowest bits
 *     select the shard
 * @param ranks the ranks of consecutive keys, in the order of issue; an inversion has the rank -1 - rank
 */
public record KeyOrder(
        long keys, long inversions, double share, double shareWithin, double fullestOf8, List<Integer> ranks) {}
