package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.testing.TestThreads;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;

/** A row, and one thread that runs all refills. */
abstract class RefillThreadFixture {
    final MemoryRow row;
    final ScheduledThreadPoolExecutor one = TestThreads.named("one", 1);

    RefillThreadFixture(MemoryRow row) {
        this.row = row;
    }

    RefillThreadFixture() {
        this(new MemoryRow());
    }

    @AfterEach
    void endThreads() {
        row.letGo();
        one.shutdownNow();
    }

    SegmentIdSource.Builder over(SegmentAllocator allocator) {
        return SegmentIdSource.builder(allocator, "orders")
                .refills(new DaemonThreads(one))
                .acquireTimeout(Duration.ofSeconds(30)); // so that a stall ends in an exception
    }

    SegmentIdSource.Builder step(SegmentAllocator allocator, int step) {
        return over(allocator).step(step).maxStep(step);
    }

    /** Waits until the thread has completed its present tasks. */
    void settle() throws Exception {
        one.submit(() -> {}).get(30, SECONDS);
    }

    static long[] numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).toArray();
    }
}
