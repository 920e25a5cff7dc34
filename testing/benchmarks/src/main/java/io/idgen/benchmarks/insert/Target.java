package io.idgen.benchmarks.insert;

import io.idgen.cli.measure.Estimate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * A performance target of idgen with Hibernate: a ratio to the transactions of another contender. It is reached if the
 * lower bound of the interval is at most 5 % below the target, and missed if the upper bound is more than 5 % below.
 *
 * @param contender the contender of idgen
 * @param other the contender to compare with
 * @param least the smallest ratio that reaches the target
 * @param where the configurations to which the target applies
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
            new Target(Contender.SEGMENT, Contender.SNOWFLAKE, 0.97, Target::isBusyAndFar),
            new Target(Contender.NATIVE_1, Contender.SEQUENCE_1, 0.6, Target::isBusyAndFar),
            new Target(Contender.SEQUENCE_TABLE, Contender.SEQUENCE_1, 0.6, Target::isBusyAndFar),
            new Target(Contender.STEPPED, Contender.SEQUENCE_1, 0.6, Target::isBusyAndFar),
            new Target(Contender.NATIVE_50, Contender.SEQUENCE_50, 1, Target::isBusyAndFar));

    private static boolean isBusyAndFar(Measurement.Configuration configuration) {
        return configuration.threads() >= 8 && isFar(configuration);
    }

    private static boolean isFar(Measurement.Configuration configuration) {
        return configuration.wiring().latency().wanted().compareTo(HALF_A_MILLISECOND) >= 0;
    }

    /** Returns the verdict on a measured ratio. */
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
