package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenEvent;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.task.StarvedThreads;
import io.idgen.core.internal.task.TaskThreads;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeAccess;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a lease is renewed whatever its background task meets: no thread, and any {@link Throwable}. */
@Timeout(60)
class LeaseThreadShortageTest {
    private static final Duration WINDOW = Duration.ofSeconds(180);

    private final VirtualTime time = new VirtualTime();
    private final StarvedThreads threads = new StarvedThreads(time);
    private final SimulatedDatabase database = new SimulatedDatabase(time);
    private Supplier<? extends RuntimeException> fault = () -> null;
    private boolean inTurn;
    private int faults;

    /** Throws the fault in every 17th call from the background task. */
    private void mayFail() {
        if (inTurn && ++faults % 17 == 0) {
            RuntimeException e = fault.get();
            if (e != null) {
                throw e;
            }
        }
    }

    private final class FaultyTime implements TimeSource {
        @Override
        public long millis() {
            return time.millis();
        }

        @Override
        public long nanoTime() {
            mayFail();
            return time.nanoTime();
        }

        @Override
        public void park(long nanos) {
            time.park(nanos);
        }

        @Override
        public LockCondition condition(ReentrantLock lock) {
            return time.condition(lock);
        }
    }

    private Snowflake generator() {
        TaskThreads background = TaskThreads.of(threads);
        SimulatedStore.Link link = new SimulatedStore.Link() {
            @Override
            public <T> T call(String statement, Supplier<T> work) {
                inTurn = true; // until the test asks for an id
                return work.get();
            }
        };
        SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        LeasedWorker worker = new LeasedWorker(
                new SimulatedStore(database, link, Flaw.NONE),
                new LeaseStore.Terms("test", layout, 0, 4, Duration.ofSeconds(30), WINDOW),
                new LeasedWorker.Timing(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(3)),
                1,
                new LeasedWorker.Environment(
                        new FaultyTime(), new SplittableRandom(1), background, this::onEvent));
        return SnowflakeAccess.snowflake("test", layout, worker, worker);
    }

    private void onEvent(IdgenEvent event) {
        mayFail();
    }

    private void generatesForTenMinutes(Snowflake ids) {
        long last = 0;
        for (int second = 0; second < 600; second++) {
            long id = ids.nextId();
            assertThat(id).isGreaterThan(last);
            last = id;
            time.pass(Duration.ofSeconds(1));
            inTurn = false;
            if (second > 60) {
                assertThat(ids.snapshot().windowLeft()).isGreaterThan(Duration.ofSeconds(10));
            }
        }
    }

    @Test
    void aCallThatWaitsGetsItsIdAsSoonAsTheHostHasThreads() {
        Snowflake ids = generator();
        threads.starve();
        time.after(Duration.ofSeconds(2).toNanos(), threads::recover);

        assertThat(ids.nextId()).isPositive();
        assertThat(time.elapsed()).isLessThan(Duration.ofSeconds(9)); // fencing off the rows takes six
        generatesForTenMinutes(ids);
    }

    @Test
    void aLeaseIsRenewedThoughTheClockAndTheListenerThrow() {
        Snowflake ids = generator();
        ids.nextId();
        inTurn = false;
        fault = () -> new IllegalStateException("a clock or a listener failed");

        generatesForTenMinutes(ids);
        assertThat(faults).isGreaterThan(17);
    }
}
