package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.testing.TestThreads;
import io.idgen.test.IdSourceContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Blocks of ids that belong to single threads. A thread takes over the block of one that has ended. Closing the source
 * discards the blocks.
 */
class ThreadBlocksTest {

    /** Returns a source over a table in memory whose threads take blocks. */
    private static SegmentIdSource open(int step) {
        AtomicLong next = new AtomicLong(1);
        return SegmentIdSource.builder((name, wanted) -> new Segment(next.getAndAdd(wanted), wanted, 1), "orders")
                .step(step)
                .threadOrder()
                .acquireTimeout(Duration.ofSeconds(30))
                .build();
    }

    /** Blocks of small segments have few ids, so they are refilled and change hands often. */
    @Nested
    class SmallSegments extends IdSourceContract {
        @Override
        protected IdSource open() {
            return ThreadBlocksTest.open(100);
        }
    }

    /** Blocks of large segments have the largest size. */
    @Nested
    class LargeSegments extends IdSourceContract {
        @Override
        protected IdSource open() {
            return ThreadBlocksTest.open(1_000_000);
        }
    }

    /**
     * Ended threads. The garbage collector must not find them, because the rest of a collected thread's block is lost.
     */
    private final List<Thread> ended = new ArrayList<>();

    private <T> T inAThread(java.util.concurrent.Callable<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task);
        Thread thread = new Thread(future);
        ended.add(thread);
        thread.start();
        thread.join();
        return future.get();
    }

    @Test
    void aThreadHasItsBlockToItself() throws Exception {
        ThreadBlocks blocks = new ThreadBlocks(1);
        ThreadBlocks.ThreadBlock mine = blocks.mine();

        assertThat(mine).isNotNull().isSameAs(blocks.mine());
        assertThat(inAThread(blocks::mine)).isNull();
    }

    @Test
    void whatAThreadLeavesIsTheNextOnes() throws Exception {
        ThreadBlocks blocks = new ThreadBlocks(1);
        long first = inAThread(() -> {
            ThreadBlocks.ThreadBlock block = blocks.mine();
            block.fill(10, 3, 5);
            return block.take();
        });

        ThreadBlocks.ThreadBlock block = blocks.mine();

        assertThat(first).isEqualTo(10);
        assertThat(new long[] {block.take(), block.take(), block.take()})
                .containsExactly(15, 20, ThreadBlocks.ThreadBlock.EMPTY);
    }

    @Test
    void afterATableWasSetBackNoIdOfTheBlocksIsReturned() throws Exception {
        MemoryRow row = new MemoryRow();
        row.answers.add(() -> new Segment(1, 6_400, 1));
        row.answers.add(() -> new Segment(5, 6_400, 1));
        ScheduledThreadPoolExecutor refills = TestThreads.named("one", 1);
        try (SegmentIdSource source = SegmentIdSource.builder(row, "orders")
                .threadOrder()
                .refills(new DaemonThreads(refills))
                .build()) {
            row.hold();
            row.answer();
            assertThat(new long[] {source.nextId(), source.nextId(), source.nextId()})
                    .containsExactly(1, 2, 3); // 2 is the first id of a block of a hundred
            row.answer();
            refills.submit(() -> {}).get(30, TimeUnit.SECONDS); // waits until the second answer is processed

            assertThat(assertThrows(IdGenerationException.class, source::nextId).code())
                    .isEqualTo(ErrorCode.SEGMENT_WENT_BACK);
        } finally {
            row.letGo();
            refills.shutdownNow();
        }
    }
}
