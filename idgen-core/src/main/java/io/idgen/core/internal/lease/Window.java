package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.Progression;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;

/**
 * The ticks of one worker id that belong to this process alone, and the highest word claimed so far. A word is {@code
 * tick << sequenceBits | sequence}; one atomic step claims it, so it is claimed once. A sealed window gives no more
 * words.
 *
 * <p>The subclass decides the order: {@link RisingWindow} claims words in order, {@link RingSlots} from any near tick
 * that has some left.
 */
public abstract class Window {
    /** There is no word for this tick. */
    static final long NONE = -1;

    /** Ids at a low rate spread evenly over {@code id % 2^k} up to this number, if the layout allows it. */
    public static final int START_OFFSETS = 64;

    /** The window is sealed. */
    public static final long SEALED = Long.MIN_VALUE;

    private final TickScale scale;
    final int sequenceBits;
    private volatile long lastTick;
    public final long workerId;
    final long startMask;

    // The layout's shifts, computed once: per id they would take as long as the claim.
    private final long workerPart;
    private final int tickShift;
    private final int sequenceShift;
    final long sequenceMask;
    private volatile long sealedAt;

    /**
     * Creates a window that ends with the layout.
     *
     * @param workerId datacenter id and worker id, as the layout packs them
     * @param startOffsets the first sequence of a tick is below this, a power of two; 1 for always 0
     */
    Window(SnowflakeLayout layout, long workerId, int startOffsets) {
        this.scale = LayoutTime.ticks(layout);
        this.sequenceBits = layout.sequenceBits();
        this.workerId = workerId;
        int workerBits = layout.datacenterBits() + layout.workerBits();
        boolean sequenceLowest = layout.order() == SnowflakeLayout.FieldOrder.SEQUENCE_LOWEST;
        this.workerPart = sequenceLowest ? workerId << sequenceBits : workerId;
        this.tickShift = workerBits + sequenceBits;
        this.sequenceShift = sequenceLowest ? 0 : workerBits;
        this.sequenceMask = layout.idsPerTick() - 1;
        this.startMask = startOffsets - 1L;
        this.lastTick = scale.lastTick();
    }

    /**
     * Returns the bound of start offsets that a layout has by default: 64, and at most half of a tick's ids. 1 if the
     * lowest bits of an id are the worker's.
     */
    public static int startOffsets(SnowflakeLayout layout) {
        return startOffsets(layout, START_OFFSETS);
    }

    /** Returns a bound of start offsets, or the largest that a layout allows if that is less. */
    public static int startOffsets(SnowflakeLayout layout, int bound) {
        return layout.order() == SnowflakeLayout.FieldOrder.SEQUENCE_LOWEST
                ? (int) Math.max(1, Math.min(bound, layout.idsPerTick() / 2))
                : 1;
    }

    /** Sets the last tick that belongs to this process. After the first call the end only rises. */
    public final void endAt(long tick) {
        lastTick = Math.min(tick, scale.lastTick());
    }

    /** The last tick of this window. */
    public final long lastTick() {
        return lastTick;
    }

    /** A clock in ticks of the layout. */
    public interface Ticks {
        /** The current tick; throws if the layout has none for the present. */
        long now();

        /** The current tick, or a cached one that may lag a little, if this clock caches it. */
        default long recently() {
            return now();
        }
    }

    /** Claims the next word; or {@link #NONE}, or {@link #SEALED}. */
    public long claim(Ticks clock) {
        return claim(clock, 1);
    }

    /** Claims up to {@code count} words of one tick; returns the first, or {@link #NONE}, or {@link #SEALED}. */
    public abstract long claim(Ticks clock, int count);

    /** The number of words obtained by a claim of {@code wanted} words that returned {@code first}; at least 1. */
    public int claimed(long first, int wanted) {
        return (int) Math.min(wanted, sequenceMask - (first & sequenceMask) + 1);
    }

    /** The highest claimed word, or {@link #SEALED}. */
    public abstract long highest();

    /** How many ticks ahead of the clock words may be claimed. */
    public abstract long aheadTicks();

    /** Ends all claims; returns the highest claimed word, or {@link #SEALED} if the window was sealed before. */
    abstract long sealWords();

    /** Ends the window: no word is claimed after this returns. */
    public final void seal() {
        long highest = sealWords();
        if (highest != SEALED) {
            sealedAt = highest;
        }
    }

    /** The highest claimed word, also of a sealed window. */
    public final long highestEver() {
        long highest = highest();
        return highest == SEALED ? sealedAt : highest;
    }

    /** The id of a claimed word. */
    public final long id(long word) {
        return (word >>> sequenceBits << tickShift) | workerPart | (word & sequenceMask) << sequenceShift;
    }

    /** Writes the ids of {@code count} words of one tick into the array. */
    public final void ids(long first, int count, long[] ids, int from) {
        Progression.fill(ids, from, count, id(first), 1L << sequenceShift); // the distance within a tick
    }

    /** The tick of the highest claimed word, also of a sealed window; the tick before the first if there is none. */
    public final long highestTick() {
        return highestEver() >> sequenceBits;
    }

    /** Whether all words that may be claimed in this tick are claimed. */
    final boolean isFull(long now) {
        long highest = highest();
        return highest != SEALED && highest >= lastWordOf(now + aheadTicks());
    }

    /** Returns whether a word is left: the window is neither sealed nor used up. */
    public final boolean hasIds() {
        long highest = highest();
        return highest != SEALED && !isUsedUp(highest);
    }

    public final boolean isUsedUp(long highest) {
        return highest >= lastWordOf(lastTick);
    }

    /**
     * The first word of a tick that does not follow a full one. Its sequence is a hash of the tick, so that ids
     * generated once per tick spread over their low bits. The hash needs no state, and words of later ticks are still
     * higher. After a full tick, the next one begins at 0: a busy generator loses nothing.
     *
     * @see <a href="https://doi.org/10.1145/2714064.2660195">Steele, Lea, Flood: Fast splittable pseudorandom number
     *     generators</a>, from which the mixing constants are
     */
    public final long firstWordOf(long tick) {
        if (startMask == 0) {
            return tick << sequenceBits;
        }
        return (tick << sequenceBits) | (hash(tick) & startMask);
    }

    /** Returns the first sequence of the tick at this time, by default and if the tick before was not full. */
    public static int startOf(SnowflakeLayout layout, Instant time) {
        long tick = LayoutTime.ticks(layout).tickAt(time.toEpochMilli());
        return (int) hash(tick) & (startOffsets(layout) - 1);
    }

    static long hash(long number) {
        long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    final long lastWordOf(long tick) {
        return (tick << sequenceBits) | sequenceMask;
    }
}
