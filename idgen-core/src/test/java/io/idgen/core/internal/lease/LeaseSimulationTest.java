package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.lease.LeaseSimulation.Outcome;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.testing.Quiet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs many seeds of {@link LeaseSimulation}. Set {@code -Dlease.seeds=1000000} for more seeds, or {@code
 * -Dlease.first=4711 -Dlease.seeds=1} to repeat a failed one. Stores that lack a condition show that the simulation
 * detects duplicates.
 */
@Tag("nightly")
@Quiet(LeaseKeeper.class)
class LeaseSimulationTest {

    @Test
    void noIdIsGeneratedTwiceWhateverGoesWrong() {
        long first = Long.getLong("lease.first", 1);
        long seeds = Long.getLong("lease.seeds", 10_000);

        List<Outcome> outcomes = LongStream.range(first, first + seeds)
                .parallel()
                .mapToObj(seed -> LeaseSimulation.run(seed, Flaw.NONE))
                .toList();

        assertThat(outcomes.stream()
                        .filter(outcome -> outcome.violation() != null)
                        .min(Comparator.comparingLong(Outcome::seed))
                        .map(Outcome::toString))
                .isEmpty();
        assertThat(outcomes.stream().mapToLong(Outcome::ids).sum()).isGreaterThan(1000 * seeds);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void isCaught(Flaw flaw) {
        Optional<Outcome> caught = LongStream.rangeClosed(1, 3000)
                .mapToObj(seed -> LeaseSimulation.run(seed, flaw))
                .filter(outcome -> outcome.violation() != null)
                .findFirst();

        assertThat(caught).as("a seed that shows the flaw").isPresent();
    }
}
