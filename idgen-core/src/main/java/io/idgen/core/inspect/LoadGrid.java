package io.idgen.core.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts over time, one row for each worker, all in the same buckets.
 *
 * <p>A row is a ring: bucket b, counted in bucket widths from 1970, has its place at b modulo the length, so the time covered
 * can grow at both ends and nothing moves. When it no longer fits, buckets are merged in pairs or, if their width was chosen,
 * the ring doubles. What comes out depends on the ids alone, not on their order.
 */
final class LoadGrid {

    /** The most buckets whose width was not chosen, and the fewest places of a row. A power of two, so that a mask finds a place. */
    static final int POINTS = 512;

    /** The most places of all rows together: 16 MiB. */
    static final int MOST_CELLS = 1 << 21;

    private final boolean widens;
    private final List<long[]> rows = new ArrayList<>();
    private int places = POINTS;
    private long width;

    /** The buckets covered; none while the first is above the last. */
    private long first = 0;

    private long last = -1;

    LoadGrid(Duration bucket, boolean widens) {
        this.width = bucket.toMillis();
        this.widens = widens;
    }

    /** Makes room for one more worker. */
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

    /** Moves what is counted to rows of another length, bucket b to b >> shift. */
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
                    + " points; choose a longer bucket, or none and let it double");
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
