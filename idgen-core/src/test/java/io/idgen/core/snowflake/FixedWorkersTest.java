package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.test.internal.ParallelThreads;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two generators with one worker id in one JVM. */
class FixedWorkersTest {
    private final String namespace = UUID.randomUUID().toString();

    private Snowflake.Builder worker(int id) {
        return Snowflake.builder().namespace(namespace).workerId(id);
    }

    @Test
    void equalGeneratorsShareOneStateAndNeverGiveTheSameId() throws Exception {
        try (Snowflake one = worker(1).build();
                Snowflake two = worker(1).build()) {
            assertThat(one).isNotSameAs(two);
            List<long[]> ids = ParallelThreads.run(2, thread -> {
                Snowflake mine = thread == 0 ? one : two;
                long[] drawn = new long[100_000];
                for (int i = 0; i < drawn.length; i++) {
                    drawn[i] = mine.nextId();
                }
                return drawn;
            });

            ParallelThreads.assertDistinct(ids);
        }
    }

    @Test
    void aSecondGeneratorWithAnotherLayoutIsRefused() {
        try (Snowflake one = worker(1).build()) {
            ConfigurationException e = refused(worker(1).layout(SnowflakeLayout.parse("41-10-12")));

            assertThat(e)
                    .hasMessageContainingAll(
                            "worker id 1 in namespace '" + namespace + "' is in use in this JVM",
                            "by a generator with 41-5-5-12 from 2024-01-01T00:00:00Z",
                            "requested by one with 41-0-10-12 from 2024-01-01T00:00:00Z",
                            "share one generator, close the first, or set another worker id (idgen.worker.id, or");
            assertThat(one.nextId()).isPositive();
        }
    }

    /** The bits below the time decide, not how a layout divides them. */
    @ParameterizedTest
    @CsvSource({"41-0-10-12, 33", "41-0-11-11, 67", "41-0-10-12, 1"})
    void aSecondGeneratorWithEqualBitsBelowTheTimeIsRefused(String layout, int workerId) {
        boolean equal = workerId > 1;
        Snowflake.Builder second = worker(workerId).layout(SnowflakeLayout.parse(layout));
        try (Snowflake one = worker(1).datacenterId(1).build()) {
            if (equal) {
                assertThat(refused(second)).hasMessageContainingAll("worker id 33", layout, "41-5-5-12");
            } else {
                try (Snowflake two = second.build()) {
                    assertThat(two.nextId()).isNotEqualTo(one.nextId());
                }
            }
        }
    }

    @Test
    void aSecondGeneratorWithAnotherClockIsRefused() {
        try (Snowflake one = worker(1).build()) {
            ConfigurationException e = refused(worker(1).clock(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(1))));

            assertThat(e)
                    .hasMessageContaining("requested by one with 41-5-5-12 from 2024-01-01T00:00:00Z, clock policy"
                            + " wait:5ms, a clock of its own");
            assertThat(one.nextId()).isPositive();
        }
    }

    @Test
    void closingOneLeavesTheOtherWorking() {
        try (Snowflake two = worker(1).build()) {
            Snowflake one = worker(1).build();
            long last = one.nextId();
            one.close();
            one.close();

            assertThat(assertThrows(IdGenerationException.class, one::nextId).code())
                    .isEqualTo(ErrorCode.SOURCE_CLOSED);
            assertThat(two.nextId()).isGreaterThan(last);
            refused(worker(1).clockPolicy(ClockPolicy.fail()));
        }
    }

    @Test
    void afterTheLastCloseTheWorkerIdIsFreeForAnyGenerator() {
        worker(1).build().close();
        worker(1).clockPolicy(ClockPolicy.fail()).build().close();

        try (Snowflake other =
                worker(1).layout(SnowflakeLayout.parse("41-10-12")).build()) {
            assertThat(other.nextId()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "wait:5ms", "run-ahead:20ms"})
    void aReopenedGeneratorBeginsAboveTheIdsOfTheFirst(String policy) {
        long last = 0;
        for (int i = 0; i < 50; i++) {
            try (Snowflake ids =
                    worker(1).clockPolicy(ClockPolicy.parse(policy)).build()) {
                for (long id : ids.nextIds(20)) {
                    assertThat(id).isGreaterThan(last);
                    last = id;
                }
            }
        }
    }

    @Test
    void aGeneratorBeginsAboveTheIdsOfAForgottenOneEvenIfTheClockSteppedBack() throws Exception {
        ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
        ReferenceQueue<Snowflake> garbage = new ReferenceQueue<>();
        AtomicLong last = new AtomicLong();
        WeakReference<Snowflake> forgotten = drawAndForget(time, last, garbage);
        for (int i = 0; i < 100 && !forgotten.refersTo(null); i++) {
            System.gc();
            garbage.remove(50);
        }
        assertThat(forgotten.refersTo(null)).isTrue();

        time.step(Duration.ofMillis(-3));
        try (Snowflake other = worker(1).time(time).build()) {
            assertThat(other.nextId()).isGreaterThan(last.get());
        }
    }

    private WeakReference<Snowflake> drawAndForget(
            ManualTime time, AtomicLong last, ReferenceQueue<Snowflake> garbage) {
        Snowflake ids = worker(1).time(time).build();
        last.set(ids.nextId());
        return new WeakReference<>(ids, garbage);
    }

    private static ConfigurationException refused(Snowflake.Builder builder) {
        ConfigurationException e = assertThrows(ConfigurationException.class, builder::build);
        assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
        return e;
    }

    @Test
    void neitherAClosedGeneratorNorItsClockIsKeptSoThatTheirClassLoadersCanGo() throws Exception {
        ReferenceQueue<InstantSource> garbage = new ReferenceQueue<>();
        WeakReference<InstantSource> clock = openAndClose(garbage);
        for (int i = 0; i < 100 && !clock.refersTo(null); i++) {
            System.gc();
            garbage.remove(50);
        }

        assertThat(clock.refersTo(null)).isTrue();
    }

    private WeakReference<InstantSource> openAndClose(ReferenceQueue<InstantSource> garbage) {
        InstantSource clock = InstantSource.offset(InstantSource.system(), Duration.ofMillis(-1));
        try (Snowflake ids = worker(1).clock(clock).build()) {
            ids.nextId();
        }
        return new WeakReference<>(clock, garbage);
    }
}
