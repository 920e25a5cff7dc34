package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.lease.RisingWindow;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The distribution of {@code id % M} under light traffic, when nearly every id is the first of its tick. */
class StartOffsetTest {
    private static final int IDS = 64_000;

    private static long[] oneIdPerTick(Snowflake.Builder builder) {
        ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
        try (Snowflake ids = builder.namespace(UUID.randomUUID().toString())
                .workerId(3)
                .time(time)
                .build()) {
            return LongStream.generate(() -> {
                        time.advance(Duration.ofMillis(1));
                        return ids.nextId();
                    })
                    .limit(IDS)
                    .toArray();
        }
    }

    /** Returns the number of ids in the fullest of M shards, divided by the average. */
    private static double fullest(long[] ids, int shards) {
        long[] counts = new long[shards];
        for (long id : ids) {
            counts[(int) (id % shards)]++;
        }
        return LongStream.of(counts).max().orElseThrow() * (double) shards / ids.length;
    }

    @Test
    void everyNumberOfShardsFrom2To64IsFilledEvenly() {
        long[] ids = oneIdPerTick(Snowflake.builder());

        for (int shards = 2; shards <= 64; shards++) {
            assertThat(fullest(ids, shards)).as("%s shards", shards).isLessThan(1.15);
        }
    }

    // computed independently, with the constants of the published generator
    @Test
    void theStartOfATickIsTheSameInEveryVersion() {
        Window window = new RisingWindow(SnowflakeLayout.IDGEN, 0, 1024, 1, 0);

        assertThat(LongStream.of(1, 2, 3, 91_153_350_244L, (1L << 41) - 1)
                        .map(tick -> window.firstWordOf(tick) - (tick << 12)))
                .containsExactly(485L, 138L, 240L, 110L, 670L);
    }

    @Test
    void withoutThemAllIdsGoToOneOf8Shards() {
        assertThat(fullest(oneIdPerTick(Snowflake.builder().startOffsetBelow(1)), 8))
                .isEqualTo(8);
    }

    @Test
    void theSmallestAndTheLargestBoundAreAccepted() {
        assertThat(oneIdPerTick(Snowflake.builder().startOffsetBelow(2))).hasSize(IDS);
        assertThat(oneIdPerTick(Snowflake.builder().startOffsetBelow(2048))).hasSize(IDS);
    }
}
