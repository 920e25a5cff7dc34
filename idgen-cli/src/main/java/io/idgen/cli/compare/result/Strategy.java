package io.idgen.cli.compare.result;

import io.idgen.cli.measure.DuplicateCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a strategy.
 *
 * @param failure why the strategy has no results; null if it has
 * @param trouble what went wrong, if some results are missing; null if none are
 * @param unfit whether the failure is a limitation of the database, not an error
 */
public record Strategy(
        String name,
        KeyFamily family,
        String what,
        @Nullable String failure,
        @Nullable String trouble,
        boolean unfit,
        @Nullable Speed speed,
        List<Scale> scaling,
        @Nullable Latency latency,
        @Nullable KeyOrder order,
        @Nullable Double roundTripsPerThousand,
        DuplicateCheck.Duplicates duplicates,
        @Nullable InsertOutcome inserts,
        @Nullable RestartOutcome restart,
        @Nullable OutageOutcome outage,
        @Nullable Sample sample) {

    /** The name of the strategy whose keys the database generates with the row. */
    public static final String IDENTITY = "identity";

    /** Ids per second with a number of threads. */
    public record Scale(int threads, double perSecond) {}
}
