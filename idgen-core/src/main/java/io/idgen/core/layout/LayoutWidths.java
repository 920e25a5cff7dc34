package io.idgen.core.layout;

import static io.idgen.core.layout.SnowflakeLayout.ID_BITS;
import static io.idgen.core.layout.SnowflakeLayout.JS_SAFE_BITS;
import static io.idgen.core.layout.SnowflakeLayout.MAX_FIELD_BITS;

import io.idgen.core.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The allowed widths of the fields of a layout, and the widths that given needs require. */
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

    /** Returns a layout that meets the needs, with the finest tick that allows it. */
    static SnowflakeLayout fitting(Instant epoch, Duration lifetime, long workers, long idsPerSecond) {
        if (lifetime.isNegative() || lifetime.isZero() || workers < 1 || idsPerSecond < 1) {
            throw new IllegalArgumentException("lifetime, workers and ids per second are above 0, got "
                    + Durations.text(lifetime) + ", " + workers + " and " + idsPerSecond);
        }
        List<String> needs = new ArrayList<>();
        for (Duration tick : TICKS) {
            int time = bitsFor(lifetime.dividedBy(tick));
            int worker = bitsFor(workers);
            int sequence = bitsFor((Math.multiplyExact(idsPerSecond, tick.toMillis()) + 999) / 1000);
            if (time + worker + sequence <= ID_BITS && worker <= MAX_FIELD_BITS && sequence <= MAX_FIELD_BITS) {
                return withSpareBits(epoch, tick, time, worker, sequence);
            }
            needs.add("in ticks of " + Durations.text(tick) + " " + time + "+" + worker + "+" + sequence);
        }
        throw new IllegalArgumentException("no layout carries " + workers + " workers with " + idsPerSecond
                + " ids per second for " + lifetime.toDays() + " days: that takes bits of time, worker and sequence "
                + String.join(", ", needs) + ", and there are " + ID_BITS + " (a field has " + MAX_FIELD_BITS
                + " at most); ask for fewer workers, fewer ids or less time");
    }

    /**
     * Gives half of the spare bits to the sequence and half to the worker. Bits that neither can take go to the time.
     */
    private static SnowflakeLayout withSpareBits(Instant epoch, Duration tick, int time, int worker, int sequence) {
        int spare = ID_BITS - time - worker - sequence;
        int wider = Math.min(MAX_FIELD_BITS, sequence + (spare + 1) / 2);
        int widerWorker = Math.min(MAX_FIELD_BITS, worker + spare / 2);
        return new SnowflakeLayout(epoch, tick, ID_BITS - widerWorker - wider, 0, widerWorker, wider);
    }

    /** Returns how many bits are needed for {@code values} different values. */
    private static int bitsFor(long values) {
        return Long.SIZE - Long.numberOfLeadingZeros(values - 1);
    }
}
