package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Wherever the faults end in {@link LeaseModel}, each process soon has ids or the right refusal. Variants that lack a
 * rule for that are caught.
 */
class LivenessModelTest {

    private static ModelVerdict verdict(
            String variant, int ticks, int processes, int acquisitions, boolean safe, int count) {
        return ModelVerdict.of(LivenessModel::new, variant, ticks, processes, acquisitions, safe, count);
    }

    static final List<ModelVerdict> VERDICTS = List.of(
            verdict("liveness", 4, 2, 2, true, 10_510),
            verdict("liveness", 4, 3, 2, true, 80_814),
            verdict("liveness+twice", 4, 2, 2, true, 10_510),
            verdict("liveness+release", 3, 2, 2, true, 9_722),
            verdict("liveness+release+hook", 3, 2, 2, true, 190_150),
            verdict("liveness+release+clone", 3, 2, 2, true, 54_593),
            verdict("liveness+failover+gap", 3, 2, 2, true, 71_674),
            verdict("liveness+stubborn", 4, 2, 2, false, 4),
            verdict("liveness+failover+gap+unfenced", 3, 2, 2, false, 2));

    static Stream<ModelVerdict> all() {
        return VERDICTS.stream();
    }

    @Tag("matrix")
    @ParameterizedTest
    @MethodSource("all")
    void eachProcessHasIdsOrARefusalSoonOrTheShortestWayToAnEndlessWaitIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
