package io.idgen.core.snowflake;

import io.idgen.core.internal.text.Characters;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.window.RingWindow;
import io.idgen.core.internal.window.RisingWindow;
import io.idgen.core.internal.window.StripedWindow;
import io.idgen.core.internal.window.Window;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;

/**
 * What a {@link Snowflake} does when the clock is behind its last id, or when a tick's sequences are used up.
 *
 * <p>A policy has two bounds: how far ids may run ahead of the clock, and how long a call may wait for the clock to come within
 * that bound. Under every policy each id is unique. Ids rise under every policy except {@link #reuse}. When a tick is full and
 * the first bound is reached, a call waits for the next tick.
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
     * Any step back is an error, as in Twitter's generator.
     *
     * @return the policy
     */
    public static ClockPolicy fail() {
        return of("fail", Duration.ZERO, Duration.ZERO);
    }

    /**
     * Waits for a clock that is behind by {@code limit} or less, as Leaf does; further behind is an error at once.
     *
     * @param limit 1 ms to 1 h
     * @return the policy
     */
    public static ClockPolicy waitAtMost(Duration limit) {
        return of("wait", Duration.ZERO, checked(limit));
    }

    /**
     * Goes on from the last id while the clock is behind, at most {@code limit} ahead of it (a logical clock). At the bound
     * it waits, at most {@code limit}; further behind is an error at once.
     *
     * <p>Since a restart forgets how far the last process ran ahead, a new generator begins {@code limit} ahead of the
     * clock, above anything that an earlier one with a right clock can have issued.
     *
     * @param limit 1 ms to 1 h
     * @return the policy
     */
    public static ClockPolicy runAheadAtMost(Duration limit) {
        return of("run-ahead", checked(limit), limit);
    }

    /**
     * Remembers the last ticks. After a step back it issues ids from sequences of those ticks that are still unused. When the
     * present tick is full, it takes ids from up to {@code slots - 1} ticks ahead of the clock. Ids are unique but do not rise.
     * If no remembered tick has an unused sequence, the call fails at once.
     *
     * <p>A restart forgets which sequences were used. A new generator therefore begins {@code slots - 1} ticks ahead of the
     * clock. Until the clock has reached that point, no earlier tick is safe to use, and a step back is an error as under
     * {@link #fail}.
     *
     * @param slots how many ticks to remember, 2 to 1,048,576; each takes 8 bytes
     * @return the policy
     */
    public static ClockPolicy reuse(int slots) {
        if (slots < 2 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException("a ring has 2 to " + MOST_SLOTS + " slots, got " + slots);
        }
        return new ClockPolicy("reuse:" + slots, Duration.ZERO, Duration.ZERO, slots);
    }

    /**
     * Reads a policy as the setting {@code idgen.snowflake.clock-policy} writes it.
     *
     * @param text {@code fail}, {@code wait:5ms}, {@code run-ahead:1s} or {@code reuse:2048}, with any numbers
     * @return the policy
     * @throws IllegalArgumentException if it is none of these
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
            throw new IllegalArgumentException("the limit of a clock policy is 1 ms to " + Durations.text(LONGEST)
                    + ", got " + Durations.text(limit));
        }
        return limit;
    }

    /** How long a call may wait for a clock that is behind. */
    Duration patience() {
        return patience;
    }

    /** How many ticks ids may be ahead of the clock. */
    long aheadTicks(SnowflakeLayout layout) {
        return slots > 0 ? slots - 1L : ahead.toMillis() / layout.tick().toMillis();
    }

    /** A window that takes its words as this policy says. */
    Window window(SnowflakeLayout layout, long workerId, int startOffsets, long firstTick) {
        if (slots > 0) {
            return new RingWindow(layout, workerId, startOffsets, firstTick, slots);
        }
        return layout.idsPerTick() >= StripedWindow.WIDE
                ? new StripedWindow(layout, workerId, startOffsets, firstTick, aheadTicks(layout))
                : new RisingWindow(layout, workerId, startOffsets, firstTick, aheadTicks(layout));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClockPolicy policy && text.equals(policy.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return text;
    }
}
