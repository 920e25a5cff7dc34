package io.idgen.cli.compare.result;

import io.idgen.cli.measure.MachineLoad;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The load of other processes while speeds were measured.
 *
 * @param othersUsed how many processors they used on average; null if it is not known
 * @param limit the number of processors above which the speeds mean nothing
 * @param tooHigh whether they used more than the limit
 * @param text a sentence for people
 */
public record Load(@Nullable Double othersUsed, double limit, boolean tooHigh, String text) {
    // the share of the processors that other processes may use
    private static final double SHARE = 0.1;

    public static Load of(MachineLoad load) {
        return of(load.othersUsed(), Runtime.getRuntime().availableProcessors(), load.told());
    }

    /** Returns the load of a machine with this number of processors. */
    public static Load of(OptionalDouble othersUsed, int processors, String told) {
        double limit = SHARE * processors;
        boolean tooHigh = othersUsed.orElse(0) > limit;
        String text = tooHigh
                ? String.format(
                        Locale.ROOT,
                        "%s, more than %.2f: the speeds mean nothing, and there are no verdicts on them; repeat the"
                                + " comparison on a quiet machine",
                        told,
                        limit)
                : told;
        return new Load(othersUsed.isPresent() ? othersUsed.getAsDouble() : null, limit, tooHigh, text);
    }

    /** Returns the load of a machine on which the database is a local process that is not visible. */
    public static Load hidden() {
        return of(
                OptionalDouble.empty(),
                Runtime.getRuntime().availableProcessors(),
                "the load of other processes is not known, because the process of the database is not visible here");
    }
}
