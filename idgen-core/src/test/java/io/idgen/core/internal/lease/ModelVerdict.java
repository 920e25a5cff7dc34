package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The expected result for a variant of a model.
 *
 * @param variant names joined by {@code +}: the model's, then those of its traits
 * @param size the bounds of the model
 * @param safe whether no violation can be reached
 * @param count the number of states if it is safe, otherwise the fewest steps to a violation
 * @param search runs the search
 */
record ModelVerdict(String variant, String size, boolean safe, int count, Supplier<ModelSearch.Outcome> search) {

    /** Returns the traits of a variant. */
    static <T extends Enum<T>> Set<T> traits(String variant, Class<T> type) {
        return Stream.of(variant.split("\\+"))
                .skip(1)
                .map(text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_')))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(type)));
    }

    /** A model of processes with leases, for its traits, ticks, processes and acquisitions. */
    interface OfLeases {
        ModelSearch.Model<?> create(Set<LeaseModel.Trait> traits, int ticks, int processes, int acquisitions);
    }

    static ModelVerdict of(
            OfLeases model, String variant, int ticks, int processes, int acquisitions, boolean safe, int count) {
        String size = "%d ticks, %d processes, %d acquisitions".formatted(ticks, processes, acquisitions);
        Set<LeaseModel.Trait> traits = traits(variant, LeaseModel.Trait.class);
        return new ModelVerdict(
                variant,
                size,
                safe,
                count,
                () -> ModelSearch.search(model.create(traits, ticks, processes, acquisitions)));
    }

    void assertHolds() {
        long start = System.nanoTime();
        ModelSearch.Outcome outcome = search.get();
        long millis = (System.nanoTime() - start) / 1_000_000;
        String trace = String.join("\n    ", outcome.trace());
        String found = outcome.safe() ? "safe" : "broken:\n    " + trace + "\n   ";
        System.out.printf("%s: %s, %d states, %d ms%n", this, found, outcome.states(), millis);

        assertThat(outcome.safe()).as("%s is safe:%n    %s", this, trace).isEqualTo(safe);
        assertThat(safe ? outcome.states() : outcome.trace().size())
                .as(safe ? "states of %s" : "steps of %s:%n    %s", this, trace)
                .isEqualTo(count);
    }

    @Override
    public String toString() {
        return variant + ", " + size;
    }
}
