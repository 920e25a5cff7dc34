package io.idgen.cli.compare.trial;

import io.idgen.cli.measure.Estimate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The conditions of a comparison.
 *
 * @param threads the number of threads that generate keys
 * @param instances the number of instances of each kind, which the threads use in turn
 * @param rows the number of rows to insert for each kind, with JDBC and with Hibernate each
 * @param duration the duration of a round at full speed; the run at a fixed rate takes six times as long
 * @param delay added to each answer of a store
 * @param ratePerSecond keys per second of the run at a fixed rate
 * @param settings idgen's settings for all sources
 * @param redis the addresses of Redis
 */
public record Plan(
        int threads,
        int instances,
        int rows,
        Duration duration,
        Duration outage,
        Duration delay,
        int ratePerSecond,
        Map<String, String> settings,
        List<String> redis) {

    /** The number of rounds that count: the smallest number for intervals of 95 %. */
    public static final int ROUNDS = Estimate.ENOUGH;

    /** The number of children of each parent. */
    public static final int CHILDREN = 3;

    /** The number of parents per transaction. */
    public static final int PARENTS = 50;

    /** How long a call may wait for a key during the outage: less than the default, so that several calls fail. */
    public static final Duration PATIENCE = Duration.ofMillis(500);

    /** Keys per second of each kind during the outage. */
    public static final int RATE_IN_OUTAGE = 200;

    /** The number of keys before a crash. It ends within blocks of 10, 50 and 1,000. */
    public static final int KEYS_PER_LIFE = 475;

    /** Returns the numbers of threads of the scaling curve: powers of two, up to twice {@code threads}. */
    List<Integer> scalingThreads() {
        return IntStream.iterate(1, count -> count <= 2 * threads, count -> 2 * count)
                .boxed()
                .toList();
    }

    /** Returns the duration of the run at a fixed rate. */
    public Duration atFixedRate() {
        return duration.multipliedBy(6);
    }
}
