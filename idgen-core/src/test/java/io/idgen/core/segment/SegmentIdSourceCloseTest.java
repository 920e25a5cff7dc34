package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.time.CloseWait;
import io.idgen.test.internal.ParallelThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a source hands its remaining ids back once, the newest first. No id is both issued and handed back. */
class SegmentIdSourceCloseTest extends RefillThreadFixture {
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void answerHandBacks() {
        letGo.countDown();
    }

    private SegmentIdSource open() {
        return step(row, 10).build();
    }

    /** Closes a source while its second refill is under way, and returns when the close has ended. */
    private void closesDuringTheSecondRefill(SegmentIdSource ids) throws Exception {
        row.hold();
        row.answer();
        ids.nextId();
        row.isCalled(2);

        CompletableFuture<?> closed = ids.closeAsync();
        assertThat(closed).isNotDone();
        row.answer();
        closed.get(30, SECONDS);
    }

    private void awaitLetGo() {
        try {
            assertThat(letGo.await(60, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertClosed(SegmentIdSource ids) {
        assertThat(assertThrows(IdGenerationException.class, ids::nextId).code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
        assertThat(assertThrows(IdGenerationException.class, () -> ids.nextIds(3))
                        .code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
        assertThat(assertThrows(IdGenerationException.class, ids::warmUp).code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
    }

    @Test
    void whatIsLeftIsHandedBackOnceTheNewestFirst() throws Exception {
        SegmentIdSource ids = open();
        ids.nextId();
        settle();

        ids.close();
        ids.close();
        settle();

        assertThat(row.handedBack).containsExactly(List.of(new Segment(11, 10, 1), new Segment(2, 9, 1)));
        assertThat(row.next).hasValue(2);
        assertClosed(ids);
    }

    @Test
    void aRefillUnderWayIsHandedBackAsTheNewest() throws Exception {
        SegmentIdSource ids = open();
        closesDuringTheSecondRefill(ids);
        settle();

        assertThat(row.handedBack).containsExactly(List.of(new Segment(11, 10, 1), new Segment(2, 9, 1)));
    }

    @Test
    void aFailingDatabaseIsNotAskedToTakeIdsBack() throws Exception {
        row.answers.add(() -> row.run(10));
        row.answers.addAll(Collections.nCopies(100, MemoryRow.failing(MemoryRow.databaseFailed())));
        SegmentIdSource ids = open();
        ids.nextId();
        settle();

        ids.close();
        settle();

        assertThat(row.handedBack).isEmpty();
        assertThat(one.getQueue()).isEmpty(); // nor is a refill queued
        assertClosed(ids);
    }

    @Test
    void nothingIsHandedBackToATableThatWasSetBack() throws Exception {
        row.answers.add(() -> new Segment(1, 10, 1));
        row.answers.add(() -> new Segment(5, 10, 1));
        SegmentIdSource ids = open();
        ids.nextId();
        settle();

        ids.close();
        settle();

        assertThat(row.handedBack).isEmpty();
        assertThat(assertThrows(IdGenerationException.class, ids::nextId).code())
                .isEqualTo(ErrorCode.SEGMENT_WENT_BACK);
    }

    @Test
    void aHandBackThatFailsIsNotRepeated() throws Exception {
        row.beforeHandBack = () -> {
            throw MemoryRow.databaseFailed();
        };
        SegmentIdSource ids = open();
        ids.warmUp();
        settle();

        ids.close();
        ids.close();
        settle();

        assertThat(row.handedBack).hasSize(1);
        assertThat(one.getQueue()).isEmpty();
        assertClosed(ids);
    }

    @Test
    void closingDoesNotWaitForEverForAHandBackThatHangs() {
        row.beforeHandBack = this::awaitLetGo;
        SegmentIdSource ids = open();
        ids.warmUp();

        long begin = System.nanoTime();
        ids.close(); // returns although the latch is closed

        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(CloseWait.LONGEST.toNanos());
        assertThat(letGo.getCount()).isEqualTo(1);
        Caller.until("a hand-back", () -> row.handedBack.size() == 1);
        assertClosed(ids);
    }

    @Test
    void anInterruptEndsTheWaitForTheHandBackAndNotTheHandBack() throws Exception {
        row.beforeHandBack = this::awaitLetGo;
        SegmentIdSource ids = open();
        ids.nextId();
        settle();

        Thread.currentThread().interrupt();
        ids.close();
        assertThat(Thread.interrupted()).isTrue();
        letGo.countDown();
        settle();

        assertThat(row.next).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1_000})
    void underRacingCallersEveryIdIsEitherGivenOutOrHandedBack(int step) throws Exception {
        int drawers = 3;
        for (int round = 0; round < 40; round++) {
            MemoryRow fresh = new MemoryRow() {
                @Override
                public void handBack(String name, List<Segment> newestFirst) {
                    handedBack.add(newestFirst); // the row keeps what was allocated, for the sum below
                }
            };
            SegmentIdSource ids = step(fresh, step).build();
            CountDownLatch underWay = new CountDownLatch(drawers);
            List<long[]> shared = new ArrayList<>(ParallelThreads.run(drawers + 1, thread -> {
                long[] drawn = new long[64];
                if (thread == drawers) {
                    assertThat(underWay.await(30, SECONDS)).isTrue();
                    ids.close();
                    return new long[0];
                }
                int count = 0;
                AtomicBoolean open = new AtomicBoolean(true);
                while (open.get()) {
                    try {
                        long id = ids.nextId();
                        drawn = count < drawn.length ? drawn : Arrays.copyOf(drawn, 2 * count);
                        drawn[count++] = id;
                    } catch (IdGenerationException e) {
                        assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
                        open.set(false);
                    }
                    if (count == 50) {
                        underWay.countDown();
                    }
                }
                return Arrays.copyOf(drawn, count);
            }));
            settle();
            assertThat(fresh.handedBack.size()).isLessThan(2);
            fresh.handedBack.forEach(segments -> segments.forEach(segment -> shared.add(
                    LongStream.rangeClosed(segment.first(), segment.last()).toArray())));

            long[] all = shared.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            assertThat(Arrays.equals(all, LongStream.range(1, fresh.next.get()).toArray()))
                    .as("each of %d ids once, among %d", fresh.next.get() - 1, all.length)
                    .isTrue();
        }
    }
}
