package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.lease.SimulatedThread;
import io.idgen.core.internal.task.BackgroundThreads;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.testing.LogLines;
import io.idgen.test.internal.Together;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests when and on which threads refills are repeated, and what callers get meanwhile. */
@Timeout(60)
class RefillTest {

    private final VirtualTime time = new VirtualTime();
    private final SimulatedThread thread = new SimulatedThread(time, e -> {
        throw new AssertionError(e);
    });
    private final List<IdgenEvent> events = new ArrayList<>();

    /** Returns a builder of a source in virtual time. A waiting caller lets time pass, and refills run meanwhile. */
    private SegmentIdSource.Builder virtual(SegmentAllocator allocator) {
        return SegmentIdSource.builder(allocator, "orders")
                .time(time)
                .random(new SplittableRandom(4))
                .refills(thread)
                .listenerDirectly(events::add);
    }

    private static Segment databaseIsAway() {
        throw new StoreUnavailableException("the database is away");
    }

    @Test
    void pausesBetweenFailingAttemptsDoubleUpToFiveSecondsAndHaveJitter() {
        List<Duration> attempts = new ArrayList<>();
        SegmentIdSource ids = virtual((name, wanted) -> {
                    attempts.add(time.elapsed());
                    return databaseIsAway();
                })
                .acquireTimeout(Duration.ofMinutes(2))
                .build();

        assertThrows(IdUnavailableException.class, ids::nextId);

        Set<Duration> longestPauses = new HashSet<>();
        long[] millis = {50, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, 5000, 5000};
        for (int i = 0; i < millis.length; i++) {
            Duration pause = attempts.get(i + 1).minus(attempts.get(i));
            assertThat(pause).isBetween(Duration.ofMillis(millis[i] / 2), Duration.ofMillis(millis[i]));
            if (millis[i] == 5000) {
                longestPauses.add(pause);
            }
        }
        assertThat(longestPauses).hasSize(6);
    }

    @Test
    void refusalsAreLoggedAtMostOnceInTenSeconds() {
        String line = "WARNING orders: a refill was refused: " + ErrorCode.TABLE_MISSING + ": no table";
        SegmentIdSource ids = virtual((name, wanted) -> {
                    throw new AllocationException(ErrorCode.TABLE_MISSING, "no table");
                })
                .build();

        try (LogLines log = new LogLines(SegmentIdSource.class)) {
            for (int millis = 0; millis < 9_999; millis++) {
                assertThrows(AllocationException.class, ids::nextId);
                time.pass(Duration.ofMillis(1));
            }
            assertThat(log.lines()).containsExactly(line);

            for (int millis = 0; millis < 10_000; millis++) {
                assertThrows(AllocationException.class, ids::nextId);
                time.pass(Duration.ofMillis(1));
            }
            assertThat(log.lines()).containsExactly(line, line);
        }
    }

    @Test
    void aTableThatWentBackIsReportedWithItsCause() {
        List<Segment> segments = new ArrayList<>(List.of(new Segment(1, 10, 1), new Segment(5, 10, 1)));
        SegmentIdSource ids =
                virtual((name, wanted) -> segments.remove(0)).step(10).build();

        IdGenerationException e = assertThrows(IdGenerationException.class, () -> {
            for (int i = 0; i < 20; i++) {
                ids.nextId();
            }
        });

        assertThat(e.code()).isEqualTo(ErrorCode.SEGMENT_WENT_BACK);
        assertThat(events).extracting(IdgenEvent::kind).containsExactly(Kind.REFILLED, Kind.STOPPED);
        assertThat(events.get(1).text()).contains("it had given up to 10; the table was restored, truncated or edited");
    }

    @Test
    void anOutageIsCountedFromItsFirstFailure() {
        SegmentIdSource ids = virtual((name, wanted) -> databaseIsAway())
                .acquireTimeout(Duration.ofMillis(300))
                .build();

        IdUnavailableException first = assertThrows(IdUnavailableException.class, ids::nextId);
        time.pass(Duration.ofHours(1));
        IdUnavailableException second = assertThrows(IdUnavailableException.class, ids::nextId);

        assertThat(first.outage()).isEqualTo(Duration.ofMillis(300));
        assertThat(second.outage()).isEqualTo(Duration.ofHours(1).plusMillis(600));
    }

    @Test
    void aCallerThatWaitsIsServedAtTheFirstAttemptAfterTheOutage() {
        AtomicLong next = new AtomicLong(1);
        Duration end = Duration.ofSeconds(20);
        SegmentIdSource ids = virtual((name, wanted) -> time.elapsed().compareTo(end) < 0
                        ? databaseIsAway()
                        : new Segment(next.getAndAdd(wanted), wanted, 1))
                .acquireTimeout(Duration.ofMinutes(1))
                .build();

        assertThat(ids.nextId()).isEqualTo(1);

        assertThat(time.elapsed()).isBetween(end, end.plusSeconds(5));
        assertThat(events.stream().limit(3).map(IdgenEvent::kind))
                .containsExactly(Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED, Kind.REFILLED);
        assertThat(((IdgenEvent.OutageEnded) events.get(1)).duration()).isEqualTo(time.elapsed());
    }

    private static Segment databaseRefusesConnections() {
        throw new StoreUnreachableException("refilling failed", new IllegalStateException("wrong password"));
    }

