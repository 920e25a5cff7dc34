package io.idgen.core.snowflake;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.internal.lease.LayoutTime;
import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.test.IdSourceContract;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the policy that uses sequences left over from the last ticks. */
class SnowflakeRingTest extends IdSourceContract {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** 16 ids per tick, so that full slots are frequent. */
    private static final SnowflakeLayout SMALL =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), ofMillis(1), 49, 5, 5, 4);

    private static final int SLOTS = 8;

    private final ManualTime time = new ManualTime(START);
    private final String namespace = UUID.randomUUID().toString();
    private final List<Snowflake> opened = new ArrayList<>();

    @Override
    protected IdSource open() {
        return Snowflake.builder()
                .startOffsetBelow(1)
                .namespace(UUID.randomUUID().toString())
                .workerId(1)
                .clockPolicy(ClockPolicy.reuse(64))
                .build();
    }

    private Snowflake ring(SnowflakeLayout layout, int slots) {
        Snowflake ids = Snowflake.builder()
                .startOffsetBelow(1)
                .namespace(namespace)
                .workerId(0)
                .layout(layout)
                .clockPolicy(ClockPolicy.reuse(slots))
                .time(time)
                .build();
        opened.add(ids);
        return ids;
    }

    /** Returns a ring that has used the first id of the present tick, and no other tick. */
    private Snowflake settled() {
        Snowflake ids = ring(SMALL, SLOTS);
        time.advance(ofMillis(100));
        assertThat(SMALL.parse(ids.nextId())).isEqualTo(new SnowflakeParts(time.now(), 0, 0, 0));
        return ids;
    }

    @AfterEach
    void close() {
        opened.forEach(Snowflake::close);
    }

    @Test
    void aClockThatStepsBackFindsTheSequencesThatWereLeft() {
        Snowflake ids = settled();
        Instant tick = time.now();
        time.advance(ofMillis(3));
        ids.nextIds(5);

        time.step(ofMillis(-3));

        assertThat(SMALL.parse(ids.nextId())).isEqualTo(new SnowflakeParts(tick, 0, 0, 1));
        time.step(ofMillis(3));
        assertThat(SMALL.parse(ids.nextId())).isEqualTo(new SnowflakeParts(tick.plusMillis(3), 0, 0, 5));
        assertThat(time.parks()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void underRandomClocksNoIdIsMadeTwice(long seed) {
        Random random = new Random(seed);
        int slots = 2 + random.nextInt(12);
        Snowflake ids = ring(SMALL, slots);
        Set<Long> seen = new HashSet<>();

        for (int i = 0; i < 10_000; i++) {
            switch (random.nextInt(6)) {
                case 0 -> time.step(ofMillis(-random.nextInt(2 * slots)));
                case 1 -> time.step(ofMillis(random.nextInt(2 * slots)));
                default -> {
                    // the clock stays as it is
                }
            }
            try {
                for (long id : random.nextBoolean() ? ids.nextIds(1 + random.nextInt(40)) : new long[] {ids.nextId()}) {
                    assertThat(seen.add(id)).as("id %d is new", id).isTrue();
                    assertThat(Duration.between(time.now(), SMALL.parse(id).time()))
                            .isLessThan(ofMillis(slots));
                }
            } catch (IdGenerationException e) {
                StepBack refused = StepBack.of(e);
                assertThat(Duration.between(refused.now(), refused.last())).isGreaterThanOrEqualTo(ofMillis(slots));
                time.set(refused.last());
            }
        }

        assertThat(seen).hasSizeGreaterThan(20_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"41-5-5-12", "51-0-0-12", "58-0-0-5"})
    void theLastTickIsIssuedOnceAndNothingAfterIt(String widths) {
        SnowflakeLayout wide = SnowflakeLayout.parse(widths);
        // the layout ends in the present millisecond
        SnowflakeLayout layout =
                wide.withEpoch(START.minusMillis(LayoutTime.ticks(wide).lastTick()));
        time.set(START.minusMillis(5));
        Snowflake ids = ring(layout, 2);
        List<long[]> drawn = new ArrayList<>();

        for (long millis : new long[] {-1, 0, -1, 0}) {
            time.set(START.plusMillis(millis));
            IdGenerationException end = null;
            for (int i = 0; i <= 2 * layout.idsPerTick() && end == null; i++) {
                try {
                    drawn.add(new long[] {ids.nextId()});
                } catch (IdGenerationException e) {
                    end = e;
                }
            }
            ParallelThreads.assertDistinct(drawn);
            assertThat(end).isNotNull();
            assertThat(end.code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
        }

        assertThat(drawn).hasSize(2 * (int) layout.idsPerTick()).allMatch(id -> id[0] > 0);
    }
}
