package io.idgen.core.segment;

import io.idgen.core.internal.time.Progression;
import java.util.Optional;

/** A segment in use, and how many of its ids are taken. Safe for many threads; no method blocks. */
final class Cursor {
    static final long USED_UP = -1;

    private static final int LARGEST_BLOCK = 256;

    // above any count; so far below overflow that calls on a used-up segment do not reach it in a hundred years
    private static final long SEAL = Long.MAX_VALUE / 2;

    private final Segment segment;
    private final long sinceNanos;
    private final long givenBefore;
    private final PaddedLong taken = new PaddedLong(0);
    private volatile long givenAtSeal;

    /**
     * Creates a cursor at the first id of a segment.
     *
     * @param givenBefore how many ids of earlier segments callers have taken
     */
    Cursor(Segment segment, long sinceNanos, long givenBefore) {
        this.segment = segment;
        this.sinceNanos = sinceNanos;
        this.givenBefore = givenBefore;
    }

    /** Returns a cursor without ids. */
    static Cursor empty() {
        Cursor cursor = new Cursor(new Segment(1, 1, 1), 0, 0);
        cursor.seal();
        return cursor;
    }

    Segment segment() {
        return segment;
    }

    /** Returns the time at which it was taken into use, by the monotonic clock. */
    long sinceNanos() {
        return sinceNanos;
    }

    /**
     * Takes up to {@code wanted} ids and returns the index of the first, or {@link #USED_UP}. This is one addition
     * without a preceding read: each of the two would have to fetch the cache line from another core.
     */
    long take(int wanted) {
        long index = taken.getAndAdd(wanted);
        return index < segment.count() ? index : USED_UP;
    }

    long id(long index) {
        return segment.id(index);
    }

    /** Writes up to {@code wanted} ids from {@code index} on into the array; returns how many there were. */
    int copy(long index, long[] ids, int from, int wanted) {
        if (index == USED_UP) {
            return 0;
        }
        int copied = (int) Math.min(wanted, segment.count() - index);
        Progression.fill(ids, from, copied, segment.id(index), segment.stride());
        return copied;
    }

    /** Fills a thread's block, which is empty. Returns false if the segment is used up. */
    boolean fill(ThreadBlocks.ThreadBlock block) {
        // the blocks together stay a small part of a small segment, too
        int wanted = Math.max(1, Math.min(LARGEST_BLOCK, segment.count() / ThreadBlocks.SLOTS));
        long index = take(wanted);
        if (index == USED_UP) {
            return false;
        }
        block.fill(segment.id(index), (int) Math.min(wanted, segment.count() - index), segment.stride());
        return true;
    }

    /** Returns how many ids of this segment and of earlier ones callers have taken. */
    long given() {
        long index = taken.get();
        return givenBefore + (index < SEAL ? Math.min(index, segment.count()) : givenAtSeal);
    }

    long left() {
        return Math.max(0, segment.count() - taken.get());
    }

    /** Ends the segment. Returns the ids that no caller has taken; none can be taken afterwards. */
    Optional<Segment> seal() {
        long first = taken.get();
        while (first < SEAL) {
            givenAtSeal = Math.min(first, segment.count()); // before the seal, so that given() never falls
            if (taken.compareAndSet(first, SEAL)) {
                break;
            }
            first = taken.get();
        }
        return first < segment.count()
                ? Optional.of(new Segment(segment.id(first), (int) (segment.count() - first), segment.stride()))
                : Optional.empty();
    }
}
