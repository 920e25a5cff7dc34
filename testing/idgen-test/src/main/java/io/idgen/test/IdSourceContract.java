package io.idgen.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.idgen.core.AsyncIds;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.test.internal.ParallelThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * Tests the contract of {@link IdSource}. Ids are positive and different, also across threads and batches, and a closed
 * source generates none. Extend this class once for each way to open a source.
 */
@Timeout(600)
public abstract class IdSourceContract {
    private static final int THREADS = 8;
    private static final int IDS_PER_THREAD = 10_000;
    private static final int[] SIZES = {1, 7, 1, 1, 250, 1}; // of batches

    /** For subclasses. */
    protected IdSourceContract() {}

    /**
     * Opens a fresh source. Each test opens one and closes it.
     *
     * @return a source that can generate at least 100,000 ids
     */
    protected abstract IdSource open();

    @Test
    void noTwoThreadsGetTheSameId() throws Exception {
        try (IdSource source = open()) {
            List<long[]> ids = ParallelThreads.run(THREADS, thread -> {
                long[] drawn = new long[IDS_PER_THREAD];
                int filled = 0;
                for (int round = thread; filled < IDS_PER_THREAD; round++) {
                    int size = Math.min(IDS_PER_THREAD - filled, SIZES[round % SIZES.length]);
                    if (size > 1) {
                        source.nextIds(drawn, filled, size);
                    } else {
                        OptionalLong offered = round % 2 == 0 ? source.tryNextId() : OptionalLong.empty();
                        drawn[filled] = offered.isPresent() ? offered.getAsLong() : source.nextId();
                    }
                    filled += size;
                }
                return drawn;
            });

            ParallelThreads.assertDistinct(ids);
        }
    }

    @Test
    void idsArePositive() {
        try (IdSource source = open()) {
            source.warmUp();
            source.warmUp();
            for (int i = 0; i < 5_000; i++) {
                assertPositive(source.nextId());
            }
        }
    }

    @Test
    void aBatchHasAsManyDifferentIdsAsAskedForAndLeavesTheRestOfAnArray() {
        for (int count : new int[] {1, 2, 1_000, 10_000}) {
            try (IdSource source = open()) {
                long[] into = new long[count + 5];
                Arrays.fill(into, -7);

                long before = source.nextId();
                source.nextIds(into, 3, count);
                long[] next = source.nextIds(count);

                long[] ids = Arrays.copyOfRange(into, 3, 3 + count);
                assertEquals(count, next.length, "ids in a batch");
                assertPositive(ids[0]);
                ParallelThreads.assertDistinct(List.of(new long[] {before}, ids, next));
                for (int untouched : new int[] {0, 1, 2, count + 3, count + 4}) {
                    assertEquals(-7, into[untouched], "element " + untouched + " of the array");
                }
            }
        }
    }

    @Test
    void requestsThatDoNotBlockGetDifferentIds() throws Exception {
        try (IdSource source = open()) {
            AsyncIds async = new AsyncIds(source);
            List<long[]> ids = ParallelThreads.run(THREADS, thread -> {
                List<CompletableFuture<Long>> requests = new ArrayList<>();
                // a request that waits may cost a thread, on machines with few processors
                for (int i = 0; i < 200; i++) {
                    requests.add(async.nextId());
                }
                return requests.stream().mapToLong(CompletableFuture::join).toArray();
            });

            ParallelThreads.assertDistinct(ids);
        }
    }

    @Test
    void aBatchOfNothingOfMoreThanAMillionOrWithoutPlaceIsRefused() {
        try (IdSource source = open()) {
            for (int count : new int[] {Integer.MIN_VALUE, -1, 0, IdSource.MAX_BATCH + 1}) {
                IllegalArgumentException e = assertThrows(
                        IllegalArgumentException.class, () -> source.nextIds(count), "a batch of " + count);
                assertThrows(IllegalArgumentException.class, () -> source.nextIds(new long[1], 0, count));
                String message = String.valueOf(e.getMessage());
                assertTrue(message.contains("1 to 1000000, got " + count), message);
            }
            long[] into = new long[10];
            assertThrows(IndexOutOfBoundsException.class, () -> source.nextIds(into, 1, 10));
            assertThrows(IndexOutOfBoundsException.class, () -> source.nextIds(into, -1, 5));
            assertEquals(0, Arrays.stream(into).sum(), "ids that were written all the same");
        }
    }

    @Test
    void aClosedSourceGivesNothingEvenIfItWasNeverUsed() {
        for (boolean used : new boolean[] {true, false}) {
            IdSource source = open();
            AsyncIds async = new AsyncIds(source);
            if (used) {
                async.nextId().join();
            }
            source.close();
            source.close();

            List<Executable> calls =
                    List.of(source::nextId, () -> source.nextIds(2), () -> source.nextIds(new long[2], 0, 2));
            for (Executable call : calls) {
                assertEquals(
                        ErrorCode.SOURCE_CLOSED,
                        assertThrows(IdGenerationException.class, call).code());
            }
            CompletionException failed = assertThrows(CompletionException.class, async.nextId()::join);
            IdGenerationException cause = assertInstanceOf(IdGenerationException.class, failed.getCause());
            assertEquals(ErrorCode.SOURCE_CLOSED, cause.code());
        }
    }

    @Test
    void closingEndsThreadsThatDraw() throws Exception {
        int drawers = 4;
        CountDownLatch underWay = new CountDownLatch(drawers);
        IdSource source = open();

        ParallelThreads.assertDistinct(ParallelThreads.run(drawers + 1, thread -> {
            if (thread == drawers) {
                boolean allDraw = underWay.await(60, TimeUnit.SECONDS);
                source.close();
                assertTrue(allDraw, "the threads draw");
                return new long[0];
            }
            LongStream.Builder drawn = LongStream.builder();
            try {
                for (int count = 1; ; count++) {
                    drawn.add(source.nextId());
                    if (count == 10) {
                        underWay.countDown();
                    }
                }
            } catch (IdGenerationException e) {
                assertEquals(ErrorCode.SOURCE_CLOSED, e.code());
                return drawn.build().toArray();
            }
        }));
    }

    private static void assertPositive(long id) {
        assertTrue(id > 0, () -> "an id must be above 0, got " + id);
    }
}
