package io.idgen.core.segment;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A cache-line-padded atomic long, which avoids false sharing. It is the middle element of an array, because the JVM
 * chooses the position of fields. It is padded by two lines on either side: processors prefetch lines in pairs.
 */
final class PaddedLong {
    private static final int PAIR_OF_LINES = 16; // longs

    private final AtomicLongArray numbers = new AtomicLongArray(2 * PAIR_OF_LINES + 1);

    PaddedLong(long number) {
        numbers.set(PAIR_OF_LINES, number);
    }

    long get() {
        return numbers.get(PAIR_OF_LINES);
    }

    long getAndAdd(long addend) {
        return numbers.getAndAdd(PAIR_OF_LINES, addend);
    }

    boolean compareAndSet(long expected, long number) {
        return numbers.compareAndSet(PAIR_OF_LINES, expected, number);
    }
}
