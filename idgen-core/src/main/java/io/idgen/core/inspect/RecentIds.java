package io.idgen.core.inspect;

import java.util.Arrays;

/**
 * Recognises repetitions in fixed room: each id takes the place that its hash gives it and pushes out whoever was there. Two
 * equal neighbours are always seen, equal ids some thousands apart nearly always; what is seen was there.
 */
final class RecentIds {
    private static final int PLACE_BITS = 16;

    // 2^64 divided by the golden ratio, odd: spreads ids that differ only in some bits (Knuth, TAOCP 3, 6.4)
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final long[] places = new long[1 << PLACE_BITS];

    RecentIds() {
        Arrays.fill(places, -1);
    }

    /** Remembers an id, 0 or above, and says whether it is known already. */
    boolean sawBefore(long id) {
        int place = (int) ((id * SPREAD) >>> (Long.SIZE - PLACE_BITS));
        boolean known = places[place] == id;
        places[place] = id;
        return known;
    }
}
