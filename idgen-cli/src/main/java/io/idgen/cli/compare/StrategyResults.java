package io.idgen.cli.compare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of a strategy so far. */
final class StrategyResults {
    final Contender contender;
    DuplicateCheck.Duplicates duplicates = DuplicateCheck.Duplicates.NONE;
    List<Comparison.Scale> scaling = List.of();
    Comparison.@Nullable Speed speed;
    FixedRate.@Nullable Outcome paced;
    Inserts.@Nullable Outcome inserts;
    Comparison.@Nullable Sample sample;

    /** Why the strategy has no results; null while it has. */
    @Nullable
    String failure;

    /** Why some results are missing; null while none are. */
    @Nullable
    String trouble;

    /** Whether the failure is a limitation of the database. */
    boolean unfit;

    StrategyResults(Contender contender) {
        this.contender = contender;
    }

    /** Returns whether to measure this strategy further. */
    boolean isFit() {
        return failure == null;
    }

    /** Returns the results for the report. */
    Comparison.Strategy strategy(Outage.@Nullable Outcome outage, Restart.@Nullable Outcome restart) {
        DuplicateCheck.Duplicates all = duplicates;
        all = outage == null ? all : all.plus(outage.duplicates());
        all = restart == null ? all : all.plus(restart.duplicates());
        return new Comparison.Strategy(
                contender.name(),
                contender.family(),
                contender.what(),
                failure,
                trouble,
                unfit,
                speed,
                scaling,
                paced == null ? null : paced.latency(),
                paced == null ? null : paced.order(),
                paced == null || !contender.usesDatabase() ? null : paced.roundTripsPerThousand(),
                all,
                inserts,
                restart,
                outage,
                sample);
    }
}
