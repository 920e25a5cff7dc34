package io.idgen.core.internal.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Pauses after attempts that fail in a row: each is twice as long as the one before it, up to the longest. */
public record BackOff(Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 20; // from 1 ms to a quarter of an hour; more could overflow

    /**
     * Returns the pause after the last attempt.
     *
     * @param failures how many attempts in a row have failed, at least 1
     */
    public Duration pause(int failures) {
        Duration doubled = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return doubled.compareTo(longest) < 0 ? doubled : longest;
    }

    /**
     * Returns the same pause with jitter: between half of it and all of it. So processes that failed in the same outage
     * do not all retry at the same time.
     */
    public Duration pause(int failures, RandomGenerator random) {
        long nanos = pause(failures).toNanos();
        return Duration.ofNanos(random.nextLong(nanos / 2, nanos + 1));
    }
}
