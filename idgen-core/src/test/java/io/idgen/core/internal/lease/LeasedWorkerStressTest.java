package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenListener;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeAccess;
import io.idgen.core.testing.Quiet;
import io.idgen.test.internal.ParallelThreads;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Threads generate ids without a pause while each renewal loses the lease and one window replaces another. */
@Quiet(LeaseKeeper.class)
class LeasedWorkerStressTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final int WORKER_IDS = 1024;
    private static final int SWAPS = 400;
    private static final long NOT_ABOVE = -1;

    private final VirtualTime time = new VirtualTime();
    private final SimulatedDatabase database = new SimulatedDatabase(time);
    private final AtomicInteger swaps = new AtomicInteger();
    private final AtomicLong highest = new AtomicLong();

    /**
     * Ends all leases each time the lease thread reads its row. There are enough rows that consecutive windows overlap
     * in time.
     */
    private final SimulatedStore.Link unkind = new SimulatedStore.Link() {
        @Override
        public <T> T call(String statement, Supplier<T> work) {
            if (statement.equals("look")) {
                time.pass(Duration.ofMillis(2));
                database.rows().forEach(row -> database.set(row.workerId(), free(row)));
                swaps.incrementAndGet();
            }
            return work.get();
        }
    };

    private WorkerRow free(WorkerRow row) {
        return row.changed(database.server(), row.horizon()).heldBy(null, 0);
    }

    @Test
    void eachIdIsAboveAllThatWereMadeBeforeItsCallWhileWindowsAreReplaced() throws Exception {
        LeaseTerms terms = new LeaseTerms(
                "stress", LAYOUT, 0, WORKER_IDS, Set.of(), Duration.ofMillis(3), Duration.ofSeconds(180));
        for (int workerId = 0; workerId < WORKER_IDS; workerId++) {
            database.set(workerId, new WorkerRow(workerId, terms.layoutAndTimes(), 0, null, 0, 0, database.server()));
        }
        LeasedWorker worker = new LeasedWorker(
                new SimulatedStore(database, unkind, Flaw.NONE),
                terms,
                new LeasedWorker.Timing(Duration.ofSeconds(30), Duration.ofSeconds(30)),
                1,
                new LeasedWorker.LeaseEnvironment(
                        TimeSource.of(Clock.systemUTC()),
                        new SplittableRandom(1),
                        new DaemonThreads("idgen-lease-stress", 1),
                        IdgenListener.NONE));

        List<long[]> made;
        try (Snowflake ids = SnowflakeAccess.snowflake("test", LAYOUT, worker, worker)) {
            made = ParallelThreads.run(3, thread -> {
                LongStream.Builder mine = LongStream.builder();
                while (swaps.get() < SWAPS) {
                    long before = highest.get();
                    long id = ids.nextId();
                    mine.add(id > before ? id : NOT_ABOVE);
                    highest.accumulateAndGet(id, Math::max);
                }
                return mine.build().toArray();
            });
        }

        ParallelThreads.assertDistinct(made);
        assertThat(made).allSatisfy(mine -> assertThat(mine).doesNotContain(NOT_ABOVE));
    }
}
