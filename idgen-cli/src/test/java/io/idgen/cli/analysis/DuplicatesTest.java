package io.idgen.cli.analysis;

import static io.idgen.cli.analysis.Duplicates.Cause.REPEATED_TIME;
import static io.idgen.cli.analysis.Duplicates.Cause.SHARED_WORKER_ID;
import static io.idgen.cli.analysis.Samples.ARTICLE;
import static io.idgen.cli.analysis.Samples.ARTICLE_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuplicatesTest {
    private static final long TICK = 1L << 22;
    private static final long WORKER = 1L << 12;

    private final IdInspector inspector = new IdInspector(Samples.CLOCK);

    @ParameterizedTest
    @CsvSource({
        "0, SHARED_WORKER_ID",
        "1, SHARED_WORKER_ID",
        "3, SHARED_WORKER_ID",
        "4, REPEATED_TIME",
        "41, REPEATED_TIME",
        "42, SHARED_WORKER_ID",
        "45, SHARED_WORKER_ID",
        "46, REPEATED_TIME",
        "812, REPEATED_TIME",
        "4095, REPEATED_TIME"
    })
    void judgesOneIdByItsSequence(int sequence, Duplicates.Cause cause) {
        Duplicates duplicates = duplicates(ARTICLE_ID + sequence);
        assertThat(duplicates.cause()).isEqualTo(cause);
        assertThat(duplicates.text())
                .startsWith("Id " + (ARTICLE_ID + sequence) + " was generated twice: two generators, or two runs of"
                        + " one, used worker id (2,5) at 2017-09-15T09:35:04.848Z. Its sequence is " + sequence
                        + " of 0 to 4095; two generators with little traffic collide at 0 to 3, or with start"
                        + " offsets at 42 to 45. ");
    }

    @Test
    void saysWhereToLook() {
        assertThat(duplicates(ARTICLE_ID).text())
                .contains("The likeliest cause is two generators that ran at the same time with one worker id");
        assertThat(duplicates(ARTICLE_ID + 4).text())
                .contains("likeliest cause is a clock that stepped back, or a state that was restored");
    }

    @Test
    void judgesARunOfOneTickByItsLowestSequence() {
        assertThat(duplicates(LongStream.range(ARTICLE_ID, ARTICLE_ID + 100).toArray())
                        .cause())
                .isEqualTo(SHARED_WORKER_ID);
        assertThat(duplicates(LongStream.range(ARTICLE_ID + 50, ARTICLE_ID + 100)
                                .toArray())
                        .cause())
                .isEqualTo(REPEATED_TIME);
    }

    @Test
    void judgesSeveralTicksByTheMajorityAndATieByTheCommonestCause() {
        long low = ARTICLE_ID;
        long high = ARTICLE_ID + TICK + 500;
        assertThat(duplicates(low, high).cause()).isEqualTo(SHARED_WORKER_ID);
        assertThat(duplicates(low, high, high + TICK).cause()).isEqualTo(REPEATED_TIME);
        assertThat(duplicates(low, high, high + WORKER).cause()).isEqualTo(REPEATED_TIME);
        assertThat(duplicates(low, high, high + 1).cause()).isEqualTo(SHARED_WORKER_ID);
        assertThat(duplicates(low, high).text())
                .startsWith("2 ids were generated twice: two generators, or two runs of one, used worker id (2,5)."
                        + " In 1 of 2 ticks they begin at sequence 0 to 3, or so far above the tick's start offset, where"
                        + " two generators with little traffic collide. ");
    }

    @Test
    void namesTheFirstOfManyWorkers() {
        long[] ofManyWorkers =
                LongStream.range(0, 8).map(i -> ARTICLE_ID + i * WORKER).toArray();
        assertThat(duplicates(ofManyWorkers).text())
                .startsWith("8 ids were generated twice: two generators, or two runs of one, used each of 8 worker ids:"
                        + " (2,5), (2,6), (2,7), (2,8), (2,9) and 3 more.");
        assertThat(duplicates(ARTICLE_ID, ARTICLE_ID + WORKER).text()).contains("each of 2 worker ids: (2,5), (2,6). ");
    }

    @Test
    void admitsThatAFewBitsOfSequenceSayNothing() {
        SnowflakeLayout two = SnowflakeLayout.parse("41-10-10-2");
        assertThat(inspector.duplicates(List.of(3L), two).text())
                .contains("With 4 ids per tick, the sequence is no evidence.");
        SnowflakeLayout three = SnowflakeLayout.parse("41-10-9-3");
        assertThat(inspector.duplicates(List.of(3L), three).text()).contains("Its sequence is 3 of 0 to 7");
    }

    @Test
    void refusesNoIdsRepeatedOnesAndTwoLayouts() {
        InspectedId a = inspector.inspect(1, SnowflakeLayout.IDGEN);
        InspectedId b = inspector.inspect(2, SnowflakeLayout.TWITTER);
        assertThatIllegalArgumentException().isThrownBy(() -> new Duplicates(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Duplicates(List.of(a, a)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Duplicates(List.of(a, b)));
    }

    private Duplicates duplicates(long... ids) {
        return inspector.duplicates(LongStream.of(ids).boxed().toList(), ARTICLE);
    }
}
