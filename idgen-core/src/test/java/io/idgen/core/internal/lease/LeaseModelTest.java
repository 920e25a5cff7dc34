package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches every state of {@link LeaseProtocol} as it ships. It never issues a tick twice, and variants that lack one
 * of its rules must be caught. The numbers of states are exact, so that a change of the protocol shows.
 *
 * <p>Variants with more than {@value #LARGE} states run with {@code mvn -pl idgen-core test -Pnightly}, which takes a few
 * minutes. All others run in every build.
 */
class LeaseModelTest {
    private static final int LARGE = 300_000;

    private static ModelVerdict verdict(
            String variant, int ticks, int processes, int acquisitions, boolean safe, int count) {
        return ModelVerdict.of(LeaseModel::new, variant, ticks, processes, acquisitions, safe, count);
    }

    private static ModelVerdict safe(String variant, int ticks, int processes, int acquisitions, int states) {
        return verdict(variant, ticks, processes, acquisitions, true, states);
    }

    private static ModelVerdict broken(String variant, int acquisitions, int steps) {
        return verdict(variant, 4, 2, acquisitions, false, steps);
    }

    private static ModelVerdict liveness(
            String variant, int ticks, int processes, int acquisitions, boolean safe, int count) {
        return ModelVerdict.of(LivenessModel::new, variant, ticks, processes, acquisitions, safe, count);
    }

    private static final List<ModelVerdict> VERDICTS = List.of(
            safe("lease", 5, 2, 3, 168_277),
            safe("lease", 4, 3, 2, 80_814),
            safe("lease+release", 4, 2, 3, 270_228),
            safe("lease+release", 5, 2, 3, 2_221_713),
            safe("lease+coarse+release", 4, 2, 2, 212_388),
            safe("lease+release+hook", 3, 2, 2, 190_150),
            safe("lease+release+hook", 4, 2, 2, 1_593_400),
            safe("lease+clone", 4, 2, 2, 70_584),
            safe("lease+release+clone", 3, 2, 2, 54_593),
            safe("lease+release+clone", 4, 2, 2, 733_202),
            safe("lease+failover+gap", 3, 2, 2, 71_674),
            safe("lease+failover+gap", 4, 2, 2, 1_820_735),
            safe("lease+release+failover+gap", 3, 2, 2, 1_318_994),
            broken("lease+failover", 2, 9),
            broken("lease+failover+short-gap", 2, 11),
            broken("lease+failover+gap+failback", 2, 10),
            safe("lease+twice", 4, 2, 2, 10_510),
            safe("lease+release+twice", 3, 2, 2, 9_722),
            safe("lease+twice+clone", 4, 2, 2, 70_584),
            safe("lease+release+twice+clone", 3, 2, 2, 54_593),
            safe("lease+twice+failover+gap", 3, 2, 2, 222_494),
            broken("lease+twice+forgetful", 2, 6),
            broken("lease+twice+adopt+clone", 2, 9),
            broken("lease+no-cas+clone", 2, 10),
            safe("lease+adopt", 4, 2, 2, 9_627),
            broken("lease+adopt+clone", 2, 9),
            broken("lease+release+unsealed", 2, 11),
            safe("lease+release+bare", 3, 2, 2, 13_220),
            broken("lease+release+bare+clone", 2, 14),
            broken("lease+release+below", 3, 13),
            broken("lease+coarse+unrounded", 2, 8),
            liveness("liveness", 4, 2, 2, true, 10_510),
            liveness("liveness", 4, 3, 2, true, 80_814),
            liveness("liveness+twice", 4, 2, 2, true, 10_510),
            liveness("liveness+release", 3, 2, 2, true, 9_722),
            liveness("liveness+release+hook", 3, 2, 2, true, 190_150),
            liveness("liveness+release+clone", 3, 2, 2, true, 54_593),
            liveness("liveness+failover+gap", 3, 2, 2, true, 71_674),
            liveness("liveness+stubborn", 4, 2, 2, false, 4),
            liveness("liveness+failover+gap+unfenced", 3, 2, 2, false, 2));

    private static boolean isLarge(ModelVerdict verdict) {
        return verdict.safe() && verdict.count() > LARGE;
    }

    static Stream<ModelVerdict> small() {
        return VERDICTS.stream().filter(verdict -> !isLarge(verdict));
    }

    static Stream<ModelVerdict> large() {
        return VERDICTS.stream().filter(LeaseModelTest::isLarge);
    }

    @Tag("matrix")
    @ParameterizedTest
    @MethodSource("small")
    void everyStateOfAVariantIsSafeOrTheShortestWayToADuplicateIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }

    @Tag("nightly")
    @ParameterizedTest
    @MethodSource("large")
    void everyStateOfTheLargeVariantsIsSafe(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
