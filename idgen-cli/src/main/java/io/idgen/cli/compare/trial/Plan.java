package io.idgen.cli.compare.trial;

import java.time.Duration;
import java.util.List;

/**
 * The conditions of a comparison.
 *
 * @param threads the number of threads that generate keys
 * @param duration the duration of a round at full speed; others take a multiple of it
 * @param delay added to each answer of a store
 * @param redis the addresses of Redis
 */
public record Plan(int threads, Duration duration, Duration delay, List<String> redis) {

    /** The number of rounds that count, after a warm-up. */
    public static final int ROUNDS = 6;

    /** The number of instances of each kind, which the threads use in turn. */
    public static final int INSTANCES = 2;

    /** Keys per second of the run at a fixed rate. */
    public static final int RATE = 2_000;

    /** The number of children of each parent. */
    public static final int CHILDREN = 3;

    /** The number of parents per transaction. */
    public static final int PARENTS = 50;

    /** Keys per second of each kind during the outage. */
    public static final int RATE_IN_OUTAGE = 200;

    /** The number of keys before a crash. It ends within blocks of 10, 50 and 1,000. */
    public static final int KEYS_PER_LIFE = 475;

    /** Returns the duration of the run at a fixed rate. */
    public Duration atFixedRate() {
        return duration.multipliedBy(6);
    }

    /** Returns the duration of the outage. */
    public Duration outage() {
        return duration.multipliedBy(30);
    }

    /** Returns the number of transactions of a round of inserts. */
    int transactions() {
        return (int) Math.max(1, duration.toMillis() / 50);
    }

    /** Returns the number of rows of a round of inserts. */
    int rowsPerRound() {
        return transactions() * PARENTS * (1 + CHILDREN);
    }
}
