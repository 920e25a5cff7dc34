package io.idgen.core.snowflake;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.internal.lease.LayoutTime;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how each policy handles each fault of the clock. */
class SnowflakeClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final SnowflakeLayout IDGEN = SnowflakeLayout.IDGEN;
    private static final int PER_TICK = 4096;

    private final String namespace = UUID.randomUUID().toString();
    private final ManualTime time = new ManualTime(START);
    private final List<Snowflake> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Snowflake::close);
    }

    private Snowflake open(ClockPolicy policy) {
        return open(IDGEN, policy);
    }

    private Snowflake open(SnowflakeLayout layout, ClockPolicy policy) {
        Snowflake ids = Snowflake.builder()
                .startOffsetBelow(1)
                .namespace(namespace)
                .workerId(0)
                .layout(layout)
                .clockPolicy(policy)
                .time(time)
                .build();
        opened.add(ids);
        return ids;
    }

    /**
     * Returns a generator whose last id is the first of the present tick. It has not used any ticks ahead of the clock.
     */
    private Snowflake settled(String policy) {
        Snowflake ids = open(ClockPolicy.parse(policy));
        ids.nextId();
        time.advance(
                Duration.ofMillis(ClockPolicy.parse(policy).aheadTicks(IDGEN)).plusMillis(100));
        SnowflakeParts first = parts(ids.nextId());
        assertThat(first.time()).isEqualTo(time.now());
        assertThat(first.sequence()).isZero();
        return ids;
    }

    private static SnowflakeParts parts(long id) {
        return IDGEN.parse(id);
    }

    /** Uses up the tick of the first id that {@link #settled} drew. */
    private static long[] useUpTick(Snowflake ids) {
        return ids.nextIds(PER_TICK - 1);
    }

    // the clock steps back

    @ParameterizedTest
    @CsvSource({
        "fail, 1",
        "fail, 5",
        "fail, 6",
        "fail, 600000",
        "wait:5ms, 6",
        "wait:5ms, 600000",
        "run-ahead:1s, 2001",
        "run-ahead:1s, 600000"
    })
    void aStepBackBeyondTheLimitIsRefusedAtOnceAndChangesNothing(String policy, long back) {
        Snowflake ids = settled(policy);
        long before = ids.nextId();
        Instant last = time.now();
        int parks = time.parks();

        time.step(ofMillis(-back));
        IdUnavailableException one = assertThrows(IdUnavailableException.class, ids::nextId);
        IdUnavailableException many = assertThrows(IdUnavailableException.class, () -> ids.nextIds(10_000));

        for (IdUnavailableException e : List.of(one, many)) {
            StepBack refused = StepBack.of(e);
            assertThat(refused.last()).isEqualTo(last);
            assertThat(refused.now()).isEqualTo(last.minusMillis(back)).isEqualTo(time.now());
            assertThat(refused.limit())
                    .isEqualTo(Durations.text(ClockPolicy.parse(policy)
                            .patience()
                            .plusMillis(ClockPolicy.parse(policy).aheadTicks(IDGEN))));
        }
        assertThat(time.parks()).isEqualTo(parks);
        time.step(ofMillis(back));
        assertThat(ids.nextId()).isEqualTo(before + 1);
    }

    @Test
    void theRefusalOfAStepBackNamesTheValuesTheLimitAndTheWayOut() {
        Snowflake ids = settled("wait:5ms");
        String last = time.now().toString();
        time.step(ofMillis(-37));
        String now = time.now().toString();

        IdUnavailableException e = assertThrows(IdUnavailableException.class, ids::nextId);

        assertThat(e)
                .hasMessageStartingWith("IDGEN-201: clock is 37 ms behind the last id, limit 5 ms (last " + last
                        + ", now " + now + "); correct the host's clock, or wait until it has passed the last id.")
                .hasMessageEndingWith("Do not restart this process or change the clock policy before that: a"
                        + " restart forgets the last id, and ids repeat");
    }

    @Test
    void aClockThatIsBehindIsReportedOnceIn10SecondsUnderTheNamespaceOfTheWorkerId() {
        List<IdgenEvent> events = new ArrayList<>();
        Snowflake ids = Snowflake.builder()
                .startOffsetBelow(1)
                .namespace(namespace)
                .workerId(0)
                .clockPolicy(ClockPolicy.waitAtMost(ofMillis(5)))
                .time(time)
                .listenerDirectly(events::add)
                .build();
        opened.add(ids);
        ids.nextId();

        for (int i = 0; i < 100; i++) { // each step back causes a wait of at least 1 ms
            time.step(ofMillis(-1));
            ids.nextId();
        }
        assertThat(events).hasSize(1);
        time.advance(WallClock.REPORT_EVERY.minusSeconds(1));
        ids.nextId();
        time.step(ofMillis(-1));
        ids.nextId();
        assertThat(events).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        ids.nextId();
        time.step(ofMillis(-1));
        ids.nextId();

        assertThat(events).hasSize(2).allSatisfy(event -> {
            assertThat(event.kind()).isEqualTo(IdgenEvent.Kind.CLOCK_BEHIND);
            assertThat(event.source()).isEqualTo(namespace);
            assertThat(event.text()).matches("the clock is at 20.*Z, and the last id of worker id 0 at 20.*Z");
        });
    }

    // a tick is full

    @ParameterizedTest
    @ValueSource(strings = {"fail", "wait:5ms", "run-ahead:3ms"})
    void aClockThatStandsStillIsGivenUpAfterASecond(String policy) {
        Snowflake ids = settled(policy);
        time.freeze(true);
        Duration since = time.elapsed();

        long[] rest = ids.nextIds((int) ClockPolicy.parse(policy).aheadTicks(IDGEN) * PER_TICK + PER_TICK - 1);
        IdUnavailableException e = assertThrows(IdUnavailableException.class, ids::nextId);

        assertThat(e.code()).isEqualTo(ErrorCode.CLOCK_STANDS_STILL);
        assertThat(e.source()).isEqualTo(namespace);
        assertThat(e).hasMessageContainingAll("IDGEN-202", "all 4096 ids", "check the host's clock");
        assertThat(time.elapsed().minus(since)).isEqualTo(ofMillis(1_001));
        time.freeze(false);
        time.advance(ofMillis(1));
        assertThat(ids.nextId()).isGreaterThan(rest[rest.length - 1]);
    }

    @Test
    void aPauseOfTheWholeProcessWhileItWaitsIsNotHeldAgainstTheClock() {
        for (int reading = 1; reading <= 40; reading++) {
            ManualTime time = new ManualTime(START);
            try (Snowflake ids = Snowflake.builder()
                    .startOffsetBelow(1)
                    .namespace(namespace + reading)
                    .workerId(0)
                    .time(time)
                    .build()) {
                ids.nextId();
                time.advance(ofMillis(10));
                long last = ids.nextIds(PER_TICK)[PER_TICK - 1];
                time.step(ofMillis(-4));

                // a garbage collection or a suspended machine between two readings: both clocks advance
                time.atReading(reading, () -> time.advance(Duration.ofSeconds(3)));

                assertThat(ids.nextId())
                        .as("with a pause before reading %d", reading)
                        .isGreaterThan(last);
            }
        }
    }

    // interrupts while waiting

    @ParameterizedTest
    @ValueSource(strings = {"a full tick", "a clock that is behind"})
    void anInterruptWhileWaitingIsReportedAndKept(String waitsFor) {
        Snowflake ids = settled("wait:5ms");
        if (waitsFor.equals("a full tick")) {
            useUpTick(ids);
        } else {
            time.step(ofMillis(-5));
        }
        int parks = time.parks();

        time.atPark(1, () -> Thread.currentThread().interrupt());
        IdUnavailableException e;
        boolean kept;
        try {
            e = assertThrows(IdUnavailableException.class, ids::nextId);
        } finally {
            kept = Thread.interrupted();
        }

        assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED);
        assertThat(e).hasMessageContaining("interrupted while waiting for the clock");
        assertThat(kept).isTrue();
        assertThat(time.parks()).isEqualTo(parks + 1);
        assertThat(ids.nextId()).isPositive();
    }

    // the beginning and the end of a layout

    @ParameterizedTest
    @ValueSource(strings = {"41-5-5-12", "51-0-0-12", "53-0-0-10", "62-0-0-1", "41-11-11-0"})
    void theLastTickIsIssuedToItsLastIdAndNothingAfterIt(String widths) {
        // the epoch is chosen so that the end of the layout fits into milliseconds of a long, however wide the time is
        SnowflakeLayout wide = SnowflakeLayout.parse(widths);
        SnowflakeLayout layout =
                wide.withEpoch(START.minusMillis(LayoutTime.ticks(wide).lastTick()));
        assertThat(layout.end()).isEqualTo(START);
        time.set(START.minusMillis(2));
        Snowflake ids = open(layout, ClockPolicy.waitAtMost(ofMillis(5)));
        long last = ids.nextId();
        time.set(START);

        for (int i = 0; i < layout.idsPerTick(); i++) {
            long id = ids.nextId();
            assertThat(layout.parse(id)).isEqualTo(new SnowflakeParts(START, 0, 0, i));
            assertThat(id).isGreaterThan(last);
            last = id;
        }

        assertExhausted(ids);
        assertThat(last).isEqualTo(layout.largestId(0));
        time.step(ofMillis(-1));
        assertExhausted(ids);
        time.step(ofMillis(2));
        assertExhausted(ids);
    }

    private static void assertExhausted(Snowflake ids) {
        IdGenerationException one = assertThrows(IdGenerationException.class, ids::nextId);
        IdGenerationException many = assertThrows(IdGenerationException.class, () -> ids.nextIds(3));

        assertThat(one.code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
        assertThat(many.code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
        assertThat(one)
                .hasMessageContainingAll(
                        "IDGEN-203",
                        "ends at " + ids.layout().end(),
                        "more time bits, a coarser tick or a later epoch");
    }

    @Test
    void anIdIsNeverZeroEvenInTheFirstTickOfItsEpoch() {
        Snowflake ids = open(IDGEN.withEpoch(START), ClockPolicy.fail());

        assertThat(ids.nextId()).isPositive();
    }

    // start offsets

    @Test
    void startOffsetsThatCannotBeRightAreRefused() {
        Snowflake.Builder builder =
                Snowflake.builder().startOffsetBelow(1).namespace(namespace).workerId(0);

        for (int bound : new int[] {-8, 0, 3, 12}) {
            assertThat(assertThrows(IllegalArgumentException.class, () -> builder.startOffsetBelow(bound)))
                    .hasMessageContaining("a power of two, got " + bound);
        }
        assertThat(Window.startOffsets(IDGEN, 4096)).isEqualTo(2048);
        assertThat(Window.startOffsets(SnowflakeLayout.SONYFLAKE, 8)).isEqualTo(1);
    }

    // properties

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void underRandomClocksIdsRiseAndStayWithinTheBoundAndRefusalsAreRight(long seed) {
        Random random = new Random(seed);
        // few ids per tick, so that full ticks and carries are frequent
        Duration tick =
                List.of(ofMillis(1), ofMillis(10), Duration.ofSeconds(1)).get(random.nextInt(3));
        SnowflakeLayout layout = new SnowflakeLayout(IDGEN.epoch(), tick, 49, 5, 5, 4);
        Duration bound = tick.multipliedBy(1 + random.nextInt(50));
        ClockPolicy policy = List.of(
                        ClockPolicy.fail(), ClockPolicy.waitAtMost(bound), ClockPolicy.runAheadAtMost(bound))
                .get(random.nextInt(3));
        Snowflake ids = open(layout, policy);
        long last = 0;
        int served = 0;

        for (int i = 0; i < 5_000; i++) {
            switch (random.nextInt(8)) {
                case 0 ->
                    time.step(randomUpTo(bound.multipliedBy(5).dividedBy(2), random)
                            .negated());
                case 1 -> time.step(randomUpTo(bound.multipliedBy(3), random));
                case 2 -> time.advance(randomUpTo(tick, random));
                default -> {
                    // the clock stays as it is
                }
            }
            try {
                long[] batch =
                        random.nextInt(10) == 0 ? ids.nextIds(1 + random.nextInt(200)) : new long[] {ids.nextId()};
                for (long id : batch) {
                    assertThat(id).isGreaterThan(last);
                    last = id;
                }
                // time advances in parks only, so this is the reading that the last id was issued with
                assertThat(Duration.between(time.now(), layout.parse(last).time()))
                        .isLessThanOrEqualTo(Duration.ofMillis(policy.aheadTicks(IDGEN)));
                served++;
            } catch (IdUnavailableException e) {
                StepBack refused = StepBack.of(e);
                assertThat(refused.now()).isEqualTo(time.now());
                assertThat(refused.last()).isAfterOrEqualTo(layout.parse(last).time());
                assertThat(Duration.between(refused.now(), refused.last()))
                        .isGreaterThan(
                                Duration.ofMillis(policy.aheadTicks(IDGEN)).plus(policy.patience()));
                time.set(refused.last());
            }
        }

        assertThat(served).isBetween(2_500, 5_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void underRandomClocksManyThreadsGetDifferentIds(long seed) throws Exception {
        Snowflake ids = settled("run-ahead:20ms");
        SnowflakeLayout layout = IDGEN;

        List<long[]> drawn = ParallelThreads.run(4, thread -> {
            Random random = new Random(seed * 31 + thread);
            long[] mine = new long[20_000];
            for (int i = 0; i < mine.length; i++) {
                if (random.nextInt(100) == 0) {
                    // never more than the policy tolerates, whatever the other threads do
                    time.step(random.nextBoolean() ? ofMillis(-1) : ofMillis(2));
                }
                try {
                    mine[i] = ids.nextId();
                } catch (IdUnavailableException e) {
                    StepBack.of(e);
                    time.advance(ofMillis(20));
                    i--;
                }
            }
            return mine;
        });

        ParallelThreads.assertDistinct(drawn);
        for (long[] mine : drawn) {
            assertThat(mine).isSorted();
            assertThat(layout.parse(mine[mine.length - 1]).time()).isAfter(START);
        }
    }

    private static Duration randomUpTo(Duration most, Random random) {
        return ofMillis(random.nextLong(most.toMillis() + 1));
    }
}
