package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.segment.SegmentSimulation.Limit;
import io.idgen.core.segment.SegmentSimulation.Outcome;
import io.idgen.core.segment.SegmentSimulation.Trouble;
import io.idgen.core.segment.SimulatedCounters.Flaw;
import io.idgen.core.testing.Quiet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs many seeds of {@link SegmentSimulation}. Set {@code -Dsegment.seeds=1000000} for more seeds, or {@code
 * -Dsegment.first=4711 -Dsegment.seeds=1} to repeat a failed one. Each missing rule, and each fault that the guarantees
 * exclude, leads to duplicates with the same seeds. {@link SimulatedCountersTest} covers two rules of handing back,
 * because random events violate them too rarely.
 */
@Quiet(SegmentIdSource.class)
class SegmentSimulationTest {
    private static final long SEEDS = 2_000;

    @Test
    void noIdIsIssuedTwiceWhateverGoesWrongWithinTheGuarantees() {
        long first = Long.getLong("segment.first", 1);
        long seeds = Long.getLong("segment.seeds", SEEDS);

        List<Outcome> outcomes = LongStream.range(first, first + seeds)
                .parallel()
                .mapToObj(seed -> SegmentSimulation.run(seed, Flaw.NONE, Limit.NONE))
                .toList();

        assertThat(outcomes.stream()
                        .filter(outcome -> outcome.violation() != null)
                        .min(Comparator.comparingLong(Outcome::seed))
                        .map(Outcome::toString))
                .isEmpty();
        if (seeds >= SEEDS) {
            assertThat(outcomes.stream().mapToLong(Outcome::ids).sum()).isGreaterThan(500 * seeds);
            for (Trouble trouble : Trouble.values()) {
                assertThat(outcomes.stream().filter(outcome -> outcome.has(trouble)))
                        .as("courses with %s", trouble)
                        .hasSizeGreaterThan(100);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "HANDED_BACK_ON_ANY_SERVER", "HANDED_BACK_AGAIN"})
    void idsRepeatWithoutTheRule(Flaw flaw) {
        assertThat(firstDuplicate(flaw, Limit.NONE)).as("a seed that shows it").isPresent();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void idsRepeatBeyondTheGuaranteesWhichSaySo(Limit limit) throws IOException {
        String guarantees =
                Files.readString(Path.of("..", "docs", "guarantees.md")).replaceAll("\\s+", " ");

        assertThat(firstDuplicate(Flaw.NONE, limit)).as("a seed that shows it").isPresent();
        assertThat(guarantees).contains(limit.words());
    }

    private static Optional<Outcome> firstDuplicate(Flaw flaw, Limit limit) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> SegmentSimulation.run(seed, flaw, limit))
                .filter(outcome ->
                        outcome.violation() != null && outcome.violation().endsWith(" again"))
                .findFirst();
    }
}
