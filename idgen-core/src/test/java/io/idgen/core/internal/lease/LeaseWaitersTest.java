package io.idgen.core.internal.lease;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.segment.Caller;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what wakes threads that wait for a worker id. Their timeout is an hour; the test's is a minute. */
class LeaseWaitersTest {
    private static final int THREADS = 50;
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;

    private final CountDownLatch answer = new CountDownLatch(1);
    private final Queue<Duration> sleeps = new ConcurrentLinkedQueue<>();
    private final SimulatedDatabase database = new SimulatedDatabase(new VirtualTime());
    private volatile RuntimeException refusal;
    private final LeasedWorker worker = new LeasedWorker(
            new SimulatedStore(
                    database,
                    new SimulatedStore.Link() {
                        @Override
                        public <T> T call(String statement, Supplier<T> work) {
                            awaitAnswer();
                            if (refusal != null) {
                                throw refusal;
                            }
                            return work.get();
                        }
                    },
                    Flaw.NONE),
            new LeaseTerms("test", LAYOUT, 0, 1),
            new LeasedWorker.Timing(Duration.ofHours(1), Duration.ofHours(1)),
            1,
            new LeasedWorker.LeaseEnvironment(
                    new RealTimeWithSleeps(),
                    new SplittableRandom(1),
                    new DaemonThreads("idgen-lease-test", 1),
                    IdgenListener.NONE));
    private final Snowflake ids = SnowflakeAccess.snowflake("test", LAYOUT, worker, worker);

    /** The system's time. Records the timeout of each wait. */
    private final class RealTimeWithSleeps implements TimeSource {
        private final TimeSource system = TimeSource.of(InstantSource.system());

        @Override
        public long millis() {
            return system.millis();
        }

        @Override
        public long nanoTime() {
            return system.nanoTime();
        }

        @Override
        public void park(long nanos) {
            system.park(nanos);
        }

        @Override
        public LockCondition condition(ReentrantLock lock) {
            LockCondition condition = system.condition(lock);
            return new LockCondition() {
                @Override
                public void awaitNanos(long nanos) throws InterruptedException {
                    sleeps.add(Duration.ofNanos(nanos));
                    condition.awaitNanos(nanos);
                }

                @Override
                public void signalAll() {
                    condition.signalAll();
                }
            };
        }
    }

    private void awaitAnswer() {
        try {
            assertThat(answer.await(60, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        answer.countDown();
        ids.close();
    }

    private List<Caller> callers() {
        database.set(0, new WorkerRow(0, LeaseTerms.layoutAndTimes(LAYOUT), 0, null, 0, 0, database.server()));
        List<Caller> callers =
                Stream.generate(() -> new Caller(ids::nextId)).limit(THREADS).toList();
        callers.forEach(Caller::waits);
        return callers;
    }

    @Test
    void aGrantWakesAll() throws Exception {
        List<Caller> callers = callers();

        answer.countDown();

        for (Caller caller : callers) {
            assertThat(caller.id()).isPositive();
        }
    }

    @Test
    void aRefusedConnectionFailsWaitingAndNewCallsUntilTheNextAttempt() {
        refusal = new StoreUnreachableException("wrong password", new IllegalStateException());
        List<Caller> callers = callers();

        answer.countDown();

        for (Caller caller : callers) {
            assertThat(caller.failure().code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
            assertThat(caller.failure())
                    .hasMessageContaining("no worker id of namespace 'test': IDGEN-401: wrong password")
                    .hasRootCauseInstanceOf(IllegalStateException.class);
        }
        // a call that waits would time out after an hour
        assertThat(new Caller(ids::nextId).failure().code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        refusal = null;
        Caller.until("an id again", this::generatesAnId);
    }

    private boolean generatesAnId() {
        try {
            return ids.nextId() > 0;
        } catch (IdUnavailableException e) {
            return false;
        }
    }

    @Test
    void closingWakesAll() {
        List<Caller> callers = callers();

        Thread.currentThread().interrupt(); // so that closing does not wait for the store
        ids.close();
        assertThat(Thread.interrupted()).isTrue();

        for (Caller caller : callers) {
            assertThat(caller.failure().code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        }
    }

    @Test
    void anInterruptWakesTheThreadThatIsInterruptedAndNoOther() throws Exception {
        List<Caller> callers = callers();

        callers.get(7).interrupt();

        assertThat(callers.get(7).failure().code()).isEqualTo(ErrorCode.INTERRUPTED);
        answer.countDown();
        assertThat(callers.get(8).id()).isPositive();
    }

    @Test
    void aCheckpointWhileTheStoreIsAskedKeepsNobodyWaiting() throws Exception {
        List<Caller> callers = callers();
        Thread.currentThread().interrupt(); // so that suspending does not wait for the store
        worker.suspend();
        assertThat(Thread.interrupted()).isTrue();
        worker.resume();
        // at least one more wait of each thread: each sleeps again after the checkpoint
        Caller.until("a second wait of each", () -> sleeps.size() >= 2 * THREADS);
        callers.forEach(Caller::waits);

        answer.countDown(); // the store's grant is released again, and no call has asked for another one

        for (Caller caller : callers) {
            assertThat(caller.id()).isPositive();
        }
    }
}
