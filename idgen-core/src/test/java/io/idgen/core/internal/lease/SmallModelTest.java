package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches the small models: rows that are set back, and two servers that answer in turn. Each rule is needed: variants
 * without it must be caught.
 */
class SmallModelTest {

    private static ModelVerdict setBack(String variant, boolean safe, int count) {
        var traits = ModelVerdict.traits(variant, SetBackModel.Trait.class);
        String size = "1 row, %d ticks, 2 processes, a window of %d ticks"
                .formatted(SetBackModel.TICKS, SetBackModel.WINDOW_TICKS);
        return new ModelVerdict(variant, size, safe, count, () -> ModelSearch.search(new SetBackModel(traits)));
    }

    private static ModelVerdict twoServers(String variant, boolean safe, int count) {
        var traits = ModelVerdict.traits(variant, TwoServersModel.Trait.class);
        String size = "1 row, 2 processes, a window of %d ticks".formatted(TwoServersModel.WINDOW_TICKS);
        return new ModelVerdict(variant, size, safe, count, () -> ModelSearch.search(new TwoServersModel(traits)));
    }

    private static final List<ModelVerdict> VERDICTS = List.of(
            setBack("set-back+restore", true, 1_549),
            setBack("set-back+restore+stale", true, 8_435),
            setBack("set-back+restore+stamp", true, 985),
            setBack("set-back+stale", true, 343),
            setBack("set-back+takeover+stale", true, 4_834),
            setBack("set-back+restore+blind", false, 4),
            setBack("set-back+restore+low", false, 4),
            setBack("set-back+stale+trusting", false, 2),
            setBack("set-back+takeover+forgetful", false, 4),
            twoServers("two-servers", true, 197),
            twoServers("two-servers+repeated", false, 32),
            twoServers("two-servers+on-top+repeated", false, 4));

    static Stream<ModelVerdict> verdicts() {
        return VERDICTS.stream();
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    void everyStateIsSafeOrTheShortestWayToAViolationIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
