package io.idgen.cli.compare.trial;

import io.idgen.cli.common.Layouts;
import io.idgen.cli.measure.Estimate;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The conditions of a comparison.
 *
 * @param threads the number of threads that generate ids
 * @param instances the number of instances of each strategy that they use in turn
 * @param rows the number of rows to insert in all rounds, parents and children together
 * @param duration the duration of a measured run at full speed; the warm-up takes as long, the run at a fixed rate six
 *     times as long
 * @param outage the duration of the outage
 * @param ratePerSecond ids per second of the run at a fixed rate
 * @param seed the seed for the order of strategies and for the rows' texts
 * @param settings idgen's settings for all sources
 * @param limit how long the speed may be measured; measurements that do not fit are skipped
 */
public record Plan(
        int threads,
        int instances,
        int rows,
        Duration duration,
        Duration outage,
        int ratePerSecond,
        long seed,
        Map<String, String> settings,
        Duration limit) {

    /** The largest number of rows: an index grows visibly, and the user's disk has room for it. */
    public static final int MOST_ROWS = 1_000_000;

    /** The number of rounds that count: the smallest number for intervals of 95 %. */
    static final int ROUNDS = Estimate.ENOUGH;

    /** The number of children of each parent. */
    static final int CHILDREN = 3;

    /** The number of parents, with their children, per transaction. */
    static final int PARENTS_PER_TRANSACTION = 50;

    /**
     * How long a call may wait for an id during the outage. It is shorter than the default, so that several calls fail.
     */
    static final Duration PATIENCE_IN_OUTAGE = Duration.ofMillis(500);

    /** Ids per second that each strategy generates during the outage. */
    static final int RATE_IN_OUTAGE = 200;

    /**
     * The number of ids that a process generates before it is killed, and that the next process generates. It ends
     * within blocks of 10, 50 and 1,000, because no id would be lost at the end of a block.
     */
    static final int IDS_PER_LIFE = 475;

    /** Returns the numbers of threads of the scaling curve: powers of two, up to twice {@code threads}. */
    List<Integer> scalingThreads() {
        return IntStream.iterate(1, count -> count <= 2 * threads, count -> 2 * count)
                .boxed()
                .toList();
    }

    /** Returns the layout of all Snowflake ids. */
    SnowflakeLayout layout() {
        return Layouts.of(settings.get("idgen.snowflake.layout"), settings.get("idgen.snowflake.epoch"));
    }

    /** Returns the duration of the run at a fixed rate. */
    Duration pacedDuration() {
        return duration.multipliedBy(6);
    }

    /** Returns the duration of each run of the scaling curve. */
    Duration scalingDuration() {
        return duration.dividedBy(2);
    }
}
