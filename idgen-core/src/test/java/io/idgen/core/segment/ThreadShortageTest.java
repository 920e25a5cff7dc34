package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenEvent;
import io.idgen.core.internal.task.DirectExecutor;
import io.idgen.core.internal.task.StarvedThreads;
import io.idgen.core.internal.task.TaskThreads;
import io.idgen.core.internal.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a source on a host that allows no new thread for a moment. */
@Timeout(60)
class ThreadShortageTest {
    private final VirtualTime time = new VirtualTime();
    private final StarvedThreads threads = new StarvedThreads(time);
    private final List<IdgenEvent> events = new ArrayList<>();
    private final AtomicLong next = new AtomicLong(1);
    private final Deque<Runnable> meanwhile = new ArrayDeque<>();

    /** Reserves a segment. A late task that waits to run overtakes this refill, as one on another thread may. */
    private Segment allocate(int wanted) {
        Segment segment = new Segment(next.getAndAdd(wanted), wanted, 1);
        Runnable overtaking = meanwhile.poll();
        if (overtaking != null) {
            overtaking.run();
        }
        return segment;
    }

    private SegmentIdSource.Builder source() {
        return SegmentIdSource.builder((name, wanted) -> allocate(wanted), "orders")
                .step(10)
                .acquireTimeout(Duration.ofMillis(400))
                .time(time)
                .random(new SplittableRandom(4))
                .refills(threads)
                .listenerDirectly(events::add);
    }

    /** Lets the host have threads again. The executor then also runs the tasks that it has refused. */
    private void recover() {
        meanwhile.addAll(threads.recover());
    }

    @Test
    void aCallThatWaitsGetsItsIdAsSoonAsTheHostHasThreads() {
        SegmentIdSource ids = source().build();
        threads.starve();
        time.after(Duration.ofMillis(120).toNanos(), this::recover);

        assertThat(ids.nextId()).isEqualTo(1);
        assertThat(time.elapsed()).isLessThan(Duration.ofMillis(200));
        assertThat(threads.refused()).isLessThanOrEqualTo(6); // a try at once and after each pause, each also for later
    }

    @Test
    void aSourceWorksWithAnExecutorThatRunsRefillsInTheThreadOfTheCall() {
        SegmentIdSource ids = source().refills(new DirectExecutor()).build();

        for (long id = 1; id <= 100; id++) {
            assertThat(ids.nextId()).isEqualTo(id);
        }
        assertThat(time.elapsed()).isZero();
    }

    /** An executor may still run a turn that another one has replaced. Its segment would take the reserve's place. */
    @Test
    void aTurnTooManyFetchesNothingWhileTheReserveIsFull() {
        SegmentIdSource ids = source().refills(new TaskThreads() {
                    @Override
                    public Future<?> schedule(Runnable turn, Duration delay) {
                        turn.run();
                        turn.run();
                        return CompletableFuture.completedFuture(null);
                    }

                    @Override
                    public void shutdown() {}

                    @Override
                    public boolean isShutdown() {
                        return false;
                    }
                })
                .build();

        for (long id = 1; id <= 100; id++) {
            assertThat(ids.nextId()).isEqualTo(id);
        }
    }

    @Test
    void aReserveThatFindsNoThreadIsFetchedLaterThoughNoCallComes() {
        SegmentIdSource ids = source().refills(StarvedThreads.withTimer(threads, new StarvedThreads(time)))
                .build();
        assertThat(ids.nextId()).isEqualTo(1);
        time.pass(Duration.ofSeconds(1));
        ids.nextIds(9);
        threads.starve();
        assertThat(ids.nextId()).isEqualTo(11); // takes the reserve into use
        threads.recover();

        time.pass(Duration.ofSeconds(1));

        assertThat(ids.snapshot().spare()).isPositive();
        assertThat(ids.snapshot().outage()).isNull();
    }
}
