package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the ids of a generator are even over {@code id % 2^k} at each rate, and that this costs no ids. */
class LowBitsTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int PER_TICK = 4096;
    private static final int IDS = 64_000;

    private final ManualTime time = new ManualTime(START);

    private Snowflake.Builder builder() {
        return Snowflake.builder()
                .namespace(UUID.randomUUID().toString())
                .workerId(3)
                .time(time);
    }

    /** Returns ids at random times with this mean rate; all rise. */
    private long[] ids(Snowflake ids, double perSecond, int count) {
        SplittableRandom random = new SplittableRandom((long) perSecond);
        long[] all = new long[count];
        long began = time.millis();
        double millis = 0;
        for (int i = 0; i < count; i++) {
            millis += -Math.log(1 - random.nextDouble()) * 1000 / perSecond;
            long due = began + (long) millis;
            time.advance(Duration.ofMillis(Math.max(0, due - time.millis())));
            all[i] = ids.nextId();
            assertThat(all[i]).isGreaterThan(i == 0 ? 0 : all[i - 1]);
        }
        return all;
    }

    /** Returns chi-square of the ids over the shards, per degree of freedom: 1 on average if they are even. */
    private static double chiSquare(long[] ids, int shards) {
        double expected = (double) ids.length / shards;
        long[] counts = new long[shards];
        Arrays.stream(ids).forEach(id -> counts[(int) (id % shards)]++);
        return Arrays.stream(counts)
                        .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                        .sum()
                / (shards - 1);
    }

    private static void assertEven(long[] ids) {
        for (int shards = 2; shards <= 64; shards *= 2) {
            // exceeded by chance once in ten thousand seeds, for one degree of freedom; the seeds are fixed
            assertThat(chiSquare(ids, shards)).as("id %% %s", shards).isLessThan(15);
        }
    }

    @ParameterizedTest
    @CsvSource({"10", "100", "333", "1000", "3000", "20000", "300000", "2000000", "4000000"})
    void idsAreEvenOverTheirLowBitsAtEachRate(double perSecond) {
        try (Snowflake ids = builder().build()) {
            assertEven(ids(ids, perSecond, IDS));
        }
    }

    /** The control. */
    @ParameterizedTest
    @CsvSource({"10", "333", "1000"})
    void withoutStartOffsetsTheyAreNot(double perSecond) {
        try (Snowflake ids = builder().startOffsetBelow(1).build()) {
            assertThat(chiSquare(ids(ids, perSecond, IDS), 8)).isGreaterThan(1_000);
        }
    }

    static Stream<ClockPolicy> policies() {
        return Stream.of("fail", "wait:5ms", "run-ahead:1s", "reuse:64").map(ClockPolicy::parse);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aBusyGeneratorLosesAtMostTheStartOfItsFirstTick(ClockPolicy policy) {
        try (Snowflake ids = builder().clockPolicy(policy).build()) {
            time.advance(Duration.ofSeconds(2)); // past what a restart waits out
            int ticks = 244;
            long[] all = ids.nextIds(ticks * PER_TICK - 64);
            long first = SnowflakeLayout.IDGEN.parse(all[0]).time().toEpochMilli();
            long last = SnowflakeLayout.IDGEN.parse(all[all.length - 1]).time().toEpochMilli();

            assertThat(last - first).isEqualTo(ticks - 1);
            assertEven(all);
        }
    }

    @Test
    void aLayoutWithTheWorkerInItsLowestBitsBeginsEachTickAtZero() {
        try (Snowflake ids = builder().layout(SnowflakeLayout.SONYFLAKE).build()) {
            time.advance(Duration.ofMillis(20));
            assertThat(SnowflakeLayout.SONYFLAKE.parse(ids.nextId()).sequence()).isZero();
        }
    }
}
