package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.result.InsertOutcome;
import io.idgen.cli.compare.result.OutageOutcome;
import io.idgen.cli.compare.result.RestartOutcome;
import io.idgen.cli.compare.result.Sample;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.measure.DuplicateCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of a strategy so far. */
final class StrategyResults {
    final Contender contender;
    DuplicateCheck.Duplicates duplicates = DuplicateCheck.Duplicates.NONE;
    List<Strategy.Scale> scaling = List.of();

    @Nullable
    Speed speed;

    FixedRate.@Nullable Outcome paced;

    @Nullable
    InsertOutcome inserts;

    @Nullable
    Sample sample;

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
    Strategy strategy(@Nullable OutageOutcome outage, @Nullable RestartOutcome restart) {
        DuplicateCheck.Duplicates all = duplicates;
        all = outage == null ? all : all.plus(outage.duplicates());
        all = restart == null ? all : all.plus(restart.duplicates());
        return new Strategy(
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
