package io.idgen.core.layout;

import static io.idgen.core.layout.SnowflakeLayout.ID_BITS;
import static io.idgen.core.layout.SnowflakeLayout.JS_SAFE_BITS;
import static io.idgen.core.layout.SnowflakeLayout.MAX_FIELD_BITS;

import io.idgen.core.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The allowed widths of the fields of a layout. */
final class LayoutWidths {
    private static final List<Duration> TICKS =
            List.of(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(1));

    private LayoutWidths() {}

    /** Checks that the widths sum to 63 or 53, and that ids can count in the tick. */
    static void check(
            Instant epoch, Duration tick, int timeBits, int datacenterBits, int workerBits, int sequenceBits) {
        if (!TICKS.contains(tick)) {
            throw new IllegalArgumentException("a tick is 1 ms, 10 ms or 1 s, got " + Durations.text(tick));
        }
        checkWidth("datacenter", datacenterBits);
        checkWidth("worker", workerBits);
        checkWidth("sequence", sequenceBits);
        checkEnd(epoch, tick, timeBits);
        int sum = timeBits + datacenterBits + workerBits + sequenceBits;
        if (sum != ID_BITS && sum != JS_SAFE_BITS) {
            throw new IllegalArgumentException("widths " + timeBits + "-" + datacenterBits + "-" + workerBits + "-"
                    + sequenceBits + " sum to " + sum + ", not " + ID_BITS + " (or " + JS_SAFE_BITS
                    + " for JavaScript): time, datacenter, worker, sequence; the sign bit is not counted; "
                    + (sum < ID_BITS
                            ? "give " + (ID_BITS - sum) + " more" + unusedBits(timeBits, sum)
                            : "take " + (sum - ID_BITS) + " away"));
        }
    }

    /**
     * Names the width of time that generates the same ids as widths that leave bits unused: bits above the time are 0
     * like its own upper bits.
     */
    private static String unusedBits(int timeBits, int sum) {
        String widerTime = timeBits + ID_BITS - sum + " bits of time";
        return "; to leave bits unused, write " + widerTime
                + (sum < JS_SAFE_BITS ? ", or " + (timeBits + JS_SAFE_BITS - sum) + " for ids of 53 bits" : "")
                + ": the ids are the same, because the upper bits of the time are 0";
    }

    private static void checkEnd(Instant epoch, Duration tick, int timeBits) {
        try {
            if (timeBits < 1 || timeBits > ID_BITS) {
                throw new IllegalArgumentException("time must be 1 to " + ID_BITS + " bits wide, got " + timeBits);
            }
            long toLastTick = Math.multiplyExact((1L << timeBits) - 1, tick.toMillis());
            Math.addExact(epoch.toEpochMilli(), Math.addExact(toLastTick, tick.toMillis()));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    timeBits + " bits of time in ticks of " + Durations.text(tick) + " from " + epoch
                            + " end beyond what a millisecond since 1970 can name; give some to another field",
                    e);
        }
    }

    private static void checkWidth(String field, int bits) {
        if (bits < 0 || bits > MAX_FIELD_BITS) {
            throw new IllegalArgumentException(field + " must be 0 to " + MAX_FIELD_BITS + " bits wide, got " + bits);
        }
    }
}
