package io.idgen.cli.analysis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts {@code id % M} for each M from {@value #FEWEST} to {@value #MOST}.
 *
 * <p>It divides each id by 11 numbers instead of 63. The remainder by 12 determines those by 2, 3, 4 and 6, so the
 * counts for each M are added up at the end from those of a multiple.
 */
final class RemainderTally {
    static final int FEWEST = 2;
    static final int MOST = 64;

    /** Each M divides one of these. They are small enough that their counts stay in the processor's cache. */
    private static final int[] MULTIPLES = {
        49,
        41 * 43,
        47 * 53,
        59 * 61,
        2 * 23 * 37,
        2 * 29 * 31,
        2 * 3 * 17 * 19,
        2 * 27 * 5 * 7,
        4 * 3 * 25 * 13,
        8 * 9 * 5 * 11,
        64 * 9 * 7
    };

    private final long[][] counts =
            IntStream.of(MULTIPLES).mapToObj(long[]::new).toArray(long[][]::new);

    void add(long id) {
        for (long[] count : counts) {
            count[(int) (id % count.length)]++;
        }
    }

    List<Shards> result() {
        return IntStream.rangeClosed(FEWEST, MOST).mapToObj(this::fold).toList();
    }

    private Shards fold(int shards) {
        long[] multiple = multipleOf(shards);
        List<Long> folded = new ArrayList<>(Collections.nCopies(shards, 0L));
        for (int remainder = 0; remainder < multiple.length; remainder++) {
            folded.set(remainder % shards, folded.get(remainder % shards) + multiple[remainder]);
        }
        return new Shards(folded);
    }

    private long[] multipleOf(int shards) {
        for (long[] count : counts) {
            if (count.length % shards == 0) {
                return count;
            }
        }
        throw new IllegalStateException("no multiple of " + shards);
    }
}
