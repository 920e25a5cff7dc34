package io.idgen.cli.analysis;

import io.idgen.text.Spans;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts ids over time, one row per worker, all rows with the same buckets.
 *
 * <p>A row is a ring. Bucket b, numbered in bucket widths from 1970, is at index b modulo the length, so the covered
 * time can grow at both ends without moving counts. If it no longer fits, buckets are merged in pairs; if the caller
 * chose the width, the ring doubles instead. The result depends only on the ids, not on their order.
 */
final class LoadGrid {

    /**
     * The initial length of a row, and the largest number of buckets if their width may grow. A power of two, so that a
     * mask works.
     */
    static final int POINTS = 512;

    /** The largest number of cells of all rows together: 16 MiB. */
    static final int MOST_CELLS = 1 << 21;

    private final boolean widens;
    private final List<long[]> rows = new ArrayList<>();
    private int places = POINTS;
    private long width;

    /** The first covered bucket; nothing is covered while it is above the last. */
    private long first = 0;

    private long last = -1;

    LoadGrid(Duration bucket, boolean widens) {
        this.width = bucket.toMillis();
        this.widens = widens;
    }

    /** Adds a row for one more worker, and returns its index. */
    int addRow() {
        checkRoom(rows.size() + 1, places);
        rows.add(new long[places]);
        return rows.size() - 1;
    }

    void add(int row, long epochMillis) {
        long bucket = Math.floorDiv(epochMillis, width);
        if (bucket < first || bucket > last) {
            bucket = cover(epochMillis);
        }
        rows.get(row)[place(bucket, places)]++;
    }

    private long cover(long epochMillis) {
        long bucket = Math.floorDiv(epochMillis, width);
        if (first > last) {
            first = bucket;
            last = bucket;
        }
        while (Math.max(last, bucket) - Math.min(first, bucket) >= places) {
            if (widens) {
                rebuild(places, 1);
                width *= 2;
                first >>= 1;
                last >>= 1;
                bucket >>= 1;
            } else {
                checkRoom(rows.size(), 2L * places);
                rebuild(2 * places, 0);
                places *= 2;
            }
        }
        first = Math.min(first, bucket);
        last = Math.max(last, bucket);
        return bucket;
    }

    /** Moves all counts to rows of another length, bucket b to b >> shift. */
    private void rebuild(int newPlaces, int shift) {
        rows.replaceAll(row -> {
            long[] rebuilt = new long[newPlaces];
            for (long b = first; b <= last; b++) {
                rebuilt[place(b >> shift, newPlaces)] += row[place(b, places)];
            }
            return rebuilt;
        });
    }

    private void checkRoom(int rowsWanted, long placesWanted) {
        if (rowsWanted * placesWanted > MOST_CELLS) {
            throw new IllegalArgumentException("load curves of " + (rowsWanted - 1) + " workers in buckets of "
                    + Spans.text(Duration.ofMillis(width)) + " have more than " + MOST_CELLS
                    + " points; choose a longer bucket, or omit it");
        }
    }

    private static int place(long bucket, int places) {
        return (int) (bucket & (places - 1));
    }

    LoadCurve row(int index) {
        return curve(List.of(rows.get(index)));
    }

    LoadCurve total() {
        return curve(rows);
    }

    private LoadCurve curve(List<long[]> summed) {
        List<Long> ids = new ArrayList<>();
        for (long b = first; b <= last; b++) {
            int place = place(b, places);
            ids.add(summed.stream().mapToLong(row -> row[place]).sum());
        }
        return new LoadCurve(Instant.ofEpochMilli(first * width), Duration.ofMillis(width), ids);
    }
}
