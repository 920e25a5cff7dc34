package io.idgen.cli.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts ids over time, with one row for each worker. The buckets have the width of a tick at first. It doubles
 * whenever a row would be longer than {@value #POINTS}.
 */
final class LoadGrid {
    /** A power of two, so that a mask finds the place of a bucket. */
    static final int POINTS = 512;

    private final List<long[]> rows = new ArrayList<>();
    private long width;

    /** The first covered bucket; nothing is covered while it is above the last. */
    private long first = 0;

    private long last = -1;

    LoadGrid(long tickMillis) {
        this.width = tickMillis;
    }

    /** Adds a row, and returns its index. */
    int addRow() {
        rows.add(new long[POINTS]);
        return rows.size() - 1;
    }

    void add(int row, long epochMillis) {
        long bucket = Math.floorDiv(epochMillis, width);
        if (first > last) {
            first = bucket;
            last = bucket;
        }
        while (Math.max(last, bucket) - Math.min(first, bucket) >= POINTS) {
            widen();
            bucket >>= 1;
        }
        first = Math.min(first, bucket);
        last = Math.max(last, bucket);
        rows.get(row)[place(bucket)]++;
    }

    private void widen() {
        rows.replaceAll(row -> {
            long[] wider = new long[POINTS];
            for (long bucket = first; bucket <= last; bucket++) {
                wider[place(bucket >> 1)] += row[place(bucket)];
            }
            return wider;
        });
        width *= 2;
        first >>= 1;
        last >>= 1;
    }

    private static int place(long bucket) {
        return (int) (bucket & (POINTS - 1));
    }

    long startMillis() {
        return first * width;
    }

    long bucketMillis() {
        return width;
    }

    List<Long> row(int index) {
        return sum(List.of(rows.get(index)));
    }

    List<Long> total() {
        return sum(rows);
    }

    private List<Long> sum(List<long[]> summed) {
        List<Long> ids = new ArrayList<>();
        for (long bucket = first; bucket <= last; bucket++) {
            int place = place(bucket);
            ids.add(summed.stream().mapToLong(row -> row[place]).sum());
        }
        return ids;
    }
}
