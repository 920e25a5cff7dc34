package io.idgen.core.internal.block;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * An atomic number with no other on its line of the cache, nor on the next: whoever reads what lies there would wait for each
 * write to the number by another core. It stands in the middle of an array, since the JVM decides where fields lie.
 */
public final class PaddedLong {
    private static final int PAIR_OF_LINES = 16; // longs

    private final AtomicLongArray numbers = new AtomicLongArray(2 * PAIR_OF_LINES + 1);

    public PaddedLong(long number) {
        numbers.set(PAIR_OF_LINES, number);
    }

    public long get() {
        return numbers.get(PAIR_OF_LINES);
    }

    public long getAndAdd(long addend) {
        return numbers.getAndAdd(PAIR_OF_LINES, addend);
    }

    public long getAndSet(long number) {
        return numbers.getAndSet(PAIR_OF_LINES, number);
    }
}
