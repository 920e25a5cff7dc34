package io.idgen.core.internal.window;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A window that remembers the last ticks, so that a clock that steps back finds the sequences it left unused.
 *
 * <p>Slot {@code i} holds the last word of the ticks that are {@code i} modulo the number of slots. It only rises, and never out
 * of its tick into the next, which is another slot's. So each slot is a counter of its own over ticks of its own, and a word
 * is claimed by the step that makes it: no word twice, whatever the clock does. Words are not in order.
 *
 * <p>The published form of this idea carries out of a full slot, and repeats words even on a clock that never steps back.
 */
public final class RingWindow extends Window {
    private final int slots;
    private final AtomicLongArray words;

    // Ticks in a row that have nothing left, which is so for good. At full speed all that are remembered are used up,
    // and
    // each claim would look at each. A race of two writers forgets one of two truths.
    private volatile Span usedUp = new Span(0, 0);

    /** Ticks from one on to another, which is no more one of them. */
    private record Span(long from, long end) {}

    /** A window from the given tick to the end of the layout. */
    public RingWindow(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick, int slots) {
        super(layout, workerId, startOffsets);
        this.slots = slots;
        this.words = new AtomicLongArray(slots);
        // as if all sequences of the ticks before the first had been used; tick 0 is left out: its first id would be 0
        for (long tick = Math.max(1, firstTick) - slots; tick < Math.max(1, firstTick); tick++) {
            words.set(slot(tick), lastWordOf(tick));
        }
    }

    private int slot(long tick) {
        return Math.floorMod(tick, slots);
    }

    /** The first of up to {@code count} words of the nearest tick that has some. */
    @Override
    public long claim(Ticks clock, int count) {
        long now = clock.now();
        Span known = usedUp;
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
            usedUp = new Span(isKnown ? known.from : now, tick);
        }
        return first == NONE && words.get(slot(now)) == SEALED ? SEALED : first;
    }

    /** The next words of a tick; NONE if its sequences are used up, or its slot has gone on to a later tick. */
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
            long next = Math.max(last + 1, firstWordOf(tick));
            if (words.compareAndSet(slot, last, next + claimed(next, count) - 1)) {
                return next;
            }
        }
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
