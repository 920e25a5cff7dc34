package io.idgen.core.segment;

import io.idgen.core.internal.block.ThreadBlocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The segments that a source has in hand: one in use and at most one in reserve. Knows how many ids the next one should
 * have. All methods need the source's lock, but for those that a snapshot reads.
 */
final class Stock {
    private final double preload;
    private final boolean fixed;
    private final AdaptiveStep step;
    private final int longestRun;
    private final FillLevel fillLevel;
    private final @Nullable ThreadBlocks blocks;
    private final Consumer<Cursor> publish;

    private volatile @Nullable Cursor inUse;
    private volatile @Nullable Segment reserve;
    private volatile int lastWanted;
    private final AtomicLong refills = new AtomicLong();
    private final AtomicLong refillNanos = new AtomicLong();
    private long highest;

    /**
     * Nothing in hand yet.
     *
     * @param preload how much of a segment is used before the next one is fetched
     * @param fixed whether nothing is fetched ahead
     * @param blocks the ids that threads have taken ahead, or null if they do not
     * @param publish receives each segment that is taken into use
     */
    Stock(
            double preload,
            boolean fixed,
            AdaptiveStep step,
            int longestRun,
            FillLevel fillLevel,
            @Nullable ThreadBlocks blocks,
            Consumer<Cursor> publish) {
        this.preload = preload;
        this.fixed = fixed;
        this.step = step;
        this.longestRun = longestRun;
        this.fillLevel = fillLevel;
        this.blocks = blocks;
        this.publish = publish;
    }

    @Nullable
    Cursor inUse() {
        return inUse;
    }

    // ---- snapshots, without the lock ----

    /** How many ids callers have taken. */
    long given() {
        Cursor cursor = inUse;
        return cursor == null ? 0 : cursor.given();
    }

    /** How many ids are left in the segment in use. */
    long left() {
        Cursor cursor = inUse;
        return cursor == null ? 0 : cursor.left();
    }

    /** How many ids are in reserve. */
    long inReserve() {
        Segment segment = reserve;
        return segment == null ? 0 : segment.count();
    }

    /** How many ids the last refill asked for; 0 before the first. */
    int lastWanted() {
        return lastWanted;
    }

    long refills() {
        return refills.get();
    }

    /** How long all refills took together. */
    Duration refillTime() {
        return Duration.ofNanos(refillNanos.get());
    }

    // ---- under the lock ----

    boolean hasReserve() {
        return reserve != null;
    }

    /** Whether a call gets an id without waiting. */
    boolean hasIds() {
        return inReserve() + left() > 0;
    }

    /**
     * Whether it has what warming up fetches: a segment to use and one in reserve; where runs are fixed, the first one.
     */
    boolean isWarm() {
        return reserve != null && (inUse != null || fixed);
    }

    /** The highest id that was ever reserved, or 0. */
    long highest() {
        return highest;
    }

    /**
     * Takes the reserve into use, if there is one.
     *
     * @param missing how many ids the waiting callers lack
     * @return whether to fetch the next segment now, and not at its mark
     */
    boolean open(long missing, long nowNanos) {
        Segment segment = reserve;
        if (segment == null) {
            return false;
        }
        Cursor used = inUse;
        if (used != null) {
            step.usedUp(used.segment().count(), nowNanos - used.sinceNanos());
        }
        boolean later = fixed || preload > 0;
        Cursor next = new Cursor(
                segment,
                nowNanos,
                later && !fixed ? (long) (segment.count() * preload) : Cursor.NEVER,
                used == null ? 0 : used.given());
        reserve = null;
        inUse = next;
        publish.accept(next);
        return !later || missing > segment.count();
    }

    /** How many ids to ask for: a step, or as many as the waiting callers lack if that is more. */
    int wanted(long missing) {
        long lacking = missing - left();
        int wanted = (int) Math.max(step.wanted(fillLevel.left(highest)), Math.min(lacking, longestRun));
        lastWanted = wanted;
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

    /** Ends everything in hand, so that no caller gets an id of it. Returns the ids that none has, the newest first. */
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
