package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches the small models: the swap of a window and a close, rows that are
 * set back, and two servers that answer in turn. Each rule is needed: variants without it must be caught.
 */
class SmallModelTest {

    private static ModelVerdict swap(String variant, int calls, boolean safe, int count) {
        var traits = ModelVerdict.traits(variant, SwapModel.Trait.class);
        String size = "%d ids for each thread".formatted(calls);
        return new ModelVerdict(variant, size, safe, count, () -> ModelSearch.search(new SwapModel(traits, calls)));
    }

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
            swap("swap", 2, true, 6_992),
            swap("swap", 3, true, 37_362),
            swap("swap+close", 2, true, 17_894),
            swap("swap+close", 3, true, 99_316),
            swap("swap+unsealed+repeats", 3, false, 8),
            swap("swap+unsealed+falls", 3, false, 8),
            swap("swap+same-lo+repeats", 3, false, 8),
            swap("swap+same-lo+falls", 3, false, 8),
            swap("swap+close+race", 3, false, 7),
            swap("swap+close+open", 3, false, 5),
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
