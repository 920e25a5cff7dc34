package io.idgen.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final List<String> SUBJECTS = List.of("a", "b", "c", "d");

    private final List<String> order = new ArrayList<>();

    private int slice(String subject) {
        order.add(subject);
        return order.size();
    }

    @Test
    void allSubjectsWarmUpBeforeAnythingCounts() {
        Rounds<String, Integer> rounds = Rounds.measure(SUBJECTS, 6, 1, () -> true, this::slice);

        assertThat(order.subList(0, 4)).containsExactlyElementsOf(SUBJECTS);
        assertThat(SUBJECTS)
                .allSatisfy(subject -> assertThat(rounds.of(subject))
                        .hasSize(6)
                        .allSatisfy(at -> assertThat(at).isGreaterThan(4)));
    }

    @Test
    void eachRoundHasEachSubjectOnceInAnOrderOfItsOwn() {
        Rounds.measure(SUBJECTS, 6, 1, () -> true, this::slice);

        List<List<String>> rounds = new ArrayList<>();
        for (int round = 1; round <= 6; round++) {
            rounds.add(order.subList(4 * round, 4 * round + 4));
        }
        assertThat(rounds).allSatisfy(round -> assertThat(round).containsExactlyInAnyOrderElementsOf(SUBJECTS));
        assertThat(Set.copyOf(rounds)).hasSizeGreaterThan(2);
    }

    @Test
    void resultsOfOneRoundStandAtOnePlace() {
        AtomicInteger calls = new AtomicInteger();
        Rounds<String, Integer> rounds =
                Rounds.measure(SUBJECTS, 3, 1, () -> true, subject -> calls.getAndIncrement() / SUBJECTS.size());

        assertThat(SUBJECTS)
                .allSatisfy(subject -> assertThat(rounds.of(subject)).containsExactly(1, 2, 3));
    }

    @Test
    void aRoundThatIsNotInTimeIsDroppedForAll() {
        Rounds<String, Integer> rounds = Rounds.measure(SUBJECTS, 6, 1, () -> order.size() < 14, this::slice);

        assertThat(rounds.count()).isEqualTo(2);
        assertThat(SUBJECTS)
                .allSatisfy(subject -> assertThat(rounds.of(subject)).hasSize(2));
    }

    @Test
    void oneRoundIsMeasuredHoweverLateItIs() {
        assertThat(Rounds.measure(SUBJECTS, 6, 1, () -> false, this::slice).count())
                .isEqualTo(1);
    }

    @Test
    void onlyMeasuredSubjectsHaveResults() {
        Rounds<String, Integer> rounds = Rounds.measure(SUBJECTS, 1, 1, () -> true, this::slice);

        assertThatThrownBy(() -> rounds.of("z")).hasMessage("z was not measured");
    }
}
