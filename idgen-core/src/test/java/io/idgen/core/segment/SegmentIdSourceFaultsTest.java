package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults that a code review found, each with the test that showed it. */
class SegmentIdSourceFaultsTest extends RefillThreadFixture {
    private final MemoryRow single = MemoryRow.fixed(1);
    private final MemoryRow ten = MemoryRow.fixed(10);

    @AfterEach
    void letGo() {
        single.letGo();
        ten.letGo();
    }

    // fixed runs: a caller that was woken up and found the earlier cursor used up did not count as a caller that lacks
    // ids

    @Test
    void allWhoWaitForFixedRunsAreServedOneCallEach() throws Exception {
        single.hold();
        try (SegmentIdSource ids = step(single, 10).build()) {
            List<Caller> callers =
                    Stream.generate(() -> new Caller(ids::nextId)).limit(20).toList();
            callers.forEach(Caller::waits);
            single.letGo();

            for (Caller caller : callers) {
                assertThat(caller.id()).isBetween(1L, 20L);
            }
            settle();
            assertThat(single.wanted).hasSize(20);
        }
    }

    @Test
    void manyThreadsMakeNoMoreCallsThanTheyAskForIds() throws Exception {
        try (SegmentIdSource ids = step(single, 10).build()) {
            List<long[]> drawn = ParallelThreads.run(
                    8, thread -> LongStream.generate(ids::nextId).limit(300).toArray());
            settle();

            assertThat(drawn.stream().flatMapToLong(Arrays::stream).sorted().toArray())
                    .isEqualTo(numbers(1, 2_400));
            assertThat(single.wanted).hasSize(2_400);
        }
    }

    // fixed runs: closing

    // closing

    @Test
    void aRunThatWentBackWhileClosingIsNotHandedBack() throws Exception {
        row.answers.add(() -> row.run(10));
        SegmentIdSource ids = step(row, 10).build();
        row.hold();
        row.answer();
        assertThat(ids.nextIds(3)).containsExactly(1, 2, 3);
        row.isCalled(2);
        row.next.set(1); // the table is restored: the next ids were issued before

        CompletableFuture<?> closed = ids.closeAsync();
        assertThat(closed).isNotDone();
        row.answer();
        closed.get(30, SECONDS);
        settle();

        assertThat(row.handedBack).isEmpty();
        assertThat(row.next).as("the next id that the table gives").hasValueGreaterThan(3);
    }

    // waiting callers

    @Test
    void allWaitingCallsFailIfTheThreadsHaveEnded() throws Exception {
        row.hold();
        row.answers.add(() -> row.run(1));
        SegmentIdSource ids =
                step(row, 10).acquireTimeout(Duration.ofMinutes(5)).build();
        Caller first = new Caller(ids::nextId).waits();
        Caller second = new Caller(ids::nextId).waits();
        row.isCalled(1);
        one.shutdown();
        row.answer();

        assertThat(first.id()).isEqualTo(1);
        assertThat(second.failure().code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
    }

    @Test
    void whoWaitsKeepsItsPlaceUntilItHasItsIds() throws Exception {
        CountDownLatch othersAreThere = new CountDownLatch(1);
        CountDownLatch arriving = new CountDownLatch(1);
        MemoryRow asked = new MemoryRow() {
            @Override
            public boolean isRising() { // called under the lock when a run arrives
                arriving.countDown();
                try {
                    assertThat(othersAreThere.await(30, SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return true;
            }

            @Override
            Segment run(int wanted) {
                return super.run(1);
            }
        };
        asked.hold();
        try (SegmentIdSource ids = SegmentIdSource.builder(asked, "orders")
                .refills(new DaemonThreads(one))
                .maxWaiters(1)
                .acquireTimeout(Duration.ofSeconds(30))
                .build()) {
            Caller waiting = new Caller(ids::nextId).waits();
            asked.answer();
            assertThat(arriving.await(30, SECONDS)).isTrue();
            List<Thread> others = Stream.generate(() -> new Thread(() -> {
                        try {
                            ids.nextId();
                        } catch (IdUnavailableException e) {
                            assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_WAITERS);
                        }
                    }))
                    .limit(20)
                    .toList();
            for (Thread other : others) { // all wait for the lock before the waiting caller is woken up
                other.start();
                Caller.until("a thread that waits for the lock", () -> other.getState() == Thread.State.WAITING);
            }
            othersAreThere.countDown();
            asked.letGo();

            assertThat(waiting.id()).isPositive();
            for (Thread other : others) {
                other.join();
            }
        }
    }
}
