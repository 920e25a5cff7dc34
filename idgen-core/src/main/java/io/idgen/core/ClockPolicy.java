package io.idgen.core;

import java.time.Duration;
import java.util.Objects;

/**
 * What a {@link Snowflake} does when the clock is behind its last id, or when a tick's sequences are used up.
 *
 * <p>Two bounds say it all: how far ids may run ahead of the clock, and how long a call may wait for the clock to come
 * within that bound. Whatever the policy, ids rise and none is issued twice; a full tick is followed by a short wait for
 * the next one once the bound is reached.
 */
public final class ClockPolicy {
    private static final Duration LONGEST = Duration.ofHours(1);

    private final String name;
    private final Duration ahead;
    private final Duration patience;

    private ClockPolicy(String name, Duration ahead, Duration patience) {
        this.name = name;
        this.ahead = ahead;
        this.patience = patience;
    }

    /**
     * Any step back is an error, as in Twitter's generator.
     *
     * @return the policy
     */
    public static ClockPolicy fail() {
        return new ClockPolicy("fail", Duration.ZERO, Duration.ZERO);
    }

    /**
     * Waits for a clock that is behind by {@code limit} or less, as Leaf does; further behind is an error at once.
     *
     * @param limit 1 ms to 1 h
     * @return the policy
     */
    public static ClockPolicy waitAtMost(Duration limit) {
        return new ClockPolicy("wait", Duration.ZERO, checked(limit));
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
        return new ClockPolicy("run-ahead", checked(limit), limit);
    }

    /**
     * Reads a policy as the setting {@code idgen.snowflake.clock-policy} writes it.
     *
     * @param text {@code fail}, {@code wait:5ms} or {@code run-ahead:1s}, with any duration
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
        throw new IllegalArgumentException(
                "a clock policy is fail, wait:<duration> or run-ahead:<duration>, for example wait:5ms, got '" + text
                        + "'");
    }

    private static Duration checked(Duration limit) {
        if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("the limit of a clock policy is 1 ms to " + Durations.text(LONGEST)
                    + ", got " + Durations.text(limit));
        }
        return limit;
    }

    /** How far ids may run ahead of the clock. */
    Duration ahead() {
        return ahead;
    }

    /** How long a call may wait for a clock that is behind. */
    Duration patience() {
        return patience;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClockPolicy policy && name.equals(policy.name) && patience.equals(policy.patience);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, patience);
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return patience.isZero() ? name : name + ":" + Durations.text(patience).replace(" ", "");
    }
}
