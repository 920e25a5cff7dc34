package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.ParallelThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that are configured only with a database. */
@Tag("nightly")
class LeaseProcessesTest {
    private static final int PROCESSES = 16;
    private static final int IDS = 5_000;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sixteenThatStartAtOnceHaveSixteenWorkerIdsAndReleaseThem(TestDatabase kind) throws Exception {
        List<Leaseholder> processes = new ArrayList<>();
        try (Database database = withTables(kind)) {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(Leaseholder.start(database.url()));
            }
            for (Leaseholder process : processes) {
                process.awaits(LeasingProcess.READY);
            }
            for (Leaseholder process : processes) {
                process.tell(LeasingProcess.DRAW + " " + IDS);
            }
            List<long[]> drawn = new ArrayList<>();
            for (Leaseholder process : processes) {
                drawn.add(process.awaits(LeasingProcess.DRAWN).ids());
            }
            assertThat(leased(database)).isEqualTo(PROCESSES);
            for (Leaseholder process : processes) {
                process.tell(LeasingProcess.CLOSE);
            }

            TreeSet<Integer> workerIds = new TreeSet<>();
            for (long[] ids : drawn) {
                assertThat(ids).hasSize(IDS);
                assertThat(Arrays.stream(ids).mapToInt(Leaseholder::workerId).distinct())
                        .as("worker ids of one process")
                        .hasSize(1);
                workerIds.add(Leaseholder.workerId(ids[0]));
            }
            assertThat(workerIds).hasSize(PROCESSES);
            ParallelThreads.assertDistinct(drawn);
            for (Leaseholder process : processes) {
                process.awaits(LeasingProcess.CLOSED);
            }
            Await.until("all are given back", () -> leased(database) == 0);
            System.out.printf(
                    "%s: %d processes, %d worker ids, %d ids, no duplicate, all given back%n",
                    kind, PROCESSES, workerIds.size(), PROCESSES * IDS);
        } finally {
            for (Leaseholder process : processes) {
                process.close();
            }
        }
    }

    private static Database withTables(TestDatabase kind) {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        return database;
    }

    private static long leased(Database database) throws Exception {
        return Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE lease_until <> 0");
    }
}
