package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.lease.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The segments that a source holds: one in use and at most one in reserve. Computes how many ids the next one should
 * have. All methods need the source's lock, except those that a snapshot reads.
 */
final class Stock {
    private final SegmentAllocator allocator;
    private final String name;
    private final AdaptiveStep step;
    private final FillLevel fillLevel;
    private final @Nullable ThreadBlocks blocks;
    private final Consumer<Cursor> publish;

    volatile @Nullable Cursor inUse;
    volatile @Nullable Segment reserve;
    private volatile int lastWanted; // 0 before the first refill
    private final AtomicLong refills = new AtomicLong();
    private final AtomicLong refillNanos = new AtomicLong();
    long highest;

    /**
     * Creates an empty stock.
     *
     * @param blocks the ids that threads have taken ahead, or null if they do not
     * @param publish receives the segment in use
     */
    Stock(
            SegmentAllocator allocator,
            String name,
            AdaptiveStep step,
            @Nullable ThreadBlocks blocks,
            Consumer<Cursor> publish) {
        this.allocator = allocator;
        this.name = name;
        this.step = step;
        this.fillLevel = new FillLevel(name, allocator.limit());
        this.blocks = blocks;
        this.publish = publish;
    }

    // ---- snapshots, without the lock ----

    /**
     * Returns the state of the source at this moment.
     *
     * @param standing how the allocator stands
     * @param waits the calls that wait
     */
    SegmentSnapshot snapshot(Standing standing, SourceSnapshot.Waits waits) {
        ErrorCode ended = standing.ended();
        long inReserve = inReserve(); // first, because it may be taken into use meanwhile
        long left = ended == null ? left() : 0;
        Cursor cursor = inUse;
        return new SegmentSnapshot(
                name,
                cursor == null ? 0 : cursor.given(),
                left,
                inReserve,
                lastWanted,
                refills.get(),
                Duration.ofNanos(refillNanos.get()),
                left + inReserve > 0,
                ended,
                standing.refused(),
                waits,
                standing.outage(),
                standing.failures());
    }

    /** Returns how many ids are left in the segment in use. */
    long left() {
        Cursor cursor = inUse;
        return cursor == null ? 0 : cursor.left();
    }

    /** Returns how many ids are in reserve. */
    long inReserve() {
        Segment segment = reserve;
        return segment == null ? 0 : segment.count();
    }

    // ---- under the lock ----

    /** Returns whether a call gets an id without waiting. */
    boolean hasIds() {
        return inReserve() + left() > 0;
    }

    /**
     * Returns whether it has what warming up fetches: a segment to use and one in reserve. If nothing is fetched ahead,
     * any id is enough.
     */
    boolean isWarm() {
        return allocator.isOnDemand() ? hasIds() : reserve != null && inUse != null;
    }

    /** Throws if a segment does not lie above all earlier ones, although those of the allocator rise. */
    void checkRising(Segment segment) {
        if (allocator.isRising() && segment.first() <= highest) {
            throw new IdGenerationException(
                    ErrorCode.SEGMENT_WENT_BACK,
                    "the allocator gave '" + name + "' ids from " + segment.first() + " after it had given up to "
                            + highest + "; the table was restored, truncated or edited: stop all writers, raise the row"
                            + " above the largest id in use, and start again");
        }
    }

    /**
     * Gives a call ids, from the segment in use and then from the reserve.
     *
     * @return whether to fetch the next segment now, because the reserve is taken into use
     */
    boolean give(WaitingCallers.Visit visit, long nowNanos) {
        Cursor cursor = inUse;
        if (cursor != null) {
            visit.take(cursor);
        }
        Segment segment = reserve;
        if (visit.isServed() || segment == null) {
            return false;
        }
        visit.take(open(segment, nowNanos));
        return !allocator.isOnDemand();
    }

    /** Takes the reserve into use, if there is one. */
    void openReserve(long nowNanos) {
        Segment segment = reserve;
        if (segment != null) {
            open(segment, nowNanos);
        }
    }

    private Cursor open(Segment segment, long nowNanos) {
        Cursor used = inUse;
        if (used != null) {
            step.usedUp(used.segment().count(), nowNanos - used.sinceNanos());
        }
        Cursor next = new Cursor(segment, nowNanos, used == null ? 0 : used.given());
        inUse = next; // first: a snapshot never sees neither
        reserve = null;
        return next;
    }

    /** Lets calls take ids of the segment in use without the lock, after the waiting calls have theirs. */
    void publish() {
        Cursor cursor = inUse;
        if (cursor != null) {
            publish.accept(cursor);
        }
    }

    /**
     * Returns how many ids to request. On demand, these are as many as the waiting calls lack, which is 0 if they have
     * given up. Otherwise a step, or as many as they lack if that is more.
     */
    int wanted(long missing) {
        long lacking = Math.max(0, Math.min(missing - left(), step.most()));
        int wanted = (int) (allocator.isOnDemand() ? lacking : Math.max(step.wanted(fillLevel.left(highest)), lacking));
        lastWanted = wanted > 0 ? wanted : lastWanted;
        return wanted;
    }

    /** Puts a segment into the reserve, which is empty; {@code nanos} is how long its refill took. */
    void add(Segment segment, long nanos) {
        highest = Math.max(highest, segment.last());
        reserve = segment;
        refillNanos.addAndGet(nanos);
        refills.incrementAndGet();
        step.answeredAfter(nanos);
        fillLevel.reached(highest);
    }

    /** Lets threads take blocks of ids again after {@link #seal}. */
    void reopen() {
        if (blocks != null) {
            blocks.reopen();
        }
    }

    /**
     * Ends both segments, so that no caller gets an id of them. Returns the ids that no caller has, the newest first.
     */
    List<Segment> seal() {
        List<Segment> left = new ArrayList<>();
        Segment spare = reserve;
        if (spare != null) {
            left.add(spare);
            reserve = null;
        }
        Cursor used = inUse;
        if (used != null) {
            used.seal().ifPresent(left::add);
        }
        if (blocks != null) {
            blocks.close();
        }
        return left;
    }
}
