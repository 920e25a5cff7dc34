package io.idgen.core.internal.window;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A window whose state is one word that only rises: {@code next = max(last + 1, now)}. The carry out of a full sequence is the
 * next tick, if that is not too far ahead of the clock.
 */
public class RisingWindow extends Window {
    private final long aheadTicks;
    private final AtomicLong word;

    /** A window from the given tick on. Tick 0 is left out: its first id would be 0. */
    public RisingWindow(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick, long aheadTicks) {
        super(layout, workerId, startOffsets);
        this.aheadTicks = aheadTicks;
        this.word = new AtomicLong((Math.max(1, firstTick) << sequenceBits) - 1);
    }

    @Override
    public long claim(Ticks clock, int count) {
        while (true) {
            long last = word.get();
            if (last == SEALED) {
                return SEALED;
            }
            if (isUsedUp(last)) {
                return NONE; // last + 1 would be beyond the layout, and with 63 bits of it negative
            }
            // after the word: a clock that does not step back is then never behind it
            long now = tickAfter(last, clock);
            long first = firstWordOf(now);
            long ceiling = ceiling(now);
            long next = Math.max(last + 1, first);
            if (next > ceiling) {
                return NONE;
            }
            do {
                long seen = word.compareAndExchange(last, next + claimed(next, count) - 1);
                if (seen == last) {
                    return next;
                }
                if (seen == SEALED) {
                    return SEALED;
                }
                lostRace();
                last = seen;
                next = Math.max(last + 1, first);
            } while (next <= ceiling); // by the same reading, which takes longer than the step; beyond it by another
        }
    }

    /** The tick that it is, for the words above {@code last}. */
    long tickAfter(long last, Ticks clock) {
        return clock.now();
    }

    /** Hears of a claim that another thread's step has forestalled. */
    void lostRace() {}

    /** The highest word that may be claimed at a reading of the clock. */
    final long ceiling(long now) {
        return lastWordOf(Math.min(now + aheadTicks, lastTick()));
    }

    @Override
    public final long highest() {
        return word.get();
    }

    @Override
    public final long aheadTicks() {
        return aheadTicks;
    }

    @Override
    long sealWords() {
        return word.getAndSet(SEALED);
    }
}
