package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedThread;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.testing.TestThreads;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentIdSourceTest {
    private final Table table = new Table();
    private final ScheduledThreadPoolExecutor threads = TestThreads.named("refills of a test", 4);
    private final List<SegmentIdSource> opened = new ArrayList<>();

    /** A table in memory that grants the next ids, unless a test sets other answers. */
    private static final class Table implements SegmentAllocator {
        final AtomicLong next = new AtomicLong(1);
        final Queue<Supplier<Segment>> answers = new ConcurrentLinkedQueue<>();
        final BlockingQueue<Integer> answered = new LinkedBlockingQueue<>();
        final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger mostInside = new AtomicInteger();
        volatile Supplier<Segment> always;

        @Override
        public Segment allocate(String name, int wanted) {
            threads.add(Thread.currentThread());
            mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
            try {
                Supplier<Segment> answer = answers.poll();
                answer = answer == null ? always : answer;
                return answer == null ? new Segment(next.getAndAdd(wanted), wanted, 1) : answer.get();
            } finally {
                inside.decrementAndGet();
                answered.add(wanted);
            }
        }

        /** Returns when a thread is in the allocator. */
        void isCalled() {
            long deadline = System.nanoTime() + SECONDS.toNanos(30);
            while (inside.get() == 0) {
                assertThat(System.nanoTime()).as("a call of the allocator").isLessThan(deadline);
                Thread.onSpinWait();
            }
        }

        /** Returns how many ids the next unchecked call wanted. Waits for that call. */
        int answered() throws InterruptedException {
            Integer wanted = answered.poll(30, SECONDS);
            assertThat(wanted).as("wanted by a call").isNotNull();
            return wanted;
        }
    }

    private static Supplier<Segment> failing(Throwable e) {
        return () -> {
            if (e instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e;
        };
    }

    private static StoreUnavailableException databaseFailed() {
        return new StoreUnavailableException("connection refused", new IllegalStateException());
    }

    private static Supplier<Segment> after(CountDownLatch latch, Supplier<Segment> answer) {
        return () -> {
            try {
                assertThat(latch.await(60, SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException("a refill must not be interrupted", e);
            }
            return answer.get();
        };
    }

    @AfterEach
    void close() {
        opened.forEach(SegmentIdSource::close);
        threads.shutdownNow();
    }

    private SegmentIdSource open(SegmentIdSource.Builder builder) {
        SegmentIdSource source = builder.build();
        opened.add(source);
        return source;
    }

    private SegmentIdSource.Builder step(int step) {
        return SegmentIdSource.builder(table, "orders").step(step).acquireTimeout(Duration.ofSeconds(15));
    }

    /**
     * Returns a builder in virtual time. A waiting caller lets time pass, and refills run meanwhile on the same thread.
     */
    private static SegmentIdSource.Builder inVirtualTime(SegmentIdSource.Builder builder) {
        VirtualTime time = new VirtualTime();
        return builder.time(time).refills(new SimulatedThread(time, e -> {
            throw new AssertionError(e);
        }));
    }

    private static long[] numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).toArray();
    }

    private static <T> T thrownBy(Class<T> type, Callable<?> call) {
        return type.cast(assertThrows(IdGenerationException.class, call::call));
    }

    // ids

    @Test
    void idsRiseAndNoneOfASegmentIsLeftOut() {
        SegmentIdSource ids = open(step(10));

        long[] drawn = LongStream.generate(ids::nextId).limit(100).toArray();

        assertThat(drawn).isEqualTo(numbers(1, 100));
    }

    // refills

    @Test
    void theNextSegmentIsFetchedWhenTheReserveIsTakenIntoUse() throws Exception {
        SegmentIdSource ids = open(step(10).maxStep(10));

        ids.nextId();
        assertThat(table.answered()).isEqualTo(10);
        assertThat(table.answered()).isEqualTo(10);

        ids.nextIds(9);
        assertThat(table.answered).isEmpty();

        assertThat(ids.nextId()).isEqualTo(11);
        assertThat(table.answered()).isEqualTo(10);
    }

    @Test
    void theAllocatorIsNeverCalledOnACallersThread() throws Exception {
        SegmentIdSource ids = open(step(2));

        List<Thread> callers = ParallelThreads.run(4, thread -> {
            ids.nextIds(100);
            return Thread.currentThread();
        });

        assertThat(table.threads).isNotEmpty().doesNotContainAnyElementsOf(callers);
        assertThat(table.threads).allSatisfy(thread -> {
            assertThat(thread.getName()).isEqualTo("idgen-refill-orders");
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    static Stream<Throwable> surprises() {
        return Stream.of(
                new IllegalStateException("a driver's bug"),
                new NoClassDefFoundError("a jar is missing"),
                new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("surprises")
    void whateverAnAllocatorThrowsDoesNotEndTheRefills(Throwable surprise) {
        table.answers.add(failing(surprise));
        table.answers.add(failing(surprise));
        SegmentIdSource ids = open(step(10));

        assertThat(ids.nextId()).isEqualTo(1);
        assertThat(ids.snapshot().failures()).isEqualTo(2);
        assertThat(ids.nextIds(30)).isEqualTo(numbers(2, 31));
    }

    // no ids available

    @Test
    void aDeadDatabaseIsReportedAtTheEndOfTheAcquireTimeout() {
        AllocationException dead = databaseFailed();
        table.always = failing(dead);
        SegmentIdSource ids = open(inVirtualTime(step(10)).acquireTimeout(Duration.ofMillis(30)));

        IdUnavailableException e = thrownBy(IdUnavailableException.class, ids::nextId);

        assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        assertThat(e.source()).isEqualTo("orders");
        assertThat(e).hasCause(dead);
        assertThat(e)
                .hasMessage("IDGEN-301: no id for 'orders' within 30 ms; no request has succeeded for 30 ms, last:"
                        + " IDGEN-401: connection refused");
    }

    @ParameterizedTest
    @EnumSource(names = {"START_UNKNOWN", "LIMIT_REACHED", "TABLE_MISSING"})
    void aRefusalIsThrownAtOnceAndACallAfterTheBackOffAsksAgain(ErrorCode code) {
        AllocationException refusal = new AllocationException(code, "no row for 'orders'");
        table.answers.add(failing(refusal));
        ManualTime time = new ManualTime(Instant.EPOCH);
        SegmentIdSource ids = open(step(10).time(time));

        for (int i = 0; i < 3; i++) {
            assertThat(assertThrows(AllocationException.class, ids::nextId))
                    .hasCause(refusal)
                    .hasMessage(refusal.getMessage())
                    .returns(code, AllocationException::code);
        }
        time.advance(Duration.ofMillis(50));
        assertThat(ids.nextId()).isEqualTo(1);
    }

    @Test
    void aRefusalReachesAllWhoWaitEachWithAStackOfItsOwn() {
        AllocationException refusal = new AllocationException(ErrorCode.START_UNKNOWN, "no row for 'orders'");
        CountDownLatch allWait = new CountDownLatch(1);
        table.answers.add(after(allWait, failing(refusal)));
        SegmentIdSource ids = open(step(10));

        List<Caller> callers =
                Stream.generate(() -> new Caller(ids::nextId)).limit(3).toList();
        callers.forEach(Caller::waits);
        allWait.countDown();

        List<IdGenerationException> failures =
                callers.stream().map(Caller::failure).toList();
        assertThat(failures).doesNotHaveDuplicates().allSatisfy(e -> {
            assertThat(e).isInstanceOf(AllocationException.class).hasCause(refusal);
            assertThat(e.getStackTrace())
                    .extracting(StackTraceElement::getMethodName)
                    .contains("nextId");
        });
        assertThat(refusal.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .doesNotContain("nextId");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 10})
    void aSegmentThatGoesBackEndsTheSourceForGood(long first) throws Exception {
        ScheduledThreadPoolExecutor one = TestThreads.named("one", 1);
        try {
            CountDownLatch used = new CountDownLatch(1);
            table.answers.add(() -> new Segment(1, 10, 1));
            table.answers.add(after(used, () -> new Segment(first, 100, 1)));
            table.next.set(1_000);
            SegmentIdSource ids = open(step(10).refills(new DaemonThreads(one)));
            assertThat(ids.nextId()).isEqualTo(1);
            used.countDown();
            table.answered();
            table.answered();
            one.submit(() -> {}).get(30, SECONDS); // waits until the segment is checked

            for (Callable<Object> call : List.<Callable<Object>>of(ids::nextId, () -> ids.nextIds(3), ids::nextId)) {
                IdGenerationException e = thrownBy(IdGenerationException.class, call);
                assertThat(e.code()).isEqualTo(ErrorCode.SEGMENT_WENT_BACK);
                assertThat(e)
                        .hasMessageContainingAll(
                                "'orders' ids from " + first + " after it had given up to 10", "stop all writers");
            }
            assertThat(table.answered).isEmpty();
        } finally {
            one.shutdownNow();
        }
    }

    @Test
    void anAllocatorThatReportsATableThatWentBackEndsTheSourceForGoodWithTheIdsItHasLeft() throws Exception {
        ScheduledThreadPoolExecutor one = TestThreads.named("one", 1);
        try {
            CountDownLatch used = new CountDownLatch(1);
            table.answers.add(() -> new Segment(1, 10, 1));
            table.answers.add(after(used, () -> {
                throw new AllocationException(ErrorCode.SEGMENT_WENT_BACK, "next_id of 'orders' is 1");
            }));
            table.next.set(1_000);
            SegmentIdSource ids = open(step(10).refills(new DaemonThreads(one)));
            assertThat(ids.nextId()).isEqualTo(1);
            used.countDown();
            table.answered();
            table.answered();
            one.submit(() -> {}).get(30, SECONDS); // waits until the failure is processed

            for (int call = 0; call < 3; call++) {
                assertThat(thrownBy(IdGenerationException.class, ids::nextId))
                        .returns(ErrorCode.SEGMENT_WENT_BACK, IdGenerationException::code)
                        .hasMessageContaining("next_id of 'orders' is 1");
            }
            assertThat(table.answered).isEmpty();
        } finally {
            one.shutdownNow();
        }
    }

    @Test
    void tooManyWaitersAreTurnedAway() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        table.answers.add(after(answer, () -> new Segment(1, 10, 1)));
        table.next.set(11);
        SegmentIdSource ids = open(step(10).maxWaiters(2));
        Caller one = new Caller(ids::nextId).waits();
        Caller two = new Caller(ids::nextId).waits();

        IdUnavailableException e = thrownBy(IdUnavailableException.class, ids::nextId);
        answer.countDown();

        assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_WAITERS);
        assertThat(e)
                .hasMessage("IDGEN-303: already 2 threads wait for ids of 'orders', limit 2; raise"
                        + " idgen.segment.step (in code: the builder's step or maxWaiters), or shed load");
        assertThat(new long[] {one.id(), two.id()}).containsExactlyInAnyOrder(1, 2);
        assertThat(ids.nextId()).isEqualTo(3);
    }

    @Test
    void anInterruptWhileWaitingIsReportedAndKept() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        table.answers.add(after(answer, () -> new Segment(1, 10, 1)));
        table.next.set(11);
        SegmentIdSource ids = open(step(10));
        AtomicBoolean kept = new AtomicBoolean();
        Caller interrupted = new Caller(() -> {
                    try {
                        return ids.nextId();
                    } finally {
                        kept.set(Thread.currentThread().isInterrupted());
                    }
                })
                .waits();
        Caller other = new Caller(ids::nextId).waits();

        interrupted.interrupt();
        IdGenerationException e = interrupted.failure();
        answer.countDown();

        assertThat(e).isInstanceOf(IdUnavailableException.class).hasCauseInstanceOf(InterruptedException.class);
        assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED);
        assertThat(kept).isTrue();
        assertThat(other.id()).isEqualTo(1);
    }

    // closing

    @Test
    void closingDuringARefillEndsThoseWhoWaitAndThenTheThread() throws Exception {
        threadsEndAfter(() -> {
            CountDownLatch answer = new CountDownLatch(1);
            table.answers.add(after(answer, () -> new Segment(1, 10, 1)));
            SegmentIdSource ids = open(step(10));
            Caller caller = new Caller(ids::nextId).waits();
            table.isCalled();

            ids.close();
            assertThat(caller.failure().code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
            answer.countDown();

            assertThat(thrownBy(IdGenerationException.class, ids::nextId))
                    .hasMessage("IDGEN-107: source 'orders' is closed");
            assertThat(table.answered()).isEqualTo(10);
            return ids;
        });
        assertThat(table.answered).isEmpty();
    }

    /**
     * Returns a closed source whose threads ended sooner than idle ones, which live for 5 s. On a busy machine that may
     * take several attempts.
     */
    private SegmentIdSource threadsEndAfter(Callable<SegmentIdSource> closing) throws Exception {
        for (int attempt = 0; attempt < 5; attempt++) {
            table.threads.clear();
            long begin = System.nanoTime();
            SegmentIdSource closed = closing.call();
            assertThat(table.threads).isNotEmpty();
            for (Thread thread : table.threads) {
                thread.join();
            }
            if (System.nanoTime() - begin < SECONDS.toNanos(4)) {
                return closed;
            }
        }
        throw new AssertionError("the threads ended no sooner than idle ones");
    }

    // building

    @Test
    void settingsOutOfRangeAreRefused() {
        SegmentIdSource.Builder builder = SegmentIdSource.builder(table, "orders");

        assertThat(refused(() -> builder.step(0))).hasMessage("a step is 1 to 1000000000 ids, got 0");
        assertThat(refused(() -> builder.step(1_000_000_001)))
                .hasMessage("a step is 1 to 1000000000 ids, got 1000000001");
        assertThat(refused(() -> builder.acquireTimeout(Duration.ZERO)))
                .hasMessage("a timeout is above zero, at most 24 h, got 0 ms");
        assertThat(refused(() -> builder.acquireTimeout(Duration.ofMillis(-5))))
                .hasMessage("a timeout is above zero, at most 24 h, got -5 ms");
        assertThat(refused(() -> builder.maxWaiters(0))).hasMessage("max waiters is at least 1, got 0");
        assertThat(refused(() -> builder.maxStep(1_000_000_001)))
                .hasMessage("a step is 1 to 1000000000 ids, got 1000000001");
        assertThat(refused(() -> builder.reserve(Duration.ofMillis(-5))))
                .hasMessage("a reserve is from zero to 24 h, got -5 ms");
        assertThat(refused(() -> builder.reserve(Duration.ofDays(1).plusMillis(1))))
                .hasMessageStartingWith("a reserve is from zero to 24 h, got ");
        assertThat(refused(() -> SegmentIdSource.builder(table, " ")))
                .hasMessage("a name is 1 to 128 characters, none of them a control character, with no white space"
                        + " around it; got ' ' (1 characters)");
        assertThat(refused(() -> SegmentIdSource.builder(table, "x".repeat(129))))
                .hasMessage("a name is 1 to 128 characters, none of them a control character, with no white space"
                        + " around it; got '" + "x".repeat(128) + "' (129 characters)");
    }

    @Test
    void aStepAboveTheMostIsRefused() {
        assertThat(refused(SegmentIdSource.builder(table, "orders").step(10).maxStep(9)::build))
                .hasMessage("the step is at most the largest one, got 10 > 9");
    }

    private static IllegalArgumentException refused(Callable<?> call) {
        return assertThrows(IllegalArgumentException.class, call::call);
    }
}
