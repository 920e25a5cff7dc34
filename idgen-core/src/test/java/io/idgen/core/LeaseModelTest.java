package io.idgen.core;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The lease of a worker id, every state of it: the protocol never issues a tick twice, and variants that lack one of its rules
 * must be caught. The numbers of states are exact, so that a change of the model shows.
 *
 * <p>Variants with more than {@value #LARGE} states run by {@code mvn -pl idgen-core test -Pmodels}, in half a minute; all the
 * others in every build. {@code docs/models.md} is made of the table here, by {@link ModelsPageTest}.
 */
class LeaseModelTest {
    private static final int LARGE = 300_000;

    private static ModelVerdict verdict(
            String variant, int ticks, int processes, int acquisitions, boolean safe, int count) {
        String size = "%d ticks, %d processes, %d acquisitions".formatted(ticks, processes, acquisitions);
        var traits = ModelVerdict.Trait.of(variant, LeaseModel.Trait.class);
        return new ModelVerdict(
                variant,
                size,
                safe,
                count,
                () -> ModelSearch.search(new LeaseModel(traits, ticks, processes, acquisitions)));
    }

    private static ModelVerdict safe(String variant, int states) {
        return verdict(variant, 6, 2, 4, true, states);
    }

    private static ModelVerdict broken(String variant, int steps) {
        return verdict(variant, 6, 2, 4, false, steps);
    }

    private static ModelVerdict heartbeat(String variant, boolean aboveHeartbeat) {
        return new ModelVerdict(
                variant,
                "6 ticks, 2 processes, 4 acquisitions",
                false,
                4,
                () -> ModelSearch.search(new HeartbeatModel(aboveHeartbeat, 6, 2, 4)));
    }

    static final List<ModelVerdict> VERDICTS = List.of(
            safe("lease", 6_911),
            verdict("lease", 8, 3, 3, true, 55_961),
            safe("lease+token", 11_750),
            safe("lease+retry", 8_712),
            safe("lease+release", 10_766),
            safe("lease+release+token", 36_814),
            verdict("lease+release+token", 6, 3, 3, true, 82_259),
            safe("lease+release+retry", 38_015),
            safe("lease+coarse", 7_068),
            safe("lease+coarse+release+token", 37_173),
            safe("lease+hook", 13_821),
            safe("lease+release+hook", 21_531),
            safe("lease+clone", 21_598),
            safe("lease+token+clone", 40_312),
            safe("lease+release+clone", 41_920),
            safe("lease+release+token+clone", 154_707),
            safe("lease+copy", 112_611),
            safe("lease+token+copy", 192_508),
            safe("lease+release+copy", 819_595),
            verdict("lease+release+token+copy", 6, 2, 3, true, 1_188_219),
            safe("lease+keep+silent", 69_688),
            broken("lease+release+silent", 6),
            safe("lease+failover+gap", 362_303),
            safe("lease+token+failover+gap", 669_905),
            safe("lease+release+failover+gap", 767_538),
            verdict("lease+release+token+failover+gap", 5, 2, 3, true, 533_464),
            verdict("lease+release+token+clone+failover+gap", 4, 2, 3, true, 630_946),
            broken("lease+failover", 5),
            broken("lease+release+failover", 5),
            broken("lease+failover+short-gap", 6),
            broken("lease+failover+gap+failback", 6),
            broken("lease+no-cas+clone", 6),
            safe("lease+adopt", 21_833),
            broken("lease+adopt+clone", 7),
            broken("lease+release+unsealed", 5),
            safe("lease+release+bare", 10_766),
            broken("lease+release+bare+clone", 7),
            broken("lease+release+bare+retry", 7),
            broken("lease+release+below", 8),
            broken("lease+coarse+unrounded", 4),
            broken("lease+coarse+release+unrounded", 4),
            heartbeat("heartbeat", false),
            heartbeat("heartbeat+above", true));

    private static boolean isLarge(ModelVerdict verdict) {
        return verdict.safe() && verdict.count() > LARGE;
    }

    static Stream<ModelVerdict> small() {
        return VERDICTS.stream().filter(verdict -> !isLarge(verdict));
    }

    static Stream<ModelVerdict> large() {
        return VERDICTS.stream().filter(LeaseModelTest::isLarge);
    }

    @ParameterizedTest
    @MethodSource("small")
    void everyStateOfAVariantIsSafeOrTheShortestWayToADuplicateIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }

    @Tag("models")
    @ParameterizedTest
    @MethodSource("large")
    void everyStateOfTheLargeVariantsIsSafe(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
