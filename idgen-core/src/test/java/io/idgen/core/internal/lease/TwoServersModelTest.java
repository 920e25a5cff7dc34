package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * When two servers answer in turn, a process gets a lease soon and horizons stay bounded. Each rule for that is needed.
 */
class TwoServersModelTest {

    private static ModelVerdict verdict(String variant, boolean safe, int count) {
        var traits = ModelVerdict.traits(variant, TwoServersModel.Trait.class);
        String size = "1 row, 2 processes, a window of %d ticks".formatted(TwoServersModel.WINDOW_TICKS);
        return new ModelVerdict(variant, size, safe, count, () -> ModelSearch.search(new TwoServersModel(traits)));
    }

    static final List<ModelVerdict> VERDICTS = List.of(
            verdict("two-servers", true, 197),
            verdict("two-servers+repeated", false, 32),
            verdict("two-servers+on-top+repeated", false, 4));

    static Stream<ModelVerdict> all() {
        return VERDICTS.stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void somebodyHasALeaseSoonOrTheShortestWayToAnEndlessWaitIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
