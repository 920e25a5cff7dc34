package io.idgen.cli.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why ids are equal. */
class VerdictsTest {
    /** The layout and the first id that the article printed. */
    private static final SnowflakeLayout ARTICLE =
            SnowflakeLayout.IDGEN.withEpoch(Instant.parse("2016-01-01T00:00:00Z"));

    private static final long ARTICLE_ID = 225912364091068416L;
    private static final long TICK = 1L << 22;
    private static final long WORKER = 1L << 12;

    private static InspectedId inspected(long id, SnowflakeLayout layout) {
        return new IdInspector(InstantSource.system()).inspect(id, layout);
    }

    private static DuplicateCause duplicates(long... ids) {
        return new DuplicateCause(
                LongStream.of(ids).mapToObj(id -> inspected(id, ARTICLE)).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "0, true, two generators that ran at the same time",
        "3, true, with one worker id",
        "4, false, a clock that stepped back",
        "41, false, a state that was restored",
        "42, true, two generators",
        "45, true, two generators",
        "46, false, a clock that stepped back",
        "4095, false, a clock that stepped back"
    })
    void oneIdIsJudgedByItsSequence(int sequence, boolean isShared, String text) {
        DuplicateCause duplicates = duplicates(ARTICLE_ID + sequence);
        assertThat(duplicates.isSharedWorkerId()).isEqualTo(isShared);
        assertThat(duplicates.text())
                .startsWith("Id " + (ARTICLE_ID + sequence) + " of 2017-09-15T09:35:04.848Z was generated twice: two"
                        + " generators, or two runs of one, used worker id (2,5). Its sequence is " + sequence
                        + ". Two generators with little traffic collide at 0 to 3, or so far above the tick's start"
                        + " offset. The likeliest cause is ")
                .contains(text);
    }

    @Test
    void severalTicksAreJudgedByTheirLowestSequencesAndTheMajority() {
        assertThat(duplicates(LongStream.range(ARTICLE_ID, ARTICLE_ID + 100).toArray())
                        .isSharedWorkerId())
                .isTrue();
        long high = ARTICLE_ID + TICK + 500;
        assertThat(duplicates(ARTICLE_ID, high).isSharedWorkerId()).as("a tie").isTrue();
        assertThat(duplicates(ARTICLE_ID, high, high + TICK).isSharedWorkerId()).isFalse();
        assertThat(duplicates(ARTICLE_ID, high, high + WORKER).isSharedWorkerId())
                .isFalse();
        assertThat(duplicates(ARTICLE_ID, high, high + 1).isSharedWorkerId()).isTrue();
        assertThat(duplicates(LongStream.range(0, 8)
                                .map(i -> ARTICLE_ID + i * WORKER)
                                .toArray())
                        .text())
                .contains(
                        "used each of 8 worker ids: (2,5), (2,6), (2,7), (2,8), (2,9) and 3 more. 8 of 8 ticks begin at");
    }

    @Test
    void aFewBitsOfSequenceAreNoEvidence() {
        SnowflakeLayout two = SnowflakeLayout.parse("41-10-10-2");
        assertThat(new DuplicateCause(List.of(inspected(3, two))).text())
                .contains("With 4 ids per tick, the sequence is no evidence.");
    }
}
