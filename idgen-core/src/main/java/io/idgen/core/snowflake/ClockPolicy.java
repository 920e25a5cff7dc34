package io.idgen.core.snowflake;

import io.idgen.core.internal.lease.RingSlots;
import io.idgen.core.internal.lease.StripedWindow;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.time.Characters;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;

/**
 * Decides what a {@link Snowflake} does when the clock is behind its last id, and when all ids of a tick are used.
 * Immutable.
 *
 * <p>A policy has two bounds: how far ids may run ahead of the clock, and how long a call may wait for the clock to
 * come within that bound. Ids are unique under every policy. They increase under every policy except {@link #reuse}.
 * When a tick is full and the first bound is reached, a call waits for the next tick.
 */
public final class ClockPolicy {
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final int MOST_SLOTS = 1 << 20;

    private final String text;
    private final Duration ahead;
    private final Duration patience;
    private final int slots;

    private ClockPolicy(String text, Duration ahead, Duration patience, int slots) {
        this.text = text;
        this.ahead = ahead;
        this.patience = patience;
        this.slots = slots;
    }

    private static ClockPolicy of(String name, Duration ahead, Duration patience) {
        String limit = patience.isZero() ? "" : ":" + Durations.text(patience).replace(" ", "");
        return new ClockPolicy(name + limit, ahead, patience, 0);
    }

    /**
     * Throws after any backward step of the clock, as Twitter's generator does.
     *
     * @return the policy
     */
    public static ClockPolicy fail() {
        return of("fail", Duration.ZERO, Duration.ZERO);
    }

    /**
     * Waits if the clock is behind by {@code limit} or less, as Leaf does. Throws at once if it is further behind.
     *
     * @param limit 1 ms to 1 h
     * @return the policy
     * @throws IllegalArgumentException if the limit is out of range
     */
    public static ClockPolicy waitAtMost(Duration limit) {
        return of("wait", Duration.ZERO, checked(limit));
    }

    /**
     * Continues from the last id while the clock is behind, at most {@code limit} ahead of it (a logical clock). When
     * ids are that far ahead, a call waits, for at most {@code limit}. If the clock is further behind, a call throws at
     * once.
     *
     * <p>A restart forgets how far ids ran ahead. A new generator therefore begins {@code limit} ahead of the clock.
     * That is above all ids that an earlier generator with a correct clock can have issued.
     *
     * @param limit 1 ms to 1 h
     * @return the policy
     * @throws IllegalArgumentException if the limit is out of range
     */
    public static ClockPolicy runAheadAtMost(Duration limit) {
        return of("run-ahead", checked(limit), limit);
    }

    /**
     * Remembers the last ticks. After a backward step, it issues ids from sequence numbers of those ticks that are
     * still unused. When the current tick is full, it takes ids from up to {@code slots - 1} ticks ahead of the clock.
     * Ids are unique but not in order. If no remembered tick has an unused sequence number, a call throws at once.
     *
     * <p>A restart forgets which sequence numbers were used. A new generator therefore begins {@code slots - 1} ticks
     * ahead of the clock. Until the clock reaches that point, no earlier tick is safe to use, and a call throws after a
     * backward step as under {@link #fail}.
     *
     * @param slots how many ticks to remember, 2 to 1,048,576; each takes 8 bytes
     * @return the policy
     * @throws IllegalArgumentException if the number is out of range
     */
    public static ClockPolicy reuse(int slots) {
        if (slots < 2 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException("reuse takes 2 to " + MOST_SLOTS + " slots, got " + slots);
        }
        return new ClockPolicy("reuse:" + slots, Duration.ZERO, Duration.ZERO, slots);
    }

    /**
     * Parses the value of the setting {@code idgen.snowflake.clock-policy}.
     *
     * @param text {@code fail}, {@code wait:5ms}, {@code run-ahead:1s} or {@code reuse:2048}, with any limit or number
     *     of slots
     * @return the policy
     * @throws IllegalArgumentException if it is none of these, or a limit is out of range
     */
    public static ClockPolicy parse(String text) {
        String[] words = text.strip().split(":", 2);
        if (words.length == 1 && words[0].equals("fail")) {
            return fail();
        }
        if (words.length == 2 && words[0].equals("wait")) {
            return waitAtMost(Durations.parse(words[1]));
        }
        if (words.length == 2 && words[0].equals("run-ahead")) {
            return runAheadAtMost(Durations.parse(words[1]));
        }
        if (words.length == 2 && words[0].equals("reuse") && words[1].matches("\\d{1,7}")) {
            return reuse(Integer.parseInt(words[1]));
        }
        throw new IllegalArgumentException(
                "a clock policy is fail, wait:<duration>, run-ahead:<duration> or reuse:<slots>, for example wait:5ms,"
                        + " got '"
                        + Characters.line(text) + "'");
    }

    private static Duration checked(Duration limit) {
        if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("the limit of a clock policy must be 1 ms to " + Durations.text(LONGEST)
                    + ", got " + Durations.text(limit));
        }
        return limit;
    }

    /** Returns how long a call may wait for a clock that is behind. */
    Duration patience() {
        return patience;
    }

    /** Returns how many ticks ids may be ahead of the clock. */
    long aheadTicks(SnowflakeLayout layout) {
        return slots > 0 ? slots - 1L : ahead.toMillis() / layout.tick().toMillis();
    }

    /** Creates the window that implements this policy. */
    Window window(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick) {
        if (slots > 0) {
            return new RingSlots(layout, workerId, startOffsets, firstTick, slots);
        }
        return StripedWindow.ifWide(layout, workerId, startOffsets, firstTick, aheadTicks(layout));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClockPolicy policy && text.equals(policy.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return text;
    }
}
