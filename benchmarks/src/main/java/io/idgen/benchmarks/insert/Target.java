package io.idgen.benchmarks.insert;

import io.idgen.benchmarks.Estimate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * What idgen wants to reach through Hibernate: so many times the transactions of another contender. It is reached if the lower
 * end of the interval is no more than 5 % below, and missed if the upper end is.
 *
 * @param contender who
 * @param other compared with whom
 * @param least how many times as many
 * @param where it applies
 */
record Target(Contender contender, Contender other, double least, Predicate<Measurement.Configuration> where) {
    private static final double ENOUGH = 0.95;
    private static final Duration HALF_A_MILLISECOND = Duration.ofNanos(500_000);

    static final List<Target> ALL = List.of(
            new Target(Contender.SNOWFLAKE, Contender.ASSIGNED, 1, any -> true),
            new Target(Contender.SNOWFLAKE, Contender.TSID, 1, any -> true),
            new Target(
                    Contender.SNOWFLAKE,
                    Contender.IDENTITY,
                    3,
                    each -> each.server() == Server.POSTGRESQL && isFar(each)),
            new Target(
                    Contender.SNOWFLAKE,
                    Contender.IDENTITY,
                    2.5,
                    each -> each.server() == Server.MARIADB && isFar(each)),
            new Target(Contender.SEGMENT, Contender.SNOWFLAKE, 0.97, each -> each.threads() >= 8 && isFar(each)));

    private static boolean isFar(Measurement.Configuration configuration) {
        return configuration.wiring().latency().wanted().compareTo(HALF_A_MILLISECOND) >= 0;
    }

    /** What a measured ratio says of it. */
    String verdict(Estimate ratio) {
        if (ratio.low() >= ENOUGH * least) {
            return "reached";
        }
        return ratio.high() >= ENOUGH * least ? "undecided, more rounds would tell" : "**missed**";
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s ≥ %s × %s", contender.label(), least, other.label());
    }
}
