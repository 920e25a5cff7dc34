package io.idgen.cli.compare;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How the comparison runs: the conditions of every number that comes of it.
 *
 * @param threads how many threads ask at once
 * @param instances how many instances of each strategy they ask, in turn
 * @param rows how many rows are inserted, parents and children together
 * @param duration of one measured run at full speed; the warm-up before it is as long, the run at a fixed rate three times
 * @param outage how long the database is away
 * @param ratePerSecond how many ids a second the run at a fixed rate asks for
 * @param seed of the order of strategies and of the rows' texts
 * @param settings of idgen's, for all sources
 */
record Plan(
        int threads,
        int instances,
        int rows,
        Duration duration,
        Duration outage,
        int ratePerSecond,
        long seed,
        Map<String, String> settings) {

    /** As many instances as have worker ids for all roles. */
    static final int MOST_INSTANCES = 8;

    /** So many rows are enough to see an index grow, and few enough for somebody else's disk. */
    static final int MOST_ROWS = 1_000_000;

    /** How often runs at full speed and inserts are repeated. */
    static final int REPEATS = 3;

    /** How many children each parent has. */
    static final int CHILDREN = 3;

    /** How many parents, with their children, one transaction inserts. */
    static final int PARENTS_PER_TRANSACTION = 50;

    /** How long a call may wait for an id while the database is away: shorter than the default, so that there are several. */
    static final Duration PATIENCE_IN_OUTAGE = Duration.ofMillis(500);

    /** How many ids a second each strategy is asked for while the database is away. */
    static final int RATE_IN_OUTAGE = 200;

    /** How many ids a process draws before it is killed, and the next one after it. */
    static final int IDS_PER_LIFE = 500;

    /** Which threads the scaling curve has: powers of two, up to twice as many as ask at once. */
    List<Integer> scalingThreads() {
        return IntStream.iterate(1, count -> count <= 2 * threads, count -> 2 * count)
                .boxed()
                .toList();
    }

    /** The layout of all snowflakes. */
    SnowflakeLayout layout() {
        SnowflakeLayout layout = SnowflakeLayout.parse(settings.getOrDefault("idgen.snowflake.layout", "idgen"));
        String epoch = settings.get("idgen.snowflake.epoch");
        return epoch == null ? layout : layout.withEpoch(SnowflakeLayout.parseEpoch(epoch));
    }

    /** How long the run at a fixed rate takes. */
    Duration pacedDuration() {
        return duration.multipliedBy(3);
    }

    /** How long each run of the scaling curve takes. */
    Duration scalingDuration() {
        return duration.dividedBy(2);
    }
}
