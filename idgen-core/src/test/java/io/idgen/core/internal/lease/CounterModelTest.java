package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches every state of a row of counters and its processes. Variants that lack a rule must be caught. */
@Tag("matrix")
class CounterModelTest {

    private static ModelVerdict verdict(String variant, int ticks, int allocations, boolean safe, int count) {
        var traits = ModelVerdict.traits(variant, CounterModel.Trait.class);
        String size = "%d ticks, %d allocations".formatted(ticks, allocations);
        return new ModelVerdict(
                variant, size, safe, count, () -> ModelSearch.search(new CounterModel(traits, ticks, allocations)));
    }

    static final List<ModelVerdict> VERDICTS = List.of(
            verdict("counter", 4, 4, true, 6_065),
            verdict("counter+takeover", 5, 4, true, 98_599),
            verdict("counter+takeover+jump", 4, 4, true, 213_286),
            verdict("counter+takeover+return", 4, 4, true, 368_588),
            verdict("counter+takeover+return+any-time", 5, 5, false, 12),
            verdict("counter+takeover+raise", 4, 3, true, 107_355),
            verdict("counter+takeover+close", 4, 3, true, 62_271),
            verdict("counter+restart+started", 4, 4, true, 56_038),
            verdict("counter+set-back+one", 2, 4, true, 3_372),
            verdict("counter+takeover+plain", 4, 4, false, 3),
            verdict("counter+takeover+single", 4, 4, false, 10),
            verdict("counter+takeover+observed", 4, 4, false, 5),
            verdict("counter+takeover+jump+lag-window", 2, 5, false, 10),
            verdict("counter+takeover+raise+at-once", 4, 4, false, 11),
            verdict("counter+close+repeated", 4, 4, true, 31_281),
            verdict("counter+takeover+close+repeated", 4, 3, true, 82_294),
            verdict("counter+close+resent", 4, 3, false, 10),
            verdict("counter+close+repeated+uncompared", 4, 3, false, 10),
            verdict("counter+twice", 4, 4, false, 6),
            verdict("counter+twice+apart", 3, 3, true, 52_449),
            verdict("counter+twice+apart+failback", 3, 3, true, 52_449),
            verdict("counter+twice+apart+failback+erased", 3, 3, false, 4),
            verdict("counter+takeover+resumes", 3, 3, true, 30_708),
            verdict("counter+takeover+heartbeat", 3, 3, true, 30_708),
            verdict("counter+takeover+resumes+heartbeat", 3, 3, false, 7),
            verdict("counter+back", 4, 4, false, 6),
            verdict("counter+back+differs", 4, 3, false, 11),
            verdict("counter+restart", 4, 4, false, 3),
            verdict("counter+set-back", 2, 4, false, 3),
            verdict("counter+set-back+one+forgetful", 2, 4, false, 3));

    static Stream<ModelVerdict> verdicts() {
        return VERDICTS.stream();
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    void everyStateIsSafeOrTheShortestWayToOneThatIsNotIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
