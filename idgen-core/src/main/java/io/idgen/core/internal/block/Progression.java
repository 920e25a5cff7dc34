package io.idgen.core.internal.block;

/** Numbers at even distances, as ids of a run are. */
public final class Progression {
    /** Numbers that are written one by one; each later one is the one so many before it, and a distance. */
    private static final int ONE_BY_ONE = 64;

    private Progression() {}

    /**
     * Puts so many of them into an array. The second loop says the same as the first in a way that the JIT compiler of JDK 17
     * knows to do for several numbers at once, since none depends on one near it.
     */
    public static void fill(long[] numbers, int from, int count, long first, long stride) {
        int end = from + count;
        int middle = from + Math.min(count, ONE_BY_ONE);
        long number = first;
        for (int i = from; i < middle; i++) {
            numbers[i] = number;
            number += stride;
        }
        long distance = ONE_BY_ONE * stride;
        for (int i = middle; i < end; i++) {
            numbers[i] = numbers[i - ONE_BY_ONE] + distance;
        }
    }
}
