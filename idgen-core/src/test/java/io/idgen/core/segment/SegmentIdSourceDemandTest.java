package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.internal.task.BackgroundThreads;
import io.idgen.core.internal.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how refills follow the demand, and how callers that wait together are served. */
@Timeout(60)
class SegmentIdSourceDemandTest {
    private final MemoryRow row = new MemoryRow();
    private final ScheduledThreadPoolExecutor one = (ScheduledThreadPoolExecutor) BackgroundThreads.named("one", 1);

    @AfterEach
    void endThreads() {
        row.letGo();
        one.shutdownNow();
    }

    private SegmentIdSource.Builder step(int step) {
        return SegmentIdSource.builder(row, "orders").step(step).refills(one).acquireTimeout(Duration.ofMinutes(5));
    }

    private void settle() throws Exception {
        one.submit(() -> {}).get(30, SECONDS);
    }

    private static long[] numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).toArray();
    }

    @Test
    void aThousandCallersAreServedByFewCalls() throws Exception {
        row.hold();
        try (SegmentIdSource ids = step(10).build()) {
            List<Caller> callers =
                    Stream.generate(() -> new Caller(ids::nextId)).limit(1_000).toList();
            callers.forEach(Caller::waits);
            row.letGo();

            long[] drawn = new long[callers.size()];
            for (int i = 0; i < drawn.length; i++) {
                drawn[i] = callers.get(i).id();
            }
            settle();

            assertThat(Arrays.stream(drawn).sorted().toArray()).isEqualTo(numbers(1, 1_000));
            // the first call knows few callers, the second serves all that wait, the third fills the reserve
            assertThat(row.wanted).hasSizeLessThanOrEqualTo(5);
        }
    }

    @Test
    void whatAllWhoWaitLackIsAskedForAtOnce() throws Exception {
        row.hold();
        row.answers.add(() -> row.run(1));
        try (SegmentIdSource ids = step(1).build()) {
            Caller first = new Caller(() -> (long) ids.nextIds(300).length).waits();
            row.isCalled(1);
            Caller second = new Caller(() -> (long) ids.nextIds(500).length).waits();
            CountDownLatch bothWait = new CountDownLatch(1);
            one.execute(() -> {
                try {
                    assertThat(bothWait.await(30, SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            row.answer(); // a run with one id, for the first caller
            Caller.until("the next refill", () -> one.getQueue().size() == 1);
            first.waits();
            bothWait.countDown();
            row.isCalled(2);

            assertThat(row.wanted).containsExactly(300, 799);
            row.letGo();
            assertThat(first.id()).isEqualTo(300);
            assertThat(second.id()).isEqualTo(500);
        }
    }

    @Test
    void noDemandMakesARefillLargerThanTheLargestStep() throws Exception {
        try (SegmentIdSource ids = step(10).maxStep(40).build()) {
            assertThat(ids.nextIds(300)).isEqualTo(numbers(1, 300));
            settle();

            assertThat(row.wanted).startsWith(40).allMatch(wanted -> wanted <= 40);
        }
    }

    @Test
    void aStepThatLastsForAMomentDoublesUpToTheLargest() throws Exception {
        try (SegmentIdSource ids =
                step(10).maxStep(50).time(new ManualTime(Instant.EPOCH)).build()) {
            for (int i = 1; i <= 180; i++) {
                assertThat(ids.nextId()).isEqualTo(i);
                settle();
            }

            assertThat(row.wanted).containsExactly(10, 10, 20, 40, 50, 50, 50);
        }
    }

    @Test
    void aStepWhoseEndsAreTheSameStays() throws Exception {
        try (SegmentIdSource ids = step(10).minStep(10).maxStep(10).build()) {
            for (int i = 1; i <= 100; i++) {
                ids.nextId();
                settle();
            }

            assertThat(row.wanted).hasSize(11).containsOnly(10);
        }
    }

    @Test
    void aRunWakesNoMoreThanItCanServe() throws Exception {
        row.hold();
        try (SegmentIdSource ids = step(1).maxStep(1).build()) {
            List<Caller> callers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                callers.add(new Caller(ids::nextId).waits()); // callers are served in the order in which they wait
            }
            Caller last = callers.get(9);
            Caller.until("a wait that is counted", () -> last.waitedCount() > 0); // the state changes before the count
            long before = last.waitedCount();
            for (int i = 0; i < 9; i++) {
                row.answer();
                assertThat(callers.get(i).id()).isEqualTo(i + 1L);
                row.isCalled(i + 2);
            }

            assertThat(last.isDone()).isFalse();
            assertThat(last.waitedCount()).isEqualTo(before);
            row.letGo();
            assertThat(last.id()).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 50})
    void interruptsLoseNoId(int step) throws Exception {
        int drawers = 4;
        int each = 1_000;
        ConcurrentLinkedQueue<Thread> drawing = new ConcurrentLinkedQueue<>();
        try (SegmentIdSource ids = step(step).maxStep(step).build()) {
            List<Caller> callers = new ArrayList<>();
            List<long[]> drawn = new ArrayList<>();
            for (int i = 0; i < drawers; i++) {
                long[] mine = new long[each];
                drawn.add(mine);
                callers.add(new Caller(() -> {
                    drawing.add(Thread.currentThread());
                    int count = 0;
                    while (count < each) {
                        try {
                            mine[count] = ids.nextId();
                            count++;
                        } catch (IdUnavailableException e) {
                            assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED);
                            assertThat(Thread.interrupted()).isTrue();
                        }
                    }
                    return 0L;
                }));
            }
            while (!callers.stream().allMatch(Caller::isDone)) {
                drawing.forEach(Thread::interrupt);
                Thread.onSpinWait();
            }
            for (Caller caller : callers) {
                caller.id();
            }

            assertThat(drawn.stream().flatMapToLong(Arrays::stream).sorted().toArray())
                    .isEqualTo(numbers(1, (long) drawers * each));
        }
    }

    @Test
    void whatAnInterruptedCallerHadFetchedGoesToTheNext() throws Exception {
        row.hold();
        try (SegmentIdSource ids = step(10).build()) {
            Caller interrupted = new Caller(ids::nextId).waits();
            interrupted.interrupt();
            assertThat(interrupted.failure().code()).isEqualTo(ErrorCode.INTERRUPTED);
            row.answer();
            settle();

            assertThat(ids.nextId()).isEqualTo(1); // although the row does not answer
        }
    }

    @Test
    void theLastIdsBelowTheLimitAreReturned() throws Exception {
        row.answers.add(() -> new Segment(Long.MAX_VALUE - 4, 5, 1));
        row.answers.add(MemoryRow.failing(new AllocationException(ErrorCode.LIMIT_REACHED, "limit")));
        try (SegmentIdSource ids =
                step(1_000).time(new ManualTime(Instant.EPOCH)).build()) {
            assertThat(ids.nextIds(4)).isEqualTo(numbers(Long.MAX_VALUE - 4, Long.MAX_VALUE - 1));
            assertThat(ids.nextId()).isEqualTo(Long.MAX_VALUE);
            settle();

            assertThat(new Caller(ids::nextId).failure().code()).isEqualTo(ErrorCode.LIMIT_REACHED);
            assertThat(row.wanted).containsExactly(1_000, 1_000);
        }
    }
}
