package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes notice rows that were set back and heal them. Reads that are out of date change nothing. */
class SetBackModelTest {

    private static ModelVerdict verdict(String variant, boolean safe, int count) {
        var traits = ModelVerdict.traits(variant, SetBackModel.Trait.class);
        String size = "1 row, %d ticks, 2 processes, a window of %d ticks"
                .formatted(SetBackModel.TICKS, SetBackModel.WINDOW_TICKS);
        return new ModelVerdict(variant, size, safe, count, () -> ModelSearch.search(new SetBackModel(traits)));
    }

    static final List<ModelVerdict> VERDICTS = List.of(
            verdict("set-back+restore", true, 1_549),
            verdict("set-back+restore+stale", true, 8_435),
            verdict("set-back+restore+stamp", true, 985),
            verdict("set-back+stale", true, 343),
            verdict("set-back+takeover+stale", true, 4_834),
            verdict("set-back+restore+blind", false, 4),
            verdict("set-back+restore+low", false, 4),
            verdict("set-back+stale+trusting", false, 2),
            verdict("set-back+takeover+forgetful", false, 4));

    static Stream<ModelVerdict> all() {
        return VERDICTS.stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyStateOfAVariantIsSafeOrTheShortestWayToAViolationIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