    @Test
    void aRefusedConnectionFailsEachCallImmediatelyUntilAnAttemptIsDue() {
        AtomicLong attempts = new AtomicLong();
        SegmentIdSource ids = virtual((name, wanted) -> {
                    attempts.incrementAndGet();
                    return databaseRefusesConnections();
                })
                .acquireTimeout(Duration.ofHours(1))
                .build();

        IdUnavailableException first = assertThrows(IdUnavailableException.class, ids::nextId);
        assertThat(time.elapsed()).isZero();
        assertThat(first)
                .hasMessage(
                        "IDGEN-301: no id for 'orders': IDGEN-401: refilling failed; idgen tries again in the background")
                .hasRootCauseMessage("wrong password");
        for (int i = 0; i < 100; i++) {
            assertThrows(IdUnavailableException.class, ids::nextId);
        }
        assertThat(attempts).hasValue(1);
        assertThat(time.elapsed()).isZero();

        time.pass(Duration.ofMinutes(1)); // the pauses are 50 ms, then twice as long each time, up to 5 s
        assertThat(attempts.get()).isBetween(15L, 35L);
        assertThat(events).map(IdgenEvent::kind).containsExactly(Kind.OUTAGE_BEGAN);
    }

    @Test
    void afterARefusedConnectionACallGetsItsIdWithTheFirstAttemptThatSucceeds() {
        AtomicLong next = new AtomicLong(1);
        Duration end = Duration.ofSeconds(20);
        SegmentIdSource ids = virtual((name, wanted) -> time.elapsed().compareTo(end) < 0
                        ? databaseRefusesConnections()
                        : new Segment(next.getAndAdd(wanted), wanted, 1))
                .acquireTimeout(Duration.ofHours(1))
                .build();
        assertThrows(IdUnavailableException.class, ids::nextId);

        time.pass(end.plusSeconds(6));

        assertThat(ids.nextId()).isOne();
        assertThat(events.stream().limit(3).map(IdgenEvent::kind))
                .containsExactly(Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED, Kind.REFILLED);
    }

    @Test
    void idsInHandAreIssuedWhileConnectionsAreRefused() {
        AtomicLong refills = new AtomicLong();
        SegmentIdSource ids = virtual((name, wanted) ->
                        refills.getAndIncrement() == 0 ? new Segment(1, 10, 1) : databaseRefusesConnections())
                .step(10)
                .build();

        for (int id = 1; id <= 10; id++) {
            assertThat(ids.nextId()).isEqualTo(id);
        }
        assertThrows(IdUnavailableException.class, ids::nextId);
    }

    /**
     * Returns a source whose store answers only after a while, as in a starved process that loads drivers and pools.
     */
    private SegmentIdSource.Builder answeringAfter(Duration end) {
        AtomicLong next = new AtomicLong(1);
        return virtual((name, wanted) ->
                time.elapsed().compareTo(end) < 0 ? databaseIsAway() : new Segment(next.getAndAdd(wanted), wanted, 1));
    }

    @Test
    void theFirstIdMayTakeHalfAMinute() {
        Duration end = Duration.ofSeconds(24);

        assertThat(answeringAfter(end).build().nextId()).isOne();

        assertThat(time.elapsed()).isBetween(end, end.plusSeconds(5));
    }

    @Test
    void theFirstIdTakesNoLongerThanTheAcquireTimeoutIfOneIsSet() {
        SegmentIdSource ids = answeringAfter(Duration.ofSeconds(24))
                .acquireTimeout(Duration.ofSeconds(4))
                .build();

        assertThrows(IdUnavailableException.class, ids::nextId);

        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void onlyTheFirstHalfMinuteOfAnOutageIsLonger() {
        SegmentIdSource ids = virtual((name, wanted) -> databaseIsAway()).build();

        IdUnavailableException first = assertThrows(IdUnavailableException.class, ids::nextId);
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(30));
        assertThat(first).hasMessageContaining("no id for 'orders' within 30 s; no request has succeeded");

        IdUnavailableException second = assertThrows(IdUnavailableException.class, ids::nextId);
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(33));
        assertThat(second).hasMessageContaining("within 3 s");
    }

    @Test
    void aRefusalEndsAnOutageSinceTheStoreAnswers() {
        Duration end = Duration.ofMillis(200);
        SegmentIdSource ids = virtual((name, wanted) -> {
                    if (time.elapsed().compareTo(end) < 0) {
                        return databaseIsAway();
                    }
                    throw new AllocationException(ErrorCode.TABLE_MISSING, "no table");
                })
                .build();

        assertThat(assertThrows(AllocationException.class, ids::nextId).code()).isEqualTo(ErrorCode.TABLE_MISSING);

        assertThat(events).map(IdgenEvent::kind).containsExactly(Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED);
    }

    @Test
    void aClosedSourceAsksNoMore() {
        AtomicLong attempts = new AtomicLong();
        SegmentIdSource ids = virtual((name, wanted) -> {
                    attempts.incrementAndGet();
                    return databaseIsAway();
                })
                .build();
        assertThrows(IdUnavailableException.class, ids::nextId);
        long before = attempts.get();

        assertThat(ids.closeAsync()).isCompleted();
        time.pass(Duration.ofHours(1));

        assertThat(attempts).hasValue(before);
    }

    @Test
    void callsFailWhenTheThreadsEndDuringAnOutage() {
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
                .acquireTimeout(Duration.ofSeconds(30))
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
        ScheduledThreadPoolExecutor refills = (ScheduledThreadPoolExecutor) BackgroundThreads.named("refills", 2);
        ThreadFactory factory = refills.getThreadFactory();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(before) {}); // a new thread inherits its creator's
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
        builder.reserve(Duration.ZERO).reserve(Duration.ofDays(1));
        builder.acquireTimeout(Duration.ofNanos(1)).acquireTimeout(Duration.ofDays(1));
        builder.build().close();
        assertThrows(
                IllegalArgumentException.class,
                () -> builder.acquireTimeout(Duration.ofDays(1).plusMillis(1)));
    }
}
