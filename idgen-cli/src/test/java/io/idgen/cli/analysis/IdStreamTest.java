package io.idgen.cli.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.analysis.IdStream.Analysis;
import io.idgen.cli.analysis.IdStream.Found;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class IdStreamTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");
    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    private static Analysis analyze(SnowflakeLayout layout, LongStream ids) {
        IdStream stream = new IdStream(layout, InstantSource.fixed(NOW));
        ids.forEachOrdered(stream::add);
        return stream.analysis();
    }

    private static Analysis analyze(long... ids) {
        return analyze(LAYOUT, LongStream.of(ids));
    }

    private static long id(long millis, int datacenter, int worker, int sequence) {
        return LAYOUT.compose(new SnowflakeParts(START.plusMillis(millis), datacenter, worker, sequence));
    }

    @Test
    void idsAreCountedByWorkerInWhateverOrderTheyCome() {
        assertThat(analyze(id(1, 1, 2, 0), id(4, 0, 31, 7), id(0, 1, 2, 0), id(1, 1, 3, 0)))
                .isEqualTo(new Analysis(
                        "idgen",
                        4,
                        "2026-03-01T10:00:00Z",
                        "2026-03-01T10:00:00.004Z",
                        Map.of("(0,31)", 1L, "(1,2)", 2L, "(1,3)", 1L),
                        new Found(0, List.of()),
                        "",
                        new Found(0, List.of())));
    }

    @Test
    void repeatedIdsAreFoundWithTheirCause() {
        long a = id(0, 0, 1, 0);
        long b = id(1_000, 0, 1, 0);
        Analysis analysis = analyze(0, 0, a, a, b, a, b, id(2_000, 0, 1, 0));
        assertThat(analysis.duplicates()).isEqualTo(new Found(4, List.of("0", "" + a, "" + b)));
        assertThat(analysis.cause()).startsWith("3 ids were generated twice").contains("likeliest cause");

        Found sorted = analyze(LAYOUT, LongStream.range(0, 200_000).map(i -> id(i / 4, 0, 1, (int) (i / 2 % 2))))
                .duplicates();
        assertThat(sorted.count()).isEqualTo(100_000);
        assertThat(sorted.first()).hasSize(IdStream.MOST_LISTED);
        assertThat(analyze(LAYOUT, LongStream.range(0, 20_000).map(i -> (i / 2000 * 1000 + i % 1000) << 22))
                        .duplicates()
                        .count())
                .as("some thousand ids apart")
                .isBetween(9_800L, 10_000L);
        Random random = new Random(6);
        assertThat(analyze(
                                LAYOUT,
                                LongStream.range(0, 300_000)
                                        .map(i -> ((i ^ 0x155) << 22) | (random.nextInt(1024) << 12)))
                        .duplicates()
                        .count())
                .as("control: no ids are equal")
                .isZero();
    }

    @Test
    void numbersThatCannotBeIdsAreSetAside() {
        long tooLate = LAYOUT.firstIdAt(NOW.plus(Duration.ofDays(1)).plusMillis(1));
        Analysis analysis = analyze(-1, 0, tooLate, tooLate - 1, Long.MAX_VALUE, Long.MIN_VALUE, -1);
        assertThat(analysis.ids()).isEqualTo(2);
        assertThat(analysis.outside())
                .isEqualTo(new Found(5, List.of("-1", "" + tooLate, "" + Long.MAX_VALUE, "" + Long.MIN_VALUE)));
        assertThat(analysis.last()).isEqualTo("2026-11-21T08:00:00Z");
        assertThat(analyze(SnowflakeLayout.JS_SAFE, LongStream.of(1L << 53))
                        .outside()
                        .count())
                .isEqualTo(1);
    }
}
