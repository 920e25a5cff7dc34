package io.idgen.cli.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.cli.analysis.StreamAnalysis.Found;
import io.idgen.cli.analysis.StreamAnalysis.Inversions;
import io.idgen.cli.analysis.StreamAnalysis.Load;
import io.idgen.cli.analysis.StreamAnalysis.Saturation;
import io.idgen.cli.analysis.StreamAnalysis.Worker;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamAnalyzerTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");
    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    private static StreamAnalysis analyze(SnowflakeLayout layout, LongStream ids) {
        StreamAnalyzer analyzer = new StreamAnalyzer(layout, InstantSource.fixed(NOW));
        ids.forEachOrdered(analyzer::add);
        return analyzer.result();
    }

    private static StreamAnalysis analyze(long... ids) {
        return analyze(LAYOUT, LongStream.of(ids));
    }

    private static long id(long millis, int datacenter, int worker, int sequence) {
        return LAYOUT.compose(new SnowflakeParts(START.plusMillis(millis), datacenter, worker, sequence));
    }

    private static long total(Load load) {
        return load.ids().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void idsAreCountedOverTimeAndByWorker() {
        StreamAnalysis analysis = analyze(id(0, 1, 2, 0), id(1, 1, 2, 0), id(1, 1, 3, 0), id(4, 0, 31, 0));

        assertThat(analysis.ids()).isEqualTo(4);
        assertThat(analysis.first()).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(analysis.last()).isEqualTo("2026-03-01T10:00:00.004Z");
        assertThat(analysis.load()).isEqualTo(new Load("2026-03-01T10:00:00Z", 1, List.of(1L, 2L, 0L, 0L, 1L)));
        Saturation one = new Saturation(4096, 0, 0, 1);
        assertThat(analysis.workers())
                .containsExactly(
                        new Worker(0, 31, 1, one, List.of(0L, 0L, 0L, 0L, 1L)),
                        new Worker(1, 2, 2, one, List.of(1L, 1L, 0L, 0L, 0L)),
                        new Worker(1, 3, 1, one, List.of(0L, 1L, 0L, 0L, 0L)));
        assertThat(analyze().load().ids()).as("of no ids").isEmpty();
    }

    @Test
    void theBucketDoublesUntilTheCurveIsShortEnough() {
        assertThat(analyze(LAYOUT, LongStream.range(0, 512).map(i -> id(i, 0, 0, 0)))
                        .load()
                        .bucketMillis())
                .isEqualTo(1);
        Load doubled = analyze(LAYOUT, LongStream.range(0, 513).map(i -> id(i, 0, 0, 0)))
                .load();
        assertThat(doubled.bucketMillis()).isEqualTo(2);
        assertThat(doubled.ids()).hasSize(257).endsWith(2L, 1L);
        assertThat(analyze(0, id(0, 0, 0, 0)).load().ids()).as("of years").hasSizeBetween(256, LoadGrid.POINTS);
    }

    @Test
    void theLoadIsTheSameInWhateverOrderIdsCome() {
        Random random = new Random(3);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            ids.add(id((long) (random.nextDouble() * random.nextDouble() * 3e9), i % 3, i % 5, 0));
        }
        Collections.sort(ids);
        StreamAnalysis sorted = analyze(LAYOUT, ids.stream().mapToLong(Long::longValue));
        Collections.shuffle(ids, random);
        StreamAnalysis shuffled = analyze(LAYOUT, ids.stream().mapToLong(Long::longValue));

        assertThat(total(sorted.load())).isEqualTo(20_000);
        assertThat(shuffled.load()).isEqualTo(sorted.load());
        assertThat(shuffled.first()).isEqualTo(sorted.first());
        assertThat(shuffled.evenness()).isEqualTo(sorted.evenness());
        assertThat(sorted.inversions().count()).isZero();
        assertThat(shuffled.inversions().share()).isGreaterThan(0.9);
    }

    @Test
    void onlyTheFirstWorkersAreCountedEachOnItsOwn() {
        SnowflakeLayout wide = SnowflakeLayout.parse("41-0-16-6");
        StreamAnalysis analysis = analyze(
                wide,
                LongStream.range(0, 3000)
                        .map(i -> wide.compose(new SnowflakeParts(START.plusMillis(i), 0, (int) i % 1500, 63))));

        assertThat(analysis.workers())
                .hasSize(StreamAnalyzer.MOST_WORKERS)
                .allSatisfy(worker -> assertThat(worker.ids()).isEqualTo(2));
        assertThat(analysis.otherWorkersIds()).isEqualTo(2 * (1500 - StreamAnalyzer.MOST_WORKERS));
        assertThat(total(analysis.load())).isEqualTo(3000);
        assertThat(analysis.saturation().idsNearTheTop()).isEqualTo(3000);
    }

    @Test
    void theFullestTicksAreFoundAlsoInAMixedStream() {
        StreamAnalysis full = analyze(
                LAYOUT,
                LongStream.concat(
                        LongStream.range(0, 4096).map(s -> id(0, 0, 1, (int) s)),
                        LongStream.range(0, 100).map(s -> id(0, 0, 2, (int) s))));
        assertThat(full.saturation()).isEqualTo(new Saturation(4096, 4095, 40, 4096));
        assertThat(full.saturation().highestShare()).isEqualTo(1);
        assertThat(full.workers().get(1).saturation()).isEqualTo(new Saturation(4096, 99, 0, 100));

        List<Long> mixed = new ArrayList<>();
        for (int tick = 0; tick < 64; tick++) {
            for (int sequence = 0; sequence < 10 + tick % 7; sequence++) {
                mixed.add(id(tick, 0, 0, sequence));
            }
        }
        Collections.shuffle(mixed, new Random(4));
        assertThat(analyze(LAYOUT, mixed.stream().mapToLong(Long::longValue))
                        .saturation()
                        .mostInOneTick())
                .isEqualTo(16);
    }

    @Test
    void idsThatAreSmallerThanOneBeforeAreFound() {
        assertThat(analyze(
                                id(0, 0, 1, 0),
                                id(5_000, 0, 1, 0), // the largest
                                id(4_000, 0, 1, 0), // 1 s back
                                id(4_500, 0, 1, 0), // rises, and is still 0.5 s back
                                id(5_000, 0, 1, 0), // equal
                                id(6_000, 0, 1, 0))
                        .inversions())
                .isEqualTo(new Inversions(2, 2.0 / 6, 1_000));
    }

    @Test
    void repeatedIdsAreFoundWithTheirCause() {
        long a = id(0, 0, 1, 0);
        long b = id(1_000, 0, 1, 0);
        StreamAnalysis analysis = analyze(0, 0, a, a, b, a, b, id(2_000, 0, 1, 0));
        assertThat(analysis.duplicates()).isEqualTo(new Found(4, List.of("0", "" + a, "" + b)));
        assertThat(analysis.cause()).startsWith("3 ids were generated twice").contains("likeliest cause");

        Found sorted = analyze(LAYOUT, LongStream.range(0, 200_000).map(i -> id(i / 4, 0, 1, (int) (i / 2 % 2))))
                .duplicates();
        assertThat(sorted.count()).isEqualTo(100_000);
        assertThat(sorted.first()).hasSize(StreamAnalyzer.MOST_LISTED);
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
        StreamAnalysis analysis = analyze(-1, 0, tooLate, tooLate - 1, Long.MAX_VALUE, Long.MIN_VALUE, -1);
        assertThat(analysis.ids()).isEqualTo(2);
        assertThat(analysis.outside())
                .isEqualTo(new Found(5, List.of("-1", "" + tooLate, "" + Long.MAX_VALUE, "" + Long.MIN_VALUE)));
        assertThat(analysis.last()).isEqualTo("2026-11-21T08:00:00Z");
        assertThat(analyze(SnowflakeLayout.JS_SAFE, LongStream.of(1L << 53))
                        .outside()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void theEvennessIsMeasuredForEachNumberOfShards() {
        long[] ids = new Random(7).longs(5000, 0, LAYOUT.firstIdAt(NOW)).toArray();
        assertThat(analyze(ids).evenness()).hasSize(63).allSatisfy(evenness -> {
            long[] expected = new long[evenness.shards()];
            for (long id : ids) {
                expected[(int) (id % expected.length)]++;
            }
            assertThat(evenness.fullestOverFairShare())
                    .isEqualTo((double) Arrays.stream(expected).max().orElseThrow() * expected.length / 5000);
        });
    }

    private static List<Long> read(String lines) throws IOException {
        List<Long> ids = new ArrayList<>();
        IdLines.forEach(new BufferedReader(new StringReader(lines)), "ids.txt", ids::add, refusal -> {
            throw refusal;
        });
        return ids;
    }

    @Test
    void linesMayBeBlankAndHaveSpacesAndAnyLineEnd() throws IOException {
        assertThat(read("\n  1 \r\n2\n\n3\r4")).containsExactly(1L, 2L, 3L, 4L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1 2", "1,2", "1.0", "0x1F", "9223372036854775808"})
    void aLineThatIsNoIdIsNamed(String bad) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("1\r\n\r\n" + bad + "\n2"))
                .withMessage("ids.txt, line 3: one decimal id of at most 64 bits is expected, got '" + bad + "'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("7".repeat(1_000)))
                .withMessageEndingWith("got '" + "7".repeat(40) + "...'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("7".repeat(1_001)))
                .withMessageEndingWith(
                        "line 1: one decimal id of at most 64 bits is expected, got more than 1000 characters");
    }
}
