package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.layout.SnowflakeParts;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.ParallelThreads;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is paused until its lease expires, and continues after another process has taken its worker id. */
@Tag("nightly")
class ZombieTest {
    private static final Duration LEASE = Duration.ofSeconds(1);

    private static final String[] TIMES = {"lease=1s", "window=3s"};

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void takesAnotherWorkerIdAndRepeatsNothing(TestDatabase kind) throws Exception {
        try (Database database = withOneRowAndASpare(kind);
                Leaseholder sleeper = Leaseholder.start(database.url(), TIMES)) {
            sleeper.awaits(LeasingProcess.READY).tell(LeasingProcess.DRAW);
            Await.until("ids of the one that will sleep", () -> sleeper.count() > 1_000);
            int workerId = Leaseholder.workerId(sleeper.last());
            try (Leaseholder successor = successor(sleeper, database)) {
                Instant fellAsleep = fallAsleep(sleeper);
                Await.until("its successor", () -> successor.count() > 0);
                int before = sleeper.count();
                Instant tenLeasesLater = fellAsleep.plus(LEASE.multipliedBy(10));
                Await.until("ten leases of its successor", () -> successor.hasReached(tenLeasesLater));
                assertThat(sleeper.count()).as("ids while it slept").isEqualTo(before);

                sleeper.goOn();
                long wokeUpNanos = System.nanoTime();
                Await.until("another worker id", () -> Leaseholder.workerId(sleeper.last()) != workerId);
                Duration moved = Duration.ofNanos(System.nanoTime() - wokeUpNanos);
                int after = sleeper.count();
                Await.until(
                        "ids of both",
                        () -> sleeper.count() > after + 1_000
                                && successor.hasReached(sleeper.last().time()));

                long[] itsIds = sleeper.ids();
                long[] others = successor.ids();
                System.out.printf(
                        "%s: %d ids of the sleeper, %d of its successor; another worker id %d ms after it woke up%n",
                        kind, itsIds.length, others.length, moved.toMillis());
                assertThat(Arrays.stream(others).mapToInt(Leaseholder::workerId).distinct())
                        .containsExactly(workerId);
                ParallelThreads.assertDistinct(List.of(itsIds, others));
            }
        }
    }

    /** The control: shows that the test above detects repeated ids. */
    @Test
    void thatBelievesItHasItsRowRepeatsIds() throws Exception {
        try (Database database = withOneRowAndASpare(TestDatabase.POSTGRESQL);
                Leaseholder sleeper = Leaseholder.start(database.url(), LeasingProcess.CREDULOUS)) {
            sleeper.awaits(LeasingProcess.READY).tell(LeasingProcess.DRAW);
            Await.until("ids of the one that will sleep", () -> sleeper.count() > 1_000);
            try (Leaseholder successor = successor(sleeper, database)) {
                Instant fellAsleep = fallAsleep(sleeper);
                Await.until("ids of its successor", () -> successor.hasReached(fellAsleep.plus(LEASE.multipliedBy(4))));
                int before = sleeper.count();
                sleeper.goOn();
                Await.until(
                        "ids of both",
                        () -> sleeper.count() > before + 5_000
                                && successor.hasReached(sleeper.last().time()));

                assertThrows(
                        AssertionError.class,
                        () -> ParallelThreads.assertDistinct(List.of(sleeper.ids(), successor.ids())));
            }
        }
    }

    /** Starts a process that can lease only the worker id of the sleeper, and waits until it is ready. */
    private static Leaseholder successor(Leaseholder sleeper, Database database) throws IOException {
        SnowflakeParts parts = sleeper.last();
        String[] settings = Arrays.copyOf(TIMES, TIMES.length + 2);
        settings[TIMES.length] = "datacenter=" + parts.datacenter();
        settings[TIMES.length + 1] = "worker=" + parts.worker();
        return Leaseholder.start(database.url(), settings)
                .awaits(LeasingProcess.READY)
                .tell(LeasingProcess.DRAW);
    }

    private static Instant fallAsleep(Leaseholder sleeper) throws IOException, InterruptedException {
        sleeper.stop();
        return sleeper.last().time();
    }

    private static Database withOneRowAndASpare(TestDatabase kind) throws Exception {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET lease_until = 99999999999999 WHERE worker_id > 1");
        return database;
    }
}
