package io.idgen.text;

import static io.idgen.text.SerialNumberFormat.CLASSIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.core.snowflake.ClockMovedBackwardsException;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.text.SerialNumberFormat.Precision;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SerialNumberSourceTest {
    private static final Instant START = Instant.parse("2026-11-20T08:00:00Z");
    private static final SnowflakeLayout TWO_DIGITS_OF_WORKER = SnowflakeLayout.parse("48-6-9");
    private static final SerialNumberFormat WITH_WORKER = CLASSIC.withWorkerDigits(2);

    /**
     * A clock that a test sets. On request it advances by itself after some readings, as time does while a call waits.
     */
    private static final class ManualClock implements InstantSource {
        private final AtomicLong millis = new AtomicLong(START.toEpochMilli());
        private final AtomicLong readings = new AtomicLong();
        private volatile long readingsPerMilli = Long.MAX_VALUE;

        void advance(long byMillis) {
            millis.addAndGet(byMillis);
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis.get());
        }

        @Override
        public long millis() {
            if (readings.incrementAndGet() % readingsPerMilli == 0) {
                millis.incrementAndGet();
            }
            return millis.get();
        }
    }

    private static final AtomicLong NAMESPACES = new AtomicLong();

    private static Snowflake snowflake(SnowflakeLayout layout, int worker, InstantSource clock) {
        return Snowflake.builder()
                .startOffsetBelow(1)
                .namespace("serials-" + NAMESPACES.incrementAndGet())
                .layout(layout)
                .workerId(worker)
                .clock(clock)
                .build();
    }

    private static IdSource counting(long first) {
        AtomicLong next = new AtomicLong(first);
        return new IdSource() {
            @Override
            public long nextId() {
                return next.getAndIncrement();
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void theNumberBeginsAnewInEachMillisecond() {
        ManualClock clock = new ManualClock();
        try (Snowflake ids = snowflake(TWO_DIGITS_OF_WORKER, 7, clock)) {
            SerialNumberSource orders = SerialNumberSource.ofSnowflakes(WITH_WORKER, "101", ids, TWO_DIGITS_OF_WORKER);
            assertThat(orders.nextSerial()).isEqualTo("101" + "20261120080000000" + "07" + "000");
            assertThat(orders.nextSerial()).isEqualTo("101" + "20261120080000000" + "07" + "001");
            clock.advance(1);
            assertThat(orders.nextSerial()).isEqualTo("101" + "20261120080000001" + "07" + "000");
        }
    }

    @Test
    void eightThreadsOnTwoWorkersMakeNoSerialTwice() throws Exception {
        int threads = 8;
        int each = 50_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        String namespace = "serials-" + NAMESPACES.incrementAndGet();
        Snowflake.Builder description =
                Snowflake.builder().startOffsetBelow(1).namespace(namespace).layout(TWO_DIGITS_OF_WORKER);
        try (Snowflake zero = description.workerId(0).build();
                Snowflake one = description.workerId(1).build()) {
            List<SerialNumberSource> workers = List.of(
                    SerialNumberSource.ofSnowflakes(WITH_WORKER, "101", zero, TWO_DIGITS_OF_WORKER),
                    SerialNumberSource.ofSnowflakes(WITH_WORKER, "101", one, TWO_DIGITS_OF_WORKER));
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<List<String>>> made = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                SerialNumberSource serials = workers.get(t % 2);
                made.add(executor.submit(() -> {
                    start.await();
                    List<String> mine = new ArrayList<>(each);
                    for (int i = 0; i < each; i++) {
                        mine.add(serials.nextSerial());
                    }
                    return mine;
                }));
            }
            Set<String> all = new HashSet<>();
            for (Future<List<String>> mine : made) {
                assertThat(mine.get()).isSorted().allMatch(all::add);
            }
            assertThat(all).hasSize(threads * each).allMatch(serial -> serial.length() == 25);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void aFullNumberWaitsForTheNextMillisecond() {
        ManualClock clock = new ManualClock();
        try (Snowflake ids = snowflake(TWO_DIGITS_OF_WORKER, 0, clock)) {
            SerialNumberSource orders = SerialNumberSource.ofSnowflakes(WITH_WORKER, "101", ids, TWO_DIGITS_OF_WORKER);
            for (int i = 0; i < 512; i++) {
                assertThat(orders.nextSerial()).endsWith(String.format("2026112008000000000%03d", i));
            }
            clock.readingsPerMilli = 5;
            assertThat(orders.nextSerial()).endsWith("20261120080000001" + "00" + "000");
        }
    }

    @Test
    void aFullNumberUnderAFrozenClockIsGivenUp() {
        try (Snowflake ids = snowflake(TWO_DIGITS_OF_WORKER, 0, new ManualClock())) {
            SerialNumberSource orders = SerialNumberSource.ofSnowflakes(WITH_WORKER, "101", ids, TWO_DIGITS_OF_WORKER);
            for (int i = 0; i < 512; i++) {
                orders.nextSerial();
            }
            assertThatExceptionOfType(IdUnavailableException.class)
                    .isThrownBy(orders::nextSerial)
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOCK_STANDS_STILL));
        }
    }

    @Test
    void aClockThatStepsBackIsRefusedAndBringsNoSerialBack() {
        ManualClock clock = new ManualClock();
        try (Snowflake ids = snowflake(TWO_DIGITS_OF_WORKER, 0, clock)) {
            SerialNumberSource orders = SerialNumberSource.ofSnowflakes(WITH_WORKER, "101", ids, TWO_DIGITS_OF_WORKER);
            String before = orders.nextSerial();
            clock.advance(-60_000);
            assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(orders::nextSerial);
            clock.advance(60_000);
            assertThat(orders.nextSerial()).isGreaterThan(before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "48-6-9",
                "54-0-9",
                "41-5-5-12",
                "41-16-6",
                "39-16-8@10ms,sequence-above-worker",
                "40-10-13@1s",
                "41-3-9"
            })
    void aSnowflakeAndItsSerialAreOneForOne(String widths) {
        SnowflakeLayout layout = SnowflakeLayout.parse(widths);
        SerialNumberFormat format =
                CLASSIC.withWorkerDigits(5).withNumberDigits(4).withCheckDigit(CheckDigit.LUHN);
        Random random = new Random(63);
        Instant until = Instant.parse("2060-01-01T00:00:00Z");
        Set<String> serials = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            Instant time = layout.epoch().plusMillis((long) (random.nextDouble()
                    * (until.toEpochMilli() - layout.epoch().toEpochMilli())));
            long id = layout.compose(new SnowflakeParts(
                    time,
                    random.nextInt(1 << layout.datacenterBits()),
                    random.nextInt(1 << layout.workerBits()),
                    random.nextInt((int) layout.idsPerTick())));
            String serial = SerialNumberSource.ofSnowflakes(format, "101", counting(id), layout)
                    .nextSerial();
            assertThat(serials.add(serial)).isTrue();
            SerialNumber parts = format.parse(serial);
            int workers = 1 << layout.workerBits();
            assertThat(layout.compose(new SnowflakeParts(
                            parts.dateTime().toInstant(ZoneOffset.UTC),
                            parts.worker() / workers,
                            parts.worker() % workers,
                            (int) parts.number())))
                    .isEqualTo(id);
        }
    }

    @Test
    void refusesAFormatWithoutRoomForWhatTheLayoutCanSay() {
        SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberSource.ofSnowflakes(CLASSIC, "101", counting(1), layout))
                .withMessage(
                        "the worker of layout 41-5-5-12 from 2024-01-01T00:00:00Z goes up to 1023, but the format has"
                                + " 0 digits for it; use withWorkerDigits(4), or a layout with fewer bits for it");
        SerialNumberFormat roomForWorkers = CLASSIC.withWorkerDigits(4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberSource.ofSnowflakes(roomForWorkers, "101", counting(1), layout))
                .withMessage(
                        "the number of layout 41-5-5-12 from 2024-01-01T00:00:00Z goes up to 4095, but the format has"
                                + " 3 digits for it; use withNumberDigits(4), or a layout with fewer bits for it");
        assertThat(SerialNumberSource.ofSnowflakes(
                                roomForWorkers.withNumberDigits(4), "101", counting(225912364091068416L), layout)
                        .nextSerial())
                .hasSize(3 + 17 + 4 + 4);
    }

    @Test
    void refusesADateTimeThatDoesNotSayTheTick() {
        SerialNumberFormat bySecond = WITH_WORKER.withPrecision(Precision.SECOND);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberSource.ofSnowflakes(bySecond, "101", counting(1), TWO_DIGITS_OF_WORKER))
                .withMessage("a date-time to the SECOND does not determine the tick of an id of layout 48-0-6-9 from"
                        + " 2024-01-01T00:00:00Z; use a finer precision, or ofIds");
        SnowflakeLayout seconds = SnowflakeLayout.parse("48-6-9@1s");
        assertThat(SerialNumberSource.ofSnowflakes(bySecond, "101", counting((1L << 15) + 5), seconds)
                        .nextSerial())
                .isEqualTo("101" + "20240101000001" + "00" + "005");
        SnowflakeLayout oddEpoch = seconds.withEpoch(SnowflakeLayout.TWITTER.epoch());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberSource.ofSnowflakes(bySecond, "101", counting(1), oddEpoch));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberSource.ofSnowflakes(
                        WITH_WORKER.withPrecision(Precision.DAY), "101", counting(1), seconds));
    }

    @Test
    void refusesAZoneWhoseClocksShowTheSameHourTwice() {
        SerialNumberFormat berlin = WITH_WORKER.withZone(ZoneId.of("Europe/Berlin"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberSource.ofSnowflakes(berlin, "101", counting(1), TWO_DIGITS_OF_WORKER))
                .withMessage("the clocks of Europe/Berlin are put back at 2024-10-27T01:00:00Z, so local times repeat;"
                        + " use a zone without that, such as UTC or +08:00, or"
                        + " ofIds");
        // Shanghai last put its clocks back in 1991, before the epoch
        SerialNumberFormat shanghai = WITH_WORKER.withZone(ZoneId.of("Asia/Shanghai"));
        assertThat(SerialNumberSource.ofSnowflakes(shanghai, "101", counting(0), TWO_DIGITS_OF_WORKER)
                        .nextSerial())
                .startsWith("101" + "20240101080000000");
    }

    @Test
    void theNumberIsTheWholeIdOfASegmentSource() throws Exception {
        AtomicLong row = new AtomicLong(1);
        SerialNumberFormat byDay = CLASSIC.withPrecision(Precision.DAY).withNumberDigits(8);
        int threads = 4;
        int each = 5_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (IdSource ids = SegmentIdSource.builder(
                        (name, wanted) -> new Segment(row.getAndAdd(wanted), wanted, 1), "invoices")
                .acquireTimeout(Duration.ofSeconds(30))
                .build()) {
            SerialNumberSource invoices = SerialNumberSource.ofIds(byDay, "202", ids, InstantSource.fixed(START));
            List<Future<Set<String>>> made = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                made.add(executor.submit(() -> {
                    Set<String> mine = new HashSet<>();
                    for (int i = 0; i < each; i++) {
                        mine.add(invoices.nextSerial());
                    }
                    return mine;
                }));
            }
            Set<String> all = new HashSet<>();
            for (Future<Set<String>> mine : made) {
                all.addAll(mine.get());
            }
            assertThat(all)
                    .hasSize(threads * each)
                    .contains("202" + "20261120" + "00000001", "202" + "20261120" + "00020000")
                    .allMatch(serial -> byDay.parse(serial).dateTime().equals(LocalDateTime.of(2026, 11, 20, 0, 0)));
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void anIdThatOutgrowsItsFieldIsRefusedAndNeverShortened() {
        SerialNumberSource orders = SerialNumberSource.ofIds(CLASSIC, "101", counting(999), InstantSource.fixed(START));
        assertThat(orders.nextSerial()).endsWith("999");
        assertThatExceptionOfType(IdGenerationException.class)
                .isThrownBy(orders::nextSerial)
                .withMessage("IDGEN-305: no serial for id 1000: number 1000 does not fit in 3 digits (0..999);"
                        + " widen the field to 4")
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED));
    }

    @Test
    void aWholeSnowflakeFitsInto19Digits() {
        ManualClock clock = new ManualClock();
        try (Snowflake ids = snowflake(SnowflakeLayout.IDGEN, 0, clock)) {
            SerialNumberFormat format = CLASSIC.withNumberDigits(19);
            SerialNumberSource orders = SerialNumberSource.ofIds(format, "101", ids, clock);
            SerialNumber first = format.parse(orders.nextSerial());
            assertThat(SnowflakeLayout.IDGEN.parse(first.number()).time()).isEqualTo(START);
        }
    }

    @Test
    void aClockThatStepsBackBringsNoWholeIdBack() {
        ManualClock clock = new ManualClock();
        SerialNumberSource orders = SerialNumberSource.ofIds(CLASSIC, "101", counting(1), clock);
        assertThat(orders.nextSerial()).isEqualTo("101" + "20261120080000000" + "001");
        clock.advance(-1);
        assertThat(orders.nextSerial()).isEqualTo("101" + "20261120075959999" + "002");
        clock.advance(1);
        assertThat(orders.nextSerial()).isEqualTo("101" + "20261120080000000" + "003");
    }

    @Test
    void theTimeIsReadInTheFormatsZone() {
        SerialNumberFormat berlin = CLASSIC.withZone(ZoneId.of("Europe/Berlin"));
        assertThat(SerialNumberSource.ofIds(berlin, "101", counting(1), InstantSource.fixed(START))
                        .nextSerial())
                .isEqualTo("101" + "20261120090000000" + "001");
    }

    @Test
    void refusesWhatAWholeIdLeavesNothingFor() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberSource.ofIds(WITH_WORKER, "101", counting(1), Clock.systemUTC()))
                .withMessage("a serial with a whole id has no worker, but the format has 2 digits for one;"
                        + " use withWorkerDigits(0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberSource.ofIds(CLASSIC, "7", counting(1), Clock.systemUTC()))
                .withMessageStartingWith("the business code has 3 digits");
    }

    @Test
    void failuresOfTheIdSourceArePassedOn() {
        Snowflake closed = snowflake(TWO_DIGITS_OF_WORKER, 0, new ManualClock());
        closed.close();
        SerialNumberSource orders = SerialNumberSource.ofSnowflakes(WITH_WORKER, "101", closed, TWO_DIGITS_OF_WORKER);
        assertThatExceptionOfType(IdGenerationException.class)
                .isThrownBy(orders::nextSerial)
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CLOSED));
    }
}
