package io.idgen.proof;

import io.idgen.jdbc.testing.IdLog;
import java.util.Comparator;
import java.util.List;

/**
 * Checks that a process generates ids while it has no fault. A fault of the store is one of each process.
 *
 * @param life from the start of the process to its end
 * @param faults the times of all its faults, in any order
 */
record Liveness(Span life, List<Span> faults) {

    Liveness {
        faults = faults.stream()
                .sorted(Comparator.comparingLong(Span::beginNanos))
                .toList();
    }

    /** Returns the longest time without an id and without a fault, in milliseconds. */
    long longestWait(IdLog ids) {
        int count = ids.count();
        long longest = 0;
        long before = life.beginNanos();
        for (int i = 0; i <= count; i++) {
            long next = i < count ? ids.nanoTime(i) : life.endNanos();
            if (next - before > longest) {
                longest = Math.max(longest, longestWithoutFault(before, next));
            }
            before = next;
        }
        return longest / 1_000_000;
    }

    private long longestWithoutFault(long beginNanos, long endNanos) {
        long longest = 0;
        long free = beginNanos; // the end of all faults so far
        for (Span fault : faults) {
            longest = Math.max(longest, Math.min(fault.beginNanos(), endNanos) - free);
            free = Math.max(free, fault.endNanos());
        }
        return Math.max(longest, endNanos - free);
    }
}
