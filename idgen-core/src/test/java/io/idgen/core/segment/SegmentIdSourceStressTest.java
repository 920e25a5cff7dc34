package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.testing.TestThreads;
import io.idgen.test.internal.Together;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources over one row open and close at random, in parallel and one after the other. No id is issued twice. */
@Timeout(60)
class SegmentIdSourceStressTest {
    private static final int CALLS = 5_000;
    private static final int THREADS = 6;
    private static final int SOURCES = 3;

    /**
     * A row of a table in memory. Its runs have random sizes. At random, a call fails before or after it takes effect.
     */
    private static final class Row implements SegmentAllocator {
        final AtomicLong next = new AtomicLong(1);
        final AtomicLong takenBack = new AtomicLong();
        final AtomicLong calls = new AtomicLong();

        private boolean fails(int oneIn) {
            return new SplittableRandom(calls.incrementAndGet()).nextInt(oneIn) == 0;
        }

        private static AllocationException failure() {
            return new StoreUnavailableException("connection reset");
        }

        @Override
        public Segment allocate(String name, int wanted) {
            if (fails(400)) {
                throw failure();
            }
            int count = 1 + new SplittableRandom(calls.get()).nextInt(2 * Math.min(wanted, 1_000));
            Segment run = new Segment(next.getAndAdd(count), count, 1);
            if (fails(400)) {
                throw failure();
            }
            return run;
        }

        @Override
        public void handBack(String name, List<Segment> newestFirst) {
            assertThat(newestFirst).isNotEmpty();
            for (Segment unused : newestFirst) {
                if (fails(20)) {
                    throw failure();
                }
                if (next.compareAndSet(unused.last() + 1, unused.first())) {
                    takenBack.addAndGet(unused.count());
                }
                if (fails(20)) {
                    throw failure();
                }
            }
        }
    }

    private static SegmentIdSource open(Row row, ScheduledThreadPoolExecutor refills, int step) {
        return SegmentIdSource.builder(row, "orders")
                .minStep(1)
                .step(step)
                .refills(new DaemonThreads(refills))
                .acquireTimeout(Duration.ofSeconds(20))
                .build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void noIdIsReturnedTwice(int seed) throws Exception {
        Row row = new Row();
        int step = seed % 2 == 0 ? 5 : 100;
        ScheduledThreadPoolExecutor refills = TestThreads.named("refills", 2);
        try {
            AtomicReferenceArray<SegmentIdSource> open = new AtomicReferenceArray<>(SOURCES);
            for (int i = 0; i < SOURCES; i++) {
                open.set(i, open(row, refills, step));
            }
            List<long[]> drawn = Together.run(THREADS, thread -> {
                SplittableRandom random = new SplittableRandom(31L * seed + thread);
                long[] all = new long[1024];
                int count = 0;
                // until something was handed back, since hand-backs are rare
                for (int i = 0; i < CALLS || (row.takenBack.get() == 0 && i < 100 * CALLS); i++) {
                    int slot = random.nextInt(SOURCES);
                    SegmentIdSource ids = open.get(slot);
                    if (random.nextInt(200) == 0 && open.compareAndSet(slot, ids, open(row, refills, step))) {
                        ids.close();
                    }
                    int wanted = random.nextInt(5) == 0 ? 1 + random.nextInt(60) : 1;
                    try {
                        long[] some = wanted == 1 ? new long[] {ids.nextId()} : ids.nextIds(wanted);
                        all = count + wanted <= all.length ? all : Arrays.copyOf(all, 2 * all.length);
                        System.arraycopy(some, 0, all, count, wanted);
                        count += wanted;
                    } catch (IdGenerationException e) {
                        assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
                    }
                }
                return Arrays.copyOf(all, count);
            });
            for (int i = 0; i < SOURCES; i++) {
                open.get(i).close();
            }

            Together.assertDistinct(drawn);
            assertThat(row.takenBack).as("ids that were handed back").hasPositiveValue();
        } finally {
            refills.shutdownNow();
        }
    }
}
