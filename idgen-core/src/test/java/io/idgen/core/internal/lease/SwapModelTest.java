package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches every interleaving of a window swap and a close. Broken variants must be caught. */
class SwapModelTest {

    private static ModelVerdict verdict(String variant, int calls, boolean safe, int count) {
        var traits = ModelVerdict.traits(variant, SwapModel.Trait.class);
        return new ModelVerdict(
                variant,
                "%d ids for each thread".formatted(calls),
                safe,
                count,
                () -> ModelSearch.search(new SwapModel(traits, calls)));
    }

    static final List<ModelVerdict> VERDICTS = List.of(
            verdict("swap", 2, true, 6_992),
            verdict("swap", 3, true, 37_362),
            verdict("swap+close", 2, true, 17_894),
            verdict("swap+close", 3, true, 99_316),
            verdict("swap+unsealed+repeats", 3, false, 8),
            verdict("swap+unsealed+falls", 3, false, 8),
            verdict("swap+same-lo+repeats", 3, false, 8),
            verdict("swap+same-lo+falls", 3, false, 8),
            verdict("swap+close+race", 3, false, 7),
            verdict("swap+close+open", 3, false, 5));

    static Stream<ModelVerdict> verdicts() {
        return VERDICTS.stream();
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    void everyInterleavingIsSafeOrTheShortestThatIsNotIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
