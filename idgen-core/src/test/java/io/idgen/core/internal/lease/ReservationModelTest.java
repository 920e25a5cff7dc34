package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every state of a fixed worker id beside leases: no tick is issued twice, and variants that lack a rule must be caught. */
class ReservationModelTest {
    private static final int TICKS = 7;
    private static final int ACQUISITIONS = 3;

    private static ModelSearch.Outcome search(String variant) {
        Set<ReservationModel.Trait> traits = Stream.of(variant.split("\\+"))
                .skip(1)
                .map(word -> ReservationModel.Trait.valueOf(word.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(ReservationModel.Trait.class)));
        ModelSearch.Outcome outcome = ModelSearch.search(new ReservationModel(traits, TICKS, ACQUISITIONS));
        System.out.printf("%s: %d states %s%n", variant, outcome.states(), String.join("; ", outcome.trace()));
        return outcome;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reserved",
                "reserved+kill",
                "reserved+two",
                "reserved+two+kill",
                "reserved+unreserve",
                "reserved+two+kill+unreserve"
            })
    void noTickIsIssuedTwice(String variant) {
        assertThat(search(variant).trace()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reserved+blind",
                "reserved+low",
                "reserved+kept",
                "reserved+two+unowned",
                "reserved+flat",
                "reserved+kill+hasty",
                "reserved+unreserve+careless"
            })
    void aVariantThatLacksARuleIssuesATickTwice(String variant) {
        assertThat(search(variant).trace()).isNotEmpty();
    }
}
