package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how refills follow the demand, and how callers that wait together are served. */
class SegmentIdSourceDemandTest extends RefillThreadFixture {
    private SegmentIdSource.Builder step(int step) {
        return over(row).step(step).acquireTimeout(Duration.ofMinutes(5));
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
}
