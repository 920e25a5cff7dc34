package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On demand, no ids are fetched ahead. One call of the allocator serves the callers that wait when it begins. */
class SegmentIdSourceOnDemandTest extends RefillThreadFixture {
    SegmentIdSourceOnDemandTest() {
        super(MemoryRow.onDemand());
    }

    private SegmentIdSource open(MemoryRow table) {
        return over(table).build();
    }

    @Test
    void aBatchIsOneCall() throws Exception {
        try (SegmentIdSource ids = open(row)) {
            assertThat(ids.nextIds(20)).isEqualTo(numbers(1, 20));
            assertThat(ids.nextIds(1)).containsExactly(21);
            settle();
            assertThat(row.wanted).containsExactly(20, 1);
        }
    }

    /**
     * The first call serves the first caller, and the second one all that came meanwhile. In the control, each call
     * gets one id.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneCallServesAllWhoWaitWhenItBeginsInTheirOrder(boolean asManyAsWanted) throws Exception {
        MemoryRow table = asManyAsWanted ? row : MemoryRow.fixed(1);
        table.hold();
        try (SegmentIdSource ids = open(table)) {
            List<Caller> callers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                callers.add(new Caller(ids::nextId).waits());
                table.isCalled(1);
            }
            table.letGo();

            for (int i = 0; i < 8; i++) {
                assertThat(callers.get(i).id()).isEqualTo(i + 1);
            }
            settle();
            assertThat(table.wanted).isEqualTo(asManyAsWanted ? List.of(1, 7) : List.of(1, 7, 6, 5, 4, 3, 2, 1));
        }
    }

    @Test
    void aBatchInTheQueueIsFilledBeforeTheCallersBehindIt() throws Exception {
        row.hold();
        row.answers.add(() -> row.run(1));
        row.answers.add(() -> row.run(4)); // fewer than the 6 that are wanted
        try (SegmentIdSource ids = open(row)) {
            Caller first = new Caller(ids::nextId).waits();
            row.isCalled(1);
            Caller batch = new Caller(() -> Arrays.stream(ids.nextIds(5)).sum()).waits();
            Caller last = new Caller(ids::nextId).waits();
            row.letGo();

            assertThat(first.id()).isEqualTo(1);
            assertThat(batch.id()).isEqualTo(2 + 3 + 4 + 5 + 6);
            assertThat(last.id()).isEqualTo(7);
            settle();
            assertThat(row.wanted).containsExactly(1, 6, 2);
        }
    }

    @Test
    void nothingIsFetchedForACallerThatGaveUpBeforeTheCallBegan() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        one.execute(() -> await(free));
        try (SegmentIdSource ids = open(row)) {
            Caller interrupted = new Caller(ids::nextId).waits();
            interrupted.interrupt();
            assertThat(interrupted.failure().code()).isEqualTo(ErrorCode.INTERRUPTED);
            free.countDown();
            settle();
            assertThat(row.wanted).isEmpty();

            assertThat(ids.nextId()).isEqualTo(1);
            assertThat(row.wanted).containsExactly(1);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A monotonic clock that a test sets. Waiting calls check it when it moves. */
    private static final class HeldTime implements TimeSource {
        private final AtomicLong nanos = new AtomicLong();
        private final Queue<Runnable> wakeUps = new ConcurrentLinkedQueue<>();
        private boolean gathersInVain = true;

        /** Lets a refill wait in real time until the callers that it served have returned. */
        HeldTime gatheringAll() {
            gathersInVain = false;
            return this;
        }

        void advance(long millis) {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
            wakeUps.forEach(Runnable::run);
        }

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public LockCondition condition(ReentrantLock lock) {
            LockCondition real = new LockCondition() {
                private final LockCondition condition = LockCondition.of(lock);

                @Override
                public void awaitNanos(long left) throws InterruptedException {
                    if (gathersInVain && left <= WaitingCallers.LONGEST_GATHERING.toNanos()) {
                        nanos.addAndGet(left);
                    } else {
                        condition.awaitNanos(left);
                    }
                }

                @Override
                public void signalAll() {
                    condition.signalAll();
                }
            };
            wakeUps.add(() -> {
                lock.lock();
                try {
                    real.signalAll();
                } finally {
                    lock.unlock();
                }
            });
            return real;
        }

        @Override
        public long millis() {
            throw new AssertionError("the wall clock has been read");
        }

        @Override
        public void park(long parkNanos) {
            throw new AssertionError("a call waits for its condition alone");
        }
    }

    @Test
    void aRefillWaitsForTheCallersThatTheLastOneServedSoThatOneCallServesAll() throws Exception {
        HeldTime time = new HeldTime().gatheringAll();
        row.hold();
        row.answers.add(() -> {
            time.advance(10);
            return row.run(1);
        });
        try (SegmentIdSource ids = SegmentIdSource.builder(row, "orders")
                .refills(new DaemonThreads(one))
                .acquireTimeout(Duration.ofSeconds(60))
                .time(time)
                .build()) {
            Caller twice = new Caller(() -> ids.nextId() + ids.nextId()).waits();
            row.isCalled(1);
            Caller once = new Caller(ids::nextId).waits();
            row.letGo();

            assertThat(once.id()).isEqualTo(2);
            assertThat(twice.id()).isEqualTo(1 + 3);
            assertThat(row.wanted).as("not 1, 1, 1").containsExactly(1, 2);
        }
    }

    /** Returns a row whose runs need not rise, as those of several databases in turn. */
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
