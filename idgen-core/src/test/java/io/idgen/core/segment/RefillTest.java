package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.lease.SimulatedThread;
import io.idgen.core.internal.time.TaskThreads;
import io.idgen.core.internal.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests when and on which threads refills are repeated, and what callers get meanwhile. */
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
        assertThat(events.get(1).text())
                .startsWith("the store answers again: fetching a segment failed ")
                .endsWith(" in " + time.elapsed().toMillis() + " ms");
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

    /** A turn that another one has replaced may still run. Its segment would take the reserve's place. */
    @Test
    void aTurnTooManyFetchesNothingWhileTheReserveIsFull() {
        TaskThreads twice = new TaskThreads() {
            @Override
            public Future<?> schedule(Runnable turn, Duration delay) {
                thread.schedule(turn, delay);
                return thread.schedule(turn, delay);
            }

            @Override
            public void shutdown() {}
        };
        SegmentIdSource ids = rows().refills(twice).build();

        for (long id = 1; id <= 100; id++) {
            assertThat(ids.nextId()).isEqualTo(id);
        }
    }

    /** Threads that sources share start before the first refill; the thread of a single source ends when it is idle. */
    @Test
    void aCallForWhichTheHostHasNoThreadFailsAndTheNextOneGetsItsId() {
        Starved starved = new Starved();
        SegmentIdSource ids = rows().step(10).maxStep(10).refills(starved).build();
        starved.now = true;
        assertThrows(InternalError.class, ids::nextId);
        starved.now = false;

        assertThat(ids.nextId()).isOne();
        ids.nextIds(9);
        time.pass(Duration.ofSeconds(1));
        starved.now = true;
        assertThat(ids.nextId()).isEqualTo(11); // takes the reserve into use, and finds no thread for the next one
        starved.now = false;
        assertThat(ids.nextIds(20)).startsWith(12L).endsWith(31L);
    }

    private SegmentIdSource.Builder rows() {
        AtomicLong next = new AtomicLong(1);
        return virtual((name, wanted) -> new Segment(next.getAndAdd(wanted), wanted, 1));
    }

    private final class Starved implements TaskThreads {
        private boolean now;

        @Override
        public Future<?> schedule(Runnable turn, Duration delay) {
            if (now) {
                throw new InternalError("unable to create native thread"); // JUnit ends at an OutOfMemoryError
            }
            return thread.schedule(turn, delay);
        }

        @Override
        public void shutdown() {}
    }
}
