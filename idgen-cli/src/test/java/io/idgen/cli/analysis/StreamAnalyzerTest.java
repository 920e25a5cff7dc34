package io.idgen.cli.analysis;

import static io.idgen.cli.analysis.Samples.CLOCK;
import static io.idgen.cli.analysis.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.idgen.core.layout.SnowflakeLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamAnalyzerTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private final StreamAnalyzer analyzer = new StreamAnalyzer(LAYOUT, CLOCK);

    @TempDir
    private Path folder;

    @Test
    void countsIdsOverTimeAndByWorker() {
        StreamAnalysis analysis = new StreamAnalyzer(LAYOUT, CLOCK, HOUR)
                .analyze(LongStream.of(
                        id("2026-03-01T09:59:59.999Z", 1, 2, 0),
                        id("2026-03-01T10:00:00Z", 1, 2, 0),
                        id("2026-03-01T10:59:59.999Z", 1, 3, 0),
                        id("2026-03-01T13:00:00Z", 0, 31, 0)));
        assertThat(analysis.ids()).isEqualTo(4);
        assertThat(analysis.first()).contains(Instant.parse("2026-03-01T09:59:59.999Z"));
        assertThat(analysis.last()).contains(Instant.parse("2026-03-01T13:00:00Z"));
        assertThat(analysis.load()).isEqualTo(hours("2026-03-01T09:00:00Z", 1, 2, 0, 0, 1));
        assertThat(analysis.load().startOf(4)).isEqualTo("2026-03-01T13:00:00Z");
        Saturation one = new Saturation(4096, 0, 0, 1);
        assertThat(analysis.workers())
                .containsExactly(
                        new WorkerActivity(0, 31, 1, one, hours("2026-03-01T09:00:00Z", 0, 0, 0, 0, 1)),
                        new WorkerActivity(1, 2, 2, one, hours("2026-03-01T09:00:00Z", 1, 1, 0, 0, 0)),
                        new WorkerActivity(1, 3, 1, one, hours("2026-03-01T09:00:00Z", 0, 1, 0, 0, 0)));
        assertThat(analysis.otherWorkersIds()).isZero();
    }

    @Test
    void doublesTheBucketUntilTheCurveIsShortEnough() {
        LoadCurve short512 = analyzer.analyze(everyMillis(512)).load();
        assertThat(short512.bucket()).isEqualTo(Duration.ofMillis(1));
        assertThat(short512.ids()).hasSize(512).containsOnly(1L);

        LoadCurve doubled = analyzer.analyze(everyMillis(513)).load();
        assertThat(doubled.bucket()).isEqualTo(Duration.ofMillis(2));
        assertThat(doubled.start()).isEqualTo(START);
        assertThat(doubled.ids()).hasSize(257).endsWith(2L, 1L);
    }

    @Test
    void coversYearsInSomeHundredPoints() {
        StreamAnalysis analysis = analyzer.analyze(
                LongStream.of(0, id("2026-03-01T10:00:00Z", 0, 0, 0), id("2025-01-01T00:00:00Z", 0, 0, 0)));
        assertThat(analysis.load().ids()).hasSizeBetween(256, StreamAnalyzer.MOST_POINTS);
        assertThat(total(analysis.load())).isEqualTo(3);
        assertThat(analysis.load().start())
                .isBetween(LAYOUT.epoch().minus(analysis.load().bucket()), LAYOUT.epoch());
        assertThat(analysis.first()).contains(LAYOUT.epoch());
    }

    @Test
    void measuresTheSameLoadInWhateverOrderIdsCome() {
        Random random = new Random(3);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            long millis = (long) (random.nextDouble() * random.nextDouble() * 3e9);
            ids.add(Samples.id(LAYOUT, START.plusMillis(millis), i % 3, i % 5, 0));
        }
        Collections.sort(ids);
        StreamAnalysis sorted = analyzer.analyze(stream(ids));
        assertThat(total(sorted.load())).isEqualTo(20_000);
        Collections.reverse(ids);
        StreamAnalysis reversed = analyzer.analyze(stream(ids));
        Collections.shuffle(ids, random);
        StreamAnalysis shuffled = analyzer.analyze(stream(ids));

        for (StreamAnalysis other : List.of(reversed, shuffled)) {
            assertThat(other.load()).isEqualTo(sorted.load());
            assertThat(other.first()).isEqualTo(sorted.first());
            assertThat(other.last()).isEqualTo(sorted.last());
            assertThat(other.shards()).isEqualTo(sorted.shards());
            assertThat(other.workers().stream().map(WorkerActivity::load))
                    .isEqualTo(
                            sorted.workers().stream().map(WorkerActivity::load).toList());
        }
        assertThat(sorted.inversions().count()).isZero();
        assertThat(reversed.inversions().share()).isGreaterThan(0.99);
    }

    @Test
    void keepsTheChosenBucketAlsoForLongCurves() {
        StreamAnalysis analysis = new StreamAnalyzer(LAYOUT, CLOCK, Duration.ofMinutes(1))
                .analyze(LongStream.of(
                        id("2026-03-01T10:00:00Z", 0, 0, 0),
                        id("2026-03-02T10:00:00Z", 0, 1, 0),
                        id("2026-03-01T10:00:30Z", 0, 2, 0),
                        id("2026-02-28T10:00:00Z", 0, 3, 0)));
        assertThat(analysis.load().bucket()).isEqualTo(Duration.ofMinutes(1));
        assertThat(analysis.load().ids()).hasSize(2 * 1440 + 1);
        assertThat(analysis.load().start()).isEqualTo("2026-02-28T10:00:00Z");
        assertThat(analysis.load().ids().get(1440)).isEqualTo(2);
        assertThat(analysis.load().ids().get(2880)).isEqualTo(1);
        assertThat(analysis.workers())
                .allSatisfy(w -> assertThat(total(w.load())).isEqualTo(1));
    }

    @Test
    void refusesAChosenBucketThatWouldTakeTooMuchRoom() {
        StreamAnalyzer perMilli = new StreamAnalyzer(LAYOUT, CLOCK, Duration.ofMillis(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> perMilli.analyze(
                        LongStream.of(id("2026-03-01T10:00:00Z", 0, 0, 0), id("2026-03-02T10:00:00Z", 0, 0, 0))))
                .withMessageContaining("1 workers in buckets of 1 ms")
                .withMessageContaining("choose a longer bucket");
        // all workers share the limit, so the curves of two workers may have half the length
        assertThatIllegalArgumentException()
                .isThrownBy(() -> perMilli.analyze(LongStream.concat(
                        LongStream.of(id("2026-03-01T10:00:00Z", 0, 0, 0), id("2026-03-01T10:05:00Z", 0, 0, 0)),
                        LongStream.range(0, 32).map(w -> id("2026-03-01T10:00:00Z", 0, (int) w, 0)))));
    }

    @Test
    void refusesABucketBelowATickOrAMillisecond() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StreamAnalyzer(SnowflakeLayout.SONYFLAKE, CLOCK, Duration.ofMillis(9)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StreamAnalyzer(LAYOUT, CLOCK, Duration.ofNanos(1_500_000)));
        assertThatIllegalArgumentException().isThrownBy(() -> new StreamAnalyzer(LAYOUT, CLOCK, Duration.ZERO));
    }

    @Test
    void countsOnlyTheFirstWorkersEachOnItsOwn() {
        SnowflakeLayout wide = SnowflakeLayout.parse("41-0-16-6");
        StreamAnalysis analysis = new StreamAnalyzer(wide, CLOCK)
                .analyze(LongStream.range(0, 3000)
                        .map(i -> Samples.id(wide, START.plusMillis(i), 0, (int) i % 1500, 63)));
        assertThat(analysis.workers()).hasSize(StreamAnalyzer.MOST_WORKERS);
        assertThat(analysis.workers()).allSatisfy(w -> assertThat(w.ids()).isEqualTo(2));
        assertThat(analysis.otherWorkersIds()).isEqualTo(2 * (1500 - StreamAnalyzer.MOST_WORKERS));
        assertThat(total(analysis.load())).isEqualTo(3000);
        assertThat(analysis.saturation().idsNearTheTop()).isEqualTo(3000);
    }

    @Test
    void tellsHowNearTicksAreToTheirEnd() {
        StreamAnalysis analysis = analyzer.analyze(LongStream.concat(
                LongStream.range(0, 4096).map(s -> id("2026-03-01T10:00:00Z", 0, 1, (int) s)),
                LongStream.range(0, 100).map(s -> id("2026-03-01T10:00:00Z", 0, 2, (int) s))));
        assertThat(analysis.saturation()).isEqualTo(new Saturation(4096, 4095, 40, 4096));
        assertThat(analysis.saturation().highestShare()).isEqualTo(1);
        assertThat(analysis.workers().get(1).saturation()).isEqualTo(new Saturation(4096, 99, 0, 100));
        assertThat(analysis.workers().get(1).saturation().highestShare()).isCloseTo(0.0244, within(0.0001));
    }

    @ParameterizedTest
    @ValueSource(strings = {"41-10-12-0", "41-10-11-1", "41-10-6-6"})
    void countsTheLastSequenceOfAShortTickAsItsTop(String widths) {
        SnowflakeLayout layout = SnowflakeLayout.parse(widths);
        int last = (int) layout.idsPerTick() - 1;
        StreamAnalysis analysis = new StreamAnalyzer(layout, CLOCK)
                .analyze(LongStream.rangeClosed(0, last).map(s -> Samples.id(layout, START, 0, 0, (int) s)));
        assertThat(analysis.saturation()).isEqualTo(new Saturation(last + 1, last, 1, last + 1));
    }

    @Test
    void countsTheIdsOfATickAlsoIfTheyComeMixedOrBackwards() {
        List<Long> ids = new ArrayList<>();
        for (int tick = 0; tick < 64; tick++) {
            for (int sequence = 0; sequence < 10 + tick % 7; sequence++) {
                ids.add(Samples.id(LAYOUT, START.plusMillis(tick), 0, 0, sequence));
            }
        }
        Collections.shuffle(ids, new Random(4));
        assertThat(analyzer.analyze(stream(ids)).saturation().mostInOneTick()).isEqualTo(16);

        LongStream backwards = LongStream.range(0, 30_000)
                .map(i -> 30_000 - i)
                .map(i -> Samples.id(LAYOUT, START.plusMillis(i / 3), 0, 0, (int) (i % 3)));
        assertThat(analyzer.analyze(backwards).saturation().mostInOneTick()).isEqualTo(3);
    }

    @Test
    void countsNoTickAboveWhatItHasInAStreamMixedAtRandom() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            ids.add(Samples.id(LAYOUT, START.plusMillis(i / 3), 0, 0, i % 3));
        }
        Collections.shuffle(ids, new Random(5));
        assertThat(analyzer.analyze(stream(ids)).saturation().mostInOneTick()).isBetween(1, 3);
    }

    @Test
    void findsIdsThatAreSmallerThanOneBefore() {
        StreamAnalysis analysis = analyzer.analyze(LongStream.of(
                id("2026-03-01T10:00:00Z", 0, 1, 0),
                id("2026-03-01T10:00:05Z", 0, 1, 0), // the largest
                id("2026-03-01T10:00:04Z", 0, 1, 0), // 1 s back
                id("2026-03-01T10:00:04.500Z", 0, 1, 0), // rises, and is still 0.5 s back
                id("2026-03-01T10:00:05Z", 0, 1, 0), // equal
                id("2026-03-01T10:00:06Z", 0, 1, 0)));
        assertThat(analysis.inversions()).isEqualTo(new Inversions(2, 6, Duration.ofSeconds(1)));
        assertThat(analysis.inversions().share()).isEqualTo(2.0 / 6);
    }

    @Test
    void takesTheLargestStepBackInTicksOfTheLayout() {
        SnowflakeLayout layout = SnowflakeLayout.SONYFLAKE;
        assertThat(new StreamAnalyzer(layout, CLOCK)
                        .analyze(LongStream.of(
                                Samples.id(layout, "2026-03-01T10:00:00.500Z", 0, 9, 0),
                                Samples.id(layout, "2026-03-01T10:00:00.010Z", 0, 9, 0)))
                        .inversions())
                .isEqualTo(new Inversions(1, 2, Duration.ofMillis(490)));
    }

    @Test
    void findsRepeatedIdsAndSaysWhatTheyPointAt() {
        long a = id("2026-03-01T10:00:00Z", 0, 1, 0);
        long b = id("2026-03-01T10:00:01Z", 0, 1, 0);
        StreamAnalysis analysis =
                analyzer.analyze(LongStream.of(0, 0, a, a, b, a, b, id("2026-03-01T10:00:02Z", 0, 1, 0)));
        assertThat(analysis.duplicates()).isEqualTo(new Findings(4, List.of(0L, a, b)));
        assertThat(analysis.toString())
                .contains("duplicates: 4. 3 ids were generated twice")
                .contains("likeliest cause");
    }

    @Test
    void findsAllRepetitionsOfASortedStreamAndListsTheFirst() {
        long[] twice = LongStream.range(0, 200_000)
                .map(i -> Samples.id(LAYOUT, START.plusMillis(i / 4), 0, 1, (int) (i / 2 % 2)))
                .toArray();
        Findings duplicates = analyzer.analyze(LongStream.of(twice)).duplicates();
        assertThat(duplicates.count()).isEqualTo(100_000);
        assertThat(duplicates.first())
                .containsExactlyElementsOf(LongStream.of(twice)
                        .distinct()
                        .limit(Findings.MOST_LISTED)
                        .boxed()
                        .toList());
    }

    @Test
    void findsNoRepetitionWhereThereIsNone() {
        Random random = new Random(6);
        LongStream distinct = LongStream.range(0, 300_000)
                .map(i -> ((i ^ 0x155) << 22) | (random.nextInt(1024) << 12) | random.nextInt(4));
        assertThat(analyzer.analyze(distinct).duplicates().count()).isZero();
    }

    @Test
    void findsNearlyAllRepetitionsSomeThousandIdsApart() {
        LongStream again = LongStream.range(0, 20_000).map(i -> ((i / 2000 * 1000 + i % 1000) << 22));
        assertThat(analyzer.analyze(again).duplicates().count()).isBetween(9_800L, 10_000L);
    }

    @Test
    void setsAsideWhatCannotBeAnId() {
        long tooLate = LAYOUT.firstIdAt(NOW.plus(Duration.ofDays(1)).plusMillis(1));
        long latest = tooLate - 1;
        StreamAnalysis analysis =
                analyzer.analyze(LongStream.of(-1, 0, tooLate, latest, Long.MAX_VALUE, Long.MIN_VALUE, -1));
        assertThat(analysis.ids()).isEqualTo(2);
        assertThat(analysis.outside())
                .isEqualTo(new Findings(5, List.of(-1L, tooLate, Long.MAX_VALUE, Long.MIN_VALUE)));
        assertThat(analysis.last()).contains(NOW.plus(Duration.ofDays(1)));
        assertThat(analysis.inversions().count()).isZero();
        assertThat(analysis.duplicates().count()).isZero();
        assertThat(total(analysis.load())).isEqualTo(2);
    }

    @Test
    void setsAsideWhatIsTooLongForJavaScript() {
        StreamAnalysis analysis = new StreamAnalyzer(SnowflakeLayout.JS_SAFE, CLOCK)
                .analyze(LongStream.of(SnowflakeLayout.JS_SAFE.firstIdAt(NOW), 1L << 53));
        assertThat(analysis.ids()).isEqualTo(1);
        assertThat(analysis.outside().first()).containsExactly(1L << 53);
    }

    @Test
    void countsRemaindersByEachNumberOfShards() {
        Random random = new Random(7);
        long[] ids = random.longs(5000, 0, LAYOUT.firstIdAt(NOW)).toArray();
        List<Shards> shards = analyzer.analyze(LongStream.of(ids)).shards();
        assertThat(shards).hasSize(63);
        for (int count = 2; count <= 64; count++) {
            long[] expected = new long[count];
            for (long id : ids) {
                expected[(int) (id % count)]++;
            }
            assertThat(shards.get(count - 2).count()).isEqualTo(count);
            assertThat(shards.get(count - 2).ids())
                    .containsExactly(Arrays.stream(expected).boxed().toArray(Long[]::new));
            assertThat(shards.get(count - 2).skew())
                    .isEqualTo((double) Arrays.stream(expected).max().orElseThrow() * count / 5000);
        }
    }

    @Test
    void showsThatIdsOfLightTrafficAllFallOnOneShardOfEight() {
        StreamAnalysis analysis = analyzer.analyze(everyMillis(10_000));
        assertThat(analysis.shards().get(8 - 2).skew()).isEqualTo(8);
        assertThat(analysis.shards().get(7 - 2).skew()).isLessThan(1.01);
        assertThat(analysis.toString()).contains("8.00 of 8");
    }

    @Test
    void measuresNothingInNoIds() {
        StreamAnalysis analysis = analyzer.analyze(LongStream.empty());
        assertThat(analysis.ids()).isZero();
        assertThat(analysis.first()).isEmpty();
        assertThat(analysis.last()).isEmpty();
        assertThat(analysis.load().ids()).isEmpty();
        assertThat(analysis.workers()).isEmpty();
        assertThat(analysis.saturation()).isEqualTo(new Saturation(4096, 0, 0, 0));
        assertThat(analysis.inversions().share()).isZero();
        assertThat(analysis.shards()).allSatisfy(s -> assertThat(s.skew()).isEqualTo(1));
        assertThat(analysis.toString()).startsWith("0 ids of layout 41-5-5-12");
    }

    @Test
    void measuresStreamsAndFilesAlike() throws IOException {
        long[] ids = new Random(8).longs(3000, 0, LAYOUT.firstIdAt(NOW)).toArray();
        Path file = file(LongStream.of(ids).mapToObj(Long::toString).toList());
        StreamAnalysis expected = analyzer.analyze(LongStream.of(ids));
        assertThat(analyzer.analyze(LongStream.of(ids).parallel())).isEqualTo(expected);
        assertThat(analyzer.analyze(file)).isEqualTo(expected);
    }

    @Test
    void readsFilesWithBlankLinesSpacesAndAnyLineEnd() throws IOException {
        Path file = folder.resolve("ids.txt");
        Files.writeString(file, "\n  1 \r\n2\n\n3");
        assertThat(analyzer.analyze(file).ids()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1 2", "1,2", "1.0", "0x1F", "9223372036854775808", "\u0663"})
    void namesFileAndLineOfWhatIsNoId(String bad) throws IOException {
        Path file = file(List.of("1", "", bad, "2"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> analyzer.analyze(file))
                .withMessageStartingWith(file + ", line 3: one decimal id of at most 64 bits is expected, got '");
    }

    @Test
    void quotesNoMoreThanTheBeginningOfALongLine() throws IOException {
        Path file = file(List.of("7".repeat(1_000)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> analyzer.analyze(file))
                .withMessageEndingWith(
                        "line 1: one decimal id of at most 64 bits is expected, got '" + "7".repeat(40) + "...'");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        Path missing = folder.resolve("missing.txt");
        assertThatThrownBy(() -> analyzer.analyze(missing))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("missing.txt");
        assertThatThrownBy(() -> analyzer.analyze(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString());
    }

    @Test
    void summarizesInSomeLines() {
        StreamAnalysis analysis = new StreamAnalyzer(LAYOUT, CLOCK, HOUR)
                .analyze(LongStream.of(
                        id("2026-03-01T10:00:00Z", 1, 2, 0),
                        id("2026-03-01T11:00:00Z", 1, 2, 0),
                        id("2026-03-01T11:00:00Z", 1, 2, 1),
                        id("2026-03-01T10:30:00Z", 0, 3, 0),
                        -5));
        assertThat(analysis).hasToString("""
            4 ids of layout 41-5-5-12 from 2024-01-01T00:00:00Z, from 2026-03-01T10:00:00Z to 2026-03-01T11:00:00Z
            load: at most 2 ids in 1 h, from 2026-03-01T10:00:00Z on
            workers: 2: (1,2) 3, (0,3) 1
            sequence: highest 1 of 0 to 4095, 0 ids in the top 1 %, at most 2 ids of one worker in one tick
            inversions: 1 (25.0000 %), largest step back 30 min
            duplicates: 0
            outside: 1, such as -5
            evenness: ids in the fullest shard, divided by the average: 1.50 of 2, 3.00 of 4, 6.00 of 8, 12.00 of 16, 24.00 of 32, 48.00 of 64; worst 48.00 of 64\
            """);
    }

    @Test
    void readsLinesThatAreNoFileAndNamesThemInAnError() throws IOException {
        StreamAnalyzer lines = new StreamAnalyzer(SnowflakeLayout.IDGEN, InstantSource.system());
        assertThat(read(lines, new StringReader("1\n\n 2 \n"), "standard input").ids())
                .isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(lines, new StringReader("1\nx"), "standard input"))
                .withMessageStartingWith("standard input, line 2: ");
    }

    private static StreamAnalysis read(StreamAnalyzer analyzer, Reader lines, String name) throws IOException {
        return analyzer.analyze(new BufferedReader(lines), name, refusal -> {
            throw refusal;
        });
    }

    private Path file(List<String> lines) throws IOException {
        return Files.write(folder.resolve("ids.txt"), lines, StandardCharsets.UTF_8);
    }

    private static long id(String time, int datacenter, int worker, int sequence) {
        return Samples.id(LAYOUT, time, datacenter, worker, sequence);
    }

    private static LongStream everyMillis(int count) {
        return LongStream.range(0, count).map(i -> Samples.id(LAYOUT, START.plusMillis(i), 0, 0, 0));
    }

    private static LoadCurve hours(String start, long... ids) {
        return new LoadCurve(
                Instant.parse(start), HOUR, LongStream.of(ids).boxed().toList());
    }

    private static LongStream stream(List<Long> ids) {
        return ids.stream().mapToLong(Long::longValue);
    }

    private static long total(LoadCurve load) {
        return load.ids().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void aLineThatNeverEndsIsRefusedWithItsNumber() {
        Reader endless = new Reader() {
            private long produced;

            @Override
            public int read(char[] buffer, int from, int count) {
                produced += count;
                assertThat(produced).as("characters read").isLessThan(1_000_000);
                Arrays.fill(buffer, from, from + count, '7');
                buffer[from] = produced == count ? '\n' : '7'; // the first line is empty
                return count;
            }

            @Override
            public void close() {}
        };

        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(analyzer, endless, "standard input"))
                .withMessageStartingWith(
                        "standard input, line 2: one decimal id of at most 64 bits is expected, got more"
                                + " than 1000 characters, '777")
                .withMessageEndingWith("...'; put each id on a line of its own");
    }

    @Test
    void aLineOfAThousandCharactersIsRead() throws IOException {
        String line = " ".repeat(500) + "7" + " ".repeat(499);

        assertThat(read(analyzer, new StringReader(line + "\r\n" + line + "\r" + line), "ids")
                        .ids())
                .isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(analyzer, new StringReader("1\r\n2\r" + line + " "), "ids"))
                .withMessageStartingWith("ids, line 3: ");
    }

    @Test
    void theCallerDecidesOnLinesThatAreNotIds() throws IOException {
        String text = "id\n1\n" + "x".repeat(5_000) + "\n2\n\n3";
        List<String> bad = new ArrayList<>();

        StreamAnalysis analysis = new StreamAnalyzer(SnowflakeLayout.IDGEN, InstantSource.system())
                .analyze(
                        new BufferedReader(new StringReader(text)),
                        "orders",
                        line -> bad.add(line.getMessage().substring(0, 14)));

        assertThat(analysis.ids()).isEqualTo(3);
        assertThat(bad).containsExactly("orders, line 1", "orders, line 3");
    }
}
