package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdUnavailableException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thousand threads request ids from a cold source at the same time. */
class SegmentIdSourceBurstTest {
    private static final int THREADS = 1_000;
    private static final int VIRTUAL_THREADS = 20_000;

    private final MemoryRow row = new MemoryRow();

    @AfterEach
    void letGo() {
        row.letGo();
    }

    private static SegmentIdSource.Builder step(MemoryRow row, int step) {
        return SegmentIdSource.builder(row, "orders").step(step).acquireTimeout(Duration.ofMinutes(5));
    }

    /** Lets many threads wait for one id each, then lets the table answer. Returns the ids. */
    private static long[] burst(SegmentIdSource ids, MemoryRow table) throws Exception {
        table.hold();
        List<Caller> callers =
                Stream.generate(() -> new Caller(ids::nextId)).limit(THREADS).toList();
        callers.forEach(Caller::waits);
        table.letGo();
        long[] drawn = new long[THREADS];
        for (int i = 0; i < THREADS; i++) {
            drawn[i] = callers.get(i).id();
        }
        return drawn;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1_000})
    void allAreServedByAsManyIdsAsTheyLack(int step) throws Exception {
        try (SegmentIdSource ids = step(row, step).build()) {
            long[] drawn = burst(ids, row);

            assertThat(LongStream.of(drawn).sorted().toArray())
                    .isEqualTo(LongStream.rangeClosed(1, THREADS).toArray());
            // the first call serves the threads that wait by then; if some are missing, a second one requests ids for
            // the others
            assertThat(row.wanted).hasSizeLessThanOrEqualTo(4);
            assertThat(row.wanted.stream().limit(2).mapToInt(wanted -> wanted).sum())
                    .isGreaterThanOrEqualTo(THREADS);
        }
    }

    /**
     * Checks more waiting threads than there are platform threads. {@link #withALimitSomeAreRefused} is the control.
     */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void twentyThousandVirtualThreadsGetAnIdEachFromAFreshSource() throws Exception {
        try (SegmentIdSource ids = step(row, 10).build()) {
            assertThat(refusals(ids)).isZero();
        }
    }

    /** Returns how many of 20,000 virtual threads get no id. The table answers when all wait or have been refused. */
    private int refusals(SegmentIdSource ids) throws Exception {
        row.hold();
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class); // not in the API of JDK 17
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(VIRTUAL_THREADS);
        for (int i = 0; i < VIRTUAL_THREADS; i++) {
            start.invoke(null, (Runnable) () -> {
                try {
                    drawn.add(ids.nextId());
                } catch (IdUnavailableException e) {
                    refused.incrementAndGet();
                } finally {
                    ended.countDown();
                }
            });
        }
        Caller.until(
                "all wait or are refused", () -> ids.snapshot().waits().waiting() + refused.get() == VIRTUAL_THREADS);
        row.letGo();
        assertThat(ended.await(30, SECONDS)).isTrue();
        assertThat(drawn).hasSize(VIRTUAL_THREADS - refused.get());
        return refused.get();
    }
}
