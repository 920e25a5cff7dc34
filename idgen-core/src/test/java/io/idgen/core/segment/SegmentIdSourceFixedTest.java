package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.internal.task.BackgroundThreads;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Over runs of a fixed size nothing is fetched ahead: one statement per id stays that. */
@Timeout(60)
class SegmentIdSourceFixedTest {
    private final MemoryRow row = MemoryRow.fixed(1);
    private final ScheduledExecutorService one = BackgroundThreads.named("one", 1);

    @AfterEach
    void endThreads() {
        row.letGo();
        one.shutdownNow();
    }

    private SegmentIdSource open(MemoryRow row) {
        return SegmentIdSource.builder(row, "orders")
                .refills(one)
                .acquireTimeout(Duration.ofSeconds(30))
                .build();
    }

    private void settle() throws Exception {
        one.submit(() -> {}).get(30, SECONDS);
    }

    private static long[] numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).toArray();
    }

    @Test
    void eachIdIsOneCall() throws Exception {
        try (SegmentIdSource ids = open(row)) {
            for (int i = 1; i <= 50; i++) {
                assertThat(ids.nextId()).isEqualTo(i);
                settle();
                assertThat(row.wanted).hasSize(i);
            }
        }
    }

    @Test
    void aBatchIsAsManyCallsAsItHasIds() throws Exception {
        try (SegmentIdSource ids = open(row)) {
            assertThat(ids.nextIds(20)).isEqualTo(numbers(1, 20));
            settle();
            assertThat(row.wanted).hasSize(20);

            assertThat(ids.nextIds(1)).containsExactly(21);
            settle();
            assertThat(row.wanted).hasSize(21);
        }
    }

    @Test
    void aRunOfSeveralIsUsedUpBeforeTheNextIsFetched() throws Exception {
        MemoryRow sequence = MemoryRow.fixed(10);
        try (SegmentIdSource ids = open(sequence)) {
            for (int i = 1; i <= 25; i++) {
                assertThat(ids.nextId()).isEqualTo(i);
                settle();
                assertThat(sequence.wanted).hasSize((i + 9) / 10);
            }
            assertThat(ids.nextIds(5)).isEqualTo(numbers(26, 30));
            settle();
            assertThat(sequence.wanted).hasSize(3);
        }
    }

    @Test
    void aPreloadFractionChangesNothing() throws Exception {
        MemoryRow sequence = MemoryRow.fixed(10);
        try (SegmentIdSource ids = SegmentIdSource.builder(sequence, "orders")
                .refills(one)
                .preload(0.5)
                .build()) {
            ids.nextIds(6);
            ids.nextIds(4);
            settle();
            assertThat(sequence.wanted).hasSize(1);
        }
    }

    @Test
    void whatAnInterruptedCallerHadFetchedGoesToTheNext() throws Exception {
        row.hold();
        try (SegmentIdSource ids = open(row)) {
            Caller interrupted = new Caller(ids::nextId).waits();
            interrupted.interrupt();
            assertThat(interrupted.failure().code()).isEqualTo(ErrorCode.INTERRUPTED);
            row.answer();
            settle();

            assertThat(ids.nextId()).isEqualTo(1);
            settle();
            assertThat(row.wanted).hasSize(1);
        }
    }

    @Test
    void warmingUpFetchesTheFirstRunAndNoMore() throws Exception {
        try (SegmentIdSource ids = open(row)) {
            ids.warmUp();
            ids.warmUp();
            settle();
            assertThat(row.wanted).hasSize(1);

            assertThat(ids.nextId()).isEqualTo(1);
            settle();
            assertThat(row.wanted).hasSize(1);
        }
    }

    /** Runs of several databases by turns. */
    private static MemoryRow falling() {
        return new MemoryRow() {
            @Override
            public boolean isRising() {
                return false;
            }
        };
    }

    @Test
    void runsThatNeedNotRiseAreTakenInAnyOrder() {
        MemoryRow several = falling();
        several.answers.add(() -> new Segment(101, 2, 1));
        several.answers.add(() -> new Segment(1, 2, 1));
        several.answers.add(() -> new Segment(51, 2, 1));
        try (SegmentIdSource ids = open(several)) {
            assertThat(ids.nextIds(6)).containsExactly(101, 102, 1, 2, 51, 52);
        }
    }
}
