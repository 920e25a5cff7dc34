package io.idgen.core.internal.lease;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A window whose state is one word that only rises: {@code next = max(last + 1, now)}. A full sequence carries into the
 * next tick, if that tick is not too far ahead of the clock.
 */
public class RisingWindow extends Window {
    private final long firstTick;
    private final long begin; // the word before the first
    private final long aheadTicks;
    private final AtomicLong word;

    /** Creates a window that begins with a tick. Tick 0 is left out: its first id would be 0. */
    public RisingWindow(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick, long aheadTicks) {
        super(layout, workerId, startOffsets);
        this.aheadTicks = aheadTicks;
        this.firstTick = Math.max(1, firstTick);
        this.begin = (this.firstTick << sequenceBits) - 1;
        this.word = new AtomicLong(begin);
    }

    @Override
    public long claim(Ticks clock, int count) {
        while (true) {
            long last = word.get();
            if (last == SEALED) {
                return SEALED;
            }
            if (isUsedUp(last)) {
                return NONE; // last + 1 would lie beyond the layout; with 63 bits it would be negative
            }
            // read after the word, so that a clock which does not step back is never behind it
            long now = clock.now();
            long ceiling = ceiling(now);
            long next = nextAfter(last, now);
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
                last = seen;
                next = nextAfter(last, now);
            } while (next
                    <= ceiling); // reading the clock costs more than the step, so one reading serves up to its ceiling
        }
    }

    /** The next word: within its tick, or the first of the present one. */
    private long nextAfter(long last, long now) {
        if (last == begin) {
            return firstWordOf(Math.max(now, firstTick));
        }
        return last + 1 >= now << sequenceBits ? last + 1 : firstWordOf(now);
    }

    /** The highest word that may be claimed in this tick. */
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
