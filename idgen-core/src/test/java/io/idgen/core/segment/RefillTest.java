package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.test.internal.Together;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When refills are repeated, on what threads, and what the callers learn of it. */
@Timeout(60)
class RefillTest {

    /** Notes the pauses that are asked for, and takes none. */
    private static final class Impatient extends ScheduledThreadPoolExecutor {
        final BlockingQueue<Long> pauses = new LinkedBlockingQueue<>();

        Impatient() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            if (delay > 0) { // execute() comes by here too
                pauses.add(unit.toMillis(delay));
            }
            return super.schedule(command, 0, MILLISECONDS);
        }
    }

    private static Segment databaseIsAway() {
        throw new StoreUnavailableException("the database is away");
    }

    @Test
    void pausesBetweenFailingAttemptsDoubleUpToFiveSecondsAndHaveJitter() throws Exception {
        Impatient refills = new Impatient();
        try (SegmentIdSource ids = SegmentIdSource.builder((name, wanted) -> databaseIsAway(), "orders")
                .refills(refills)
                .acquireTimeout(Duration.ofMillis(200))
                .build()) {
            assertThrows(IdUnavailableException.class, ids::nextId);

            for (long longest : new long[] {50, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, 5000, 5000}) {
                assertThat(refills.pauses.take()).isBetween(longest / 2, longest);
            }
        } finally {
            refills.shutdownNow();
        }
    }

    @Test
    void anOutageIsCountedFromItsFirstFailure() {
        try (SegmentIdSource ids = SegmentIdSource.builder((name, wanted) -> databaseIsAway(), "orders")
                .acquireTimeout(Duration.ofMillis(300))
                .build()) {
            IdUnavailableException first = assertThrows(IdUnavailableException.class, ids::nextId);
            IdUnavailableException second = assertThrows(IdUnavailableException.class, ids::nextId);

            assertThat(first.outage()).isBetween(Duration.ofMillis(1), Duration.ofMinutes(1));
            assertThat(second.outage()).isGreaterThanOrEqualTo(first.outage().plusMillis(300));
        }
    }

    @Test
    void callersAreToldWhenTheThreadsEndDuringAnOutage() {
        ScheduledThreadPoolExecutor refills = new ScheduledThreadPoolExecutor(1);
        try (SegmentIdSource ids = SegmentIdSource.builder(
                        (name, wanted) -> {
                            refills.shutdown();
                            return databaseIsAway();
                        },
                        "orders")
                .refills(refills)
                .acquireTimeout(Duration.ofSeconds(50))
                .build()) {
            assertThat(assertThrows(IdGenerationException.class, ids::nextId).code())
                    .isEqualTo(ErrorCode.SOURCE_CLOSED);
        }
    }

    @Test
    void segmentsOfOneIdAreSharedByManyThreadsWithoutRepeatingAny() throws Exception {
        AtomicLong next = new AtomicLong(1);
        try (SegmentIdSource ids = SegmentIdSource.builder(
                        (name, wanted) -> new Segment(next.getAndAdd(wanted), wanted, 1), "orders")
                .step(1)
                .build()) {
            Together.assertDistinct(Together.run(8, thread -> {
                long[] drawn = new long[2_000];
                for (int i = 0; i < drawn.length; i++) {
                    drawn[i] = ids.nextId();
                }
                return drawn;
            }));
        }
    }

    @Test
    void theThreadsAreDaemonsThatEndWhenIdleAndKeepNoLoader() {
        ScheduledThreadPoolExecutor refills = (ScheduledThreadPoolExecutor) SegmentIdSource.refillThreads("refills", 2);
        ThreadFactory factory = refills.getThreadFactory();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(before) {}); // a new thread takes its maker's
        Thread thread = factory.newThread(() -> {});
        Thread.currentThread().setContextClassLoader(before);

        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("refills");
        assertThat(thread.getContextClassLoader()).isSameAs(SegmentIdSource.class.getClassLoader());
        assertThat(refills.getCorePoolSize()).isEqualTo(2);
        assertThat(refills.allowsCoreThreadTimeOut()).isTrue();
        assertThat(refills.getKeepAliveTime(TimeUnit.SECONDS)).isEqualTo(5);
        assertThat(refills.getExecuteExistingDelayedTasksAfterShutdownPolicy()).isFalse();
        assertThat(refills.getRemoveOnCancelPolicy()).isTrue();
        refills.shutdown();
    }

    @Test
    void theEndsOfEveryRangeAreAccepted() {
        SegmentIdSource.Builder builder = SegmentIdSource.builder(
                (name, wanted) -> databaseIsAway(), "x".repeat(SegmentAllocator.MAX_NAME_LENGTH));

        builder.minStep(1)
                .step(1)
                .step(1_000_000_000)
                .minStep(1_000_000_000)
                .maxStep(1_000_000_000)
                .maxWaiters(1);
        builder.preload(0).preload(Math.nextDown(1.0));
        builder.reserve(Duration.ZERO).reserve(Duration.ofDays(1));
        builder.acquireTimeout(Duration.ofNanos(1)).acquireTimeout(Duration.ofDays(1));
        builder.build().close();
        assertThrows(
                IllegalArgumentException.class,
                () -> builder.acquireTimeout(Duration.ofDays(1).plusMillis(1)));
    }
}
