package io.idgen.core.internal.window;

import io.idgen.core.internal.block.Progression;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.layout.SnowflakeLayout;

/**
 * Ticks of one worker id that belong to this process alone, and how far it has come in them. Ids exist as words, {@code
 * tick << sequenceBits | sequence}; a word is claimed once, by the one atomic step that makes it. A sealed window makes
 * no more.
 *
 * <p>How words are taken from the ticks is the subclass's: {@link RisingWindow} one after the other, {@link RingWindow} from
 * whichever near tick has some left.
 */
public abstract class Window {
    /** No word can be had at this reading of the clock. */
    static final long NONE = -1;

    /** The window is sealed. */
    public static final long SEALED = Long.MIN_VALUE;

    private final TickScale scale;
    final int sequenceBits;
    private volatile long lastTick;
    public final long workerId;
    private final long startMask;

    // The layout's arithmetic of ids, done once: per id it would take as long as the claim.
    private final long workerPart;
    private final int tickShift;
    private final int sequenceShift;
    final long sequenceMask;
    private volatile long sealedAt;

    /**
     * A window to the end of the layout.
     *
     * @param workerId datacenter and worker, as the layout packs them
     * @param startOffsets out of how many sequences the first of a tick is chosen, a power of two; 1 for always 0
     */
    Window(SnowflakeLayout layout, long workerId, int startOffsets) {
        this.scale = TickScale.of(layout.epoch(), layout.tick(), layout.timeBits());
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

    /** Sets its end: up to there, ticks are this process's alone. An end only rises, but for the first one. */
    public final void endAt(long tick) {
        lastTick = Math.min(tick, scale.lastTick());
    }

    /** The last tick that words may be taken from. */
    public final long lastTick() {
        return lastTick;
    }

    /** A clock in ticks of the layout. */
    public interface Ticks {
        /** The tick that it is now; throws if the layout has none for it. */
        long now();

        /** The tick that it was a moment ago, for who asks so often that reading the clock takes most of the time. */
        default long recently() {
            return now();
        }
    }

    /** Claims the next word; or {@link #NONE}, or {@link #SEALED}. */
    public long claim(Ticks clock) {
        return claim(clock, 1);
    }

    /** Claims so many words of one tick, or what it has left; gives the first, or {@link #NONE}, or {@link #SEALED}. */
    public abstract long claim(Ticks clock, int count);

    /** How many words a claim of so many has got that gave this first one. */
    public final int claimed(long first, int wanted) {
        return (int) Math.min(wanted, sequenceMask - (first & sequenceMask) + 1);
    }

    /** The highest word that was claimed, or {@link #SEALED}. */
    public abstract long highest();

    /** How many ticks beyond the clock words may be taken from. */
    public abstract long aheadTicks();

    /** Takes the words out of reach; returns the highest that was claimed, or {@link #SEALED} if that was done before. */
    abstract long sealWords();

    /** Ends the window. */
    public final void seal() {
        long highest = sealWords();
        if (highest != SEALED) {
            sealedAt = highest;
        }
    }

    /** The highest word that was claimed, also of a sealed window. */
    public final long highestEver() {
        long highest = highest();
        return highest == SEALED ? sealedAt : highest;
    }

    /** The id of a claimed word. */
    public final long id(long word) {
        return (word >>> sequenceBits << tickShift) | workerPart | (word & sequenceMask) << sequenceShift;
    }

    /** Puts the ids of so many words of one tick into the array. */
    public final void ids(long first, int count, long[] ids, int from) {
        Progression.fill(ids, from, count, id(first), 1L << sequenceShift); // which it is within a tick
    }

    /** The tick of the highest word that was claimed, also of a sealed window; the one before the first if there is none. */
    public final long highestTick() {
        return highestEver() >> sequenceBits;
    }

    /** Whether it has no word at a reading of the clock, for the clock's sake. */
    final boolean isFull(long now) {
        long highest = highest();
        return highest != SEALED && highest >= lastWordOf(now + aheadTicks());
    }

    public final boolean isUsedUp(long highest) {
        return highest >= lastWordOf(lastTick);
    }

    /**
     * The first word of a tick that begins afresh. The start is a hash of the tick, so that ids made one per tick spread over
     * their low bits; it needs no state, and words of later ticks are higher all the same.
     *
     * @see <a href="https://doi.org/10.1145/2714064.2660195">Steele, Lea, Flood: Fast splittable pseudorandom number
     *     generators</a>, from which the mixing constants are
     */
    public final long firstWordOf(long tick) {
        if (startMask == 0) {
            return tick << sequenceBits;
        }
        long mixed = (tick ^ (tick >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return (tick << sequenceBits) | ((mixed ^ (mixed >>> 31)) & startMask);
    }

    final long lastWordOf(long tick) {
        return (tick << sequenceBits) | sequenceMask;
    }
}
