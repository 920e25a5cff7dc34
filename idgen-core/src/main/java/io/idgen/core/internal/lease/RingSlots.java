package io.idgen.core.internal.lease;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers the last ticks in slots. When the clock steps back, it uses the sequences that are left in
 * them.
 *
 * <p>Slot {@code i} holds the last word of the ticks that are {@code i} modulo the number of slots. It only rises, and
 * a full slot is never carried into the next tick, which belongs to another slot. So each slot is a counter over its
 * own ticks, and a compare-and-set claims each word once, whatever the clock does. Words are not in order.
 *
 * <p>The published form of this algorithm carries out of a full slot. It repeats words even if the clock never steps
 * back.
 */
public final class RingSlots extends Window {
    private final int slots;
    private final long firstTick;
    private final AtomicLongArray words;

    // Consecutive ticks without a word left; they never get one again. At full speed all remembered ticks are used up,
    // and without this each claim would visit each slot. Benign race: a lost update only costs another visit.
    private volatile UsedUpTicks usedUp = new UsedUpTicks(0, 0);

    /** The ticks from {@code from} to before {@code end}. */
    private record UsedUpTicks(long from, long end) {}

    /** Creates a window from a tick to the end of the layout. */
    public RingSlots(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick, int slots) {
        super(layout, workerId, startOffsets);
        this.slots = slots;
        this.words = new AtomicLongArray(slots);
        this.firstTick = Math.max(1, firstTick);
        // the ticks before the first count as used up; so does tick 0, whose first id would be 0
        for (long tick = this.firstTick - slots; tick < this.firstTick; tick++) {
            words.set(slot(tick), lastWordOf(tick));
        }
    }

    private int slot(long tick) {
        return Math.floorMod(tick, slots);
    }

    /** Claims up to {@code count} words of the nearest tick that has some left; returns the first. */
    @Override
    public long claim(Ticks clock, int count) {
        long now = clock.now();
        UsedUpTicks known = usedUp;
        boolean isKnown = known.from <= now && now < known.end;
        long start = isKnown ? known.end : now;
        long end = Math.min(now + aheadTicks(), lastTick()) + 1;
        long first = NONE;
        long tick = start;
        while (tick < end && first == NONE) {
            first = claimIn(tick, count);
            tick += first == NONE ? 1 : 0;
        }
        if (tick > start) {
            usedUp = new UsedUpTicks(isKnown ? known.from : now, tick);
        }
        return first == NONE && words.get(slot(now)) == SEALED ? SEALED : first;
    }

    /** Claims words of one tick; NONE if its sequences are used up, or its slot holds a later tick. */
    private long claimIn(long tick, int count) {
        int slot = slot(tick);
        while (true) {
            long last = words.get(slot);
            if (last == SEALED) {
                return SEALED;
            }
            if (last >= lastWordOf(tick)) {
                return NONE;
            }
            long next = Math.max(last + 1, firstWordIn(tick));
            if (words.compareAndSet(slot, last, next + claimed(next, count) - 1)) {
                return next;
            }
        }
    }

    private long firstWordIn(long tick) {
        return tick > firstTick && words.get(slot(tick - 1)) == lastWordOf(tick - 1)
                ? tick << sequenceBits
                : firstWordOf(tick);
    }

    @Override
    public long highest() {
        long highest = SEALED;
        for (int slot = 0; slot < slots; slot++) {
            highest = Math.max(highest, words.get(slot));
        }
        return highest;
    }

    @Override
    public long aheadTicks() {
        return slots - 1L;
    }

    @Override
    long sealWords() {
        long highest = SEALED;
        for (int slot = 0; slot < slots; slot++) {
            highest = Math.max(highest, words.getAndSet(slot, SEALED));
        }
        return highest;
    }
}
