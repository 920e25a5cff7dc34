package io.idgen.cli.analysis;

import java.util.Arrays;

/**
 * Detects repeated ids in constant memory. Each id is stored at the index of its hash, and replaces the id that was
 * there. Equal neighbours are always detected, and equal ids some thousands apart nearly always. There are no false
 * reports.
 */
final class RecentIds {
    private static final int PLACE_BITS = 16;

    // 2^64 divided by the golden ratio, odd: spreads ids that differ only in some bits (Knuth, TAOCP 3, 6.4)
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final long[] places = new long[1 << PLACE_BITS];

    RecentIds() {
        Arrays.fill(places, -1);
    }

    /** Stores an id, 0 or above, and returns whether it is already stored. */
    boolean sawBefore(long id) {
        int place = (int) ((id * SPREAD) >>> (Long.SIZE - PLACE_BITS));
        boolean known = places[place] == id;
        places[place] = id;
        return known;
    }
}
