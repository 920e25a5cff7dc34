package io.idgen.core.internal.time;

/** Fills arrays with arithmetic sequences, such as the ids of a segment. */
public final class Progression {
    /**
     * This many numbers are computed from their predecessor. Each later number is the one this many places before it,
     * plus a constant.
     */
    private static final int ONE_BY_ONE = 64;

    private Progression() {}

    /**
     * Writes {@code count} numbers into an array. The JIT compiler of JDK 17 vectorises the second loop, because no
     * number depends on one next to it; it does not vectorise the first.
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
