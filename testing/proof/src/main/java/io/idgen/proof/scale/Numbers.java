package io.idgen.proof.scale;

import java.util.Arrays;

/** A growing list of numbers. Safe for many threads. */
final class Numbers {
    private long[] all = new long[1 << 10];
    private int size;

    synchronized void add(long number) {
        if (size == all.length) {
            all = Arrays.copyOf(all, 2 * size);
        }
        all[size++] = number;
    }

    synchronized int size() {
        return size;
    }

    /** Returns the numbers from a position on, sorted. */
    synchronized long[] sortedFrom(int position) {
        long[] sorted = Arrays.copyOfRange(all, position, size);
        Arrays.sort(sorted);
        return sorted;
    }

    /** Returns how many numbers occur again. */
    long duplicates() {
        long[] sorted = sortedFrom(0);
        long count = 0;
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                count++;
            }
        }
        return count;
    }
}
