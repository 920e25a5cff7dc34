package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches every state of {@link ReservationProtocol} as it ships, together with leases. It never issues a tick twice,
 * and variants that lack a rule must be caught. The numbers of states are exact, so that a change of the protocol
 * shows.
 *
 * <p>Variants with more than {@value #LARGE} states run with {@code mvn -pl idgen-core test -Pmodels}. All others run
 * in every build. {@link ModelsPageTest} generates {@code docs/internals/models.md} from this table.
 */
class ReservationModelTest {
    private static final int LARGE = 300_000;

    private static ModelVerdict verdict(String variant, int ticks, int acquisitions, boolean safe, int count) {
        var traits = ModelVerdict.Trait.of(variant, ReservationModel.Trait.class);
        return new ModelVerdict(
                variant,
                "%d ticks, %d acquisitions".formatted(ticks, acquisitions),
                safe,
                count,
                () -> ModelSearch.search(new ReservationModel(traits, ticks, acquisitions)));
    }

    private static ModelVerdict safe(String variant, int ticks, int acquisitions, int states) {
        return verdict(variant, ticks, acquisitions, true, states);
    }

    private static ModelVerdict broken(String variant, int steps) {
        return verdict(variant, 4, 1, false, steps);
    }

    static final List<ModelVerdict> VERDICTS = List.of(
            safe("reserved", 4, 2, 12_828),
            safe("reserved+kill", 4, 2, 19_280),
            safe("reserved+lost", 4, 1, 30_416),
            safe("reserved+unreserve+kill", 4, 2, 67_922),
            safe("reserved+unreserve+careless", 4, 2, 59_354),
            safe("reserved+two", 3, 0, 237_364),
            safe("reserved+two+kill", 3, 0, 370_724),
            safe("reserved+two+lost", 2, 0, 69_565),
            safe("reserved+copy", 2, 0, 146_811),
            safe("reserved+copy+lost", 2, 0, 392_334),
            broken("reserved+two+unbounded", 9),
            broken("reserved+two+heartbeat", 7),
            broken("reserved+unreserve+formula", 9),
            broken("reserved+copy+one-token", 11),
            broken("reserved+blind", 3),
            broken("reserved+low", 5),
            broken("reserved+kept", 7),
            broken("reserved+unchecked", 5));

    private static boolean isLarge(ModelVerdict verdict) {
        return verdict.safe() && verdict.count() > LARGE;
    }

    static Stream<ModelVerdict> small() {
        return VERDICTS.stream().filter(verdict -> !isLarge(verdict));
    }

    static Stream<ModelVerdict> large() {
        return VERDICTS.stream().filter(ReservationModelTest::isLarge);
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
