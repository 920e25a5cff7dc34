package io.idgen.cli.analysis;

import static io.idgen.cli.analysis.DuplicateCause.Cause.REPEATED_TIME;
import static io.idgen.cli.analysis.DuplicateCause.Cause.SHARED_WORKER_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What two ids have in common, and why ids are equal. */
class VerdictsTest {
    /** The layout and the first id that the article printed. */
    private static final SnowflakeLayout ARTICLE =
            SnowflakeLayout.IDGEN.withEpoch(Instant.parse("2016-01-01T00:00:00Z"));

    private static final long ARTICLE_ID = 225912364091068416L;
    private static final long TICK = 1L << 22;
    private static final long WORKER = 1L << 12;
    private static final String TIME_A = "2026-03-01T10:00:00Z";
    private static final String TIME_B = "2026-03-03T11:00:01.500Z";

    private static InspectedId inspected(long id, SnowflakeLayout layout) {
        return new IdInspector(InstantSource.system()).inspect(id, layout);
    }

    private static String difference(long one, long other) {
        return new Difference(inspected(one, SnowflakeLayout.IDGEN), inspected(other, SnowflakeLayout.IDGEN)).text();
    }

    private static long id(String time, int datacenter, int worker, int sequence) {
        return SnowflakeLayout.IDGEN.compose(new SnowflakeParts(Instant.parse(time), datacenter, worker, sequence));
    }

    @Test
    void aDifferenceNamesEachFieldAndTheOrder() {
        long earlier = id(TIME_A, 1, 2, 9);
        long later = id(TIME_B, 1, 2, 0);
        String text = "Two different ids: they differ in time and sequence. " + earlier
                + " was generated first, at 2026-03-01T10:00:00Z by worker (1,2); " + later
                + " was generated 2 d 01:00:01.500 later by the same worker.";
        assertThat(difference(earlier, later)).isEqualTo(text);
        assertThat(difference(later, earlier)).isEqualTo(text);
        assertThat(difference(earlier, id(TIME_B, 2, 3, 9)))
                .contains("differ in time and datacenter and worker.")
                .endsWith("later by worker (2,3), if their clocks agree.");
        assertThat(difference(earlier, id(TIME_A, 1, 2, 10)))
                .contains("by worker (1,2): " + earlier + " first, as number 9, then " + (earlier + 1)
                        + " as number 10.");
        assertThat(difference(earlier, id(TIME_A, 1, 3, 0)))
                .endsWith("by workers (1,2) and (1,3); the ids do not show which was first.");
    }

    @Test
    void idsThatJavaScriptStoresAsOneArePointedOut() {
        assertThat(difference(690000000000000610L, 690000000000000600L))
                .contains("JavaScript stores both as the same number");
        assertThat(difference(690000000000000610L, 690000000000000610L + 4096)).doesNotContain("JavaScript");
    }

    private static DuplicateCause duplicates(long... ids) {
        return new DuplicateCause(
                LongStream.of(ids).mapToObj(id -> inspected(id, ARTICLE)).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "0, SHARED_WORKER_ID, two generators that ran at the same time",
        "3, SHARED_WORKER_ID, with one worker id",
        "4, REPEATED_TIME, a clock that stepped back",
        "41, REPEATED_TIME, a state that was restored",
        "42, SHARED_WORKER_ID, two generators",
        "45, SHARED_WORKER_ID, two generators",
        "46, REPEATED_TIME, a clock that stepped back",
        "4095, REPEATED_TIME, a clock that stepped back"
    })
    void oneIdIsJudgedByItsSequence(int sequence, DuplicateCause.Cause cause, String text) {
        DuplicateCause duplicates = duplicates(ARTICLE_ID + sequence);
        assertThat(duplicates.cause()).isEqualTo(cause);
        assertThat(duplicates.text())
                .startsWith("Id " + (ARTICLE_ID + sequence) + " was generated twice: two generators, or two runs of"
                        + " one, used worker id (2,5) at 2017-09-15T09:35:04.848Z. Its sequence is " + sequence
                        + " of 0 to 4095; two generators with little traffic collide at 0 to 3, or with start"
                        + " offsets at 42 to 45. The likeliest cause is ")
                .contains(text);
    }

    @Test
    void severalTicksAreJudgedByTheirLowestSequencesAndTheMajority() {
        assertThat(duplicates(LongStream.range(ARTICLE_ID, ARTICLE_ID + 100).toArray())
                        .cause())
                .isEqualTo(SHARED_WORKER_ID);
        long high = ARTICLE_ID + TICK + 500;
        assertThat(duplicates(ARTICLE_ID, high).cause()).as("a tie").isEqualTo(SHARED_WORKER_ID);
        assertThat(duplicates(ARTICLE_ID, high, high + TICK).cause()).isEqualTo(REPEATED_TIME);
        assertThat(duplicates(ARTICLE_ID, high, high + WORKER).cause()).isEqualTo(REPEATED_TIME);
        assertThat(duplicates(ARTICLE_ID, high, high + 1).cause()).isEqualTo(SHARED_WORKER_ID);
        assertThat(duplicates(LongStream.range(0, 8)
                                .map(i -> ARTICLE_ID + i * WORKER)
                                .toArray())
                        .text())
                .contains("used each of 8 worker ids: (2,5), (2,6), (2,7), (2,8), (2,9) and 3 more. In 8 of 8 ticks");
        assertThatIllegalArgumentException().isThrownBy(() -> new DuplicateCause(List.of()));
    }

    @Test
    void aFewBitsOfSequenceAreNoEvidence() {
        SnowflakeLayout two = SnowflakeLayout.parse("41-10-10-2");
        assertThat(new DuplicateCause(List.of(inspected(3, two))).text())
                .contains("With 4 ids per tick, the sequence is no evidence.");
    }
}
