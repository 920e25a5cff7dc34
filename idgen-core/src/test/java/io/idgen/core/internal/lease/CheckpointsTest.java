package io.idgen.core.internal.lease;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.testing.Quiet;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.crac.Core;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The state of a lease during and after a checkpoint of its process. */
@Quiet(LeaseKeeper.class)
class CheckpointsTest extends LeasedWorkerFixture {
    private final Process process = process();
    private final LeasedWorker worker = process.worker;
    private final Snowflake ids = process.ids;

    @BeforeEach
    void createRows() {
        freshRows();
    }

    /** Suspends the worker without waiting for the release, which runs later on the simulated thread. */
    private void suspend() {
        Thread.currentThread().interrupt();
        worker.suspend();
        assertThat(Thread.interrupted()).isTrue();
    }

    private void suspendAndSettle() {
        suspend();
        time.pass(Duration.ZERO);
    }

    private List<String> sent() {
        return process.statements.stream().map(Process.Statement::name).toList();
    }

    private List<WorkerRow> leased() {
        return database.rows().stream().filter(row -> row.token() != null).toList();
    }

    @Test
    void theRowIsReleasedAboveTheLastIdBeforeACheckpoint() {
        SnowflakeParts last = layout.parse(ids.nextId());

        suspendAndSettle();

        assertThat(leased()).isEmpty();
        assertThat(database.row(last.worker()).horizon())
                .isEqualTo(last.time().plus(layout.tick()).toEpochMilli());
    }

    @Test
    void noIdIsMadeAndNoRowIsAskedForUntilTheRestore() {
        ids.nextId();
        suspendAndSettle();
        process.statements.clear();

        IdUnavailableException refused = assertThrows(IdUnavailableException.class, ids::nextId);

        assertThat(refused).hasMessageContaining("a checkpoint of this process is under way");
        assertThat(process.statements).isEmpty();
    }

    @Test
    void theNextIdAfterARestoreIsOfAFreshLeaseAndAboveAllBefore() {
        for (int i = 0; i < 20; i++) {
            long[] before = ids.nextIds(100_000);
            process.statements.clear();

            suspendAndSettle();
            worker.resume();
            assertThat(sent()).containsExactly("release");
            long after = ids.nextId();

            assertThat(after).isGreaterThan(before[before.length - 1]);
            assertThat(sent()).containsExactly("release", "candidates", "acquire");
        }
    }

    // ---- org.crac ----

    private Snowflake built(SimulatedStore.Link link) {
        return Snowflake.builder()
                .leasedFrom(new SimulatedStore(database, link, Flaw.NONE))
                .clock(Clock.systemUTC())
                .acquireTimeout(Duration.ofSeconds(30), Duration.ofSeconds(30))
                .build();
    }

    @Test
    void generatorsReleaseTheirRowsForCheckpointsOfTheJvm() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        SimulatedStore.Link link = new SimulatedStore.Link() {
            @Override
            public <T> T call(String statement, Supplier<T> work) {
                T answer = work.get();
                if (statement.equals("release")) {
                    released.countDown();
                }
                return answer;
            }
        };
        try (Snowflake generator = built(link)) {
            long before = generator.nextId();
            System.gc(); // the JVM references registered resources weakly

            Core.getGlobalContext().beforeCheckpoint();
            assertThat(released.await(30, SECONDS)).isTrue(); // the checkpoint waits for a second at most
            List<WorkerRow> leased = leased();
            Core.getGlobalContext().afterRestore();

            assertThat(leased).isEmpty();
            assertThat(generator.nextId()).isGreaterThan(before);
            assertThat(leased()).hasSize(1);
        }
    }

    @Test
    void threadsThatRegisterAtOnceAreAllNotified() throws Exception {
        int threads = 4;
        int each = 20_000;
        AtomicInteger suspended = new AtomicInteger();
        Queue<Object> held = new ConcurrentLinkedQueue<>();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int i = 0; i < threads; i++) {
                pool.execute(() -> {
                    for (int n = 0; n < each; n++) {
                        held.add(Checkpoints.register(suspended::incrementAndGet, () -> {}));
                    }
                });
            }
        } finally {
            pool.shutdown();
        }
        assertThat(pool.awaitTermination(50, SECONDS)).as("all have registered").isTrue();

        System.gc(); // resources are referenced weakly
        Core.checkpointRestore();

        assertThat(held).hasSize(threads * each);
        assertThat(suspended).hasValue(threads * each);
    }
}
