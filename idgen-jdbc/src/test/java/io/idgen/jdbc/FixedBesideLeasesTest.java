package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.ParallelThreads;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker id that a process has chosen, next to others of one database, in several processes and in one. */
@Tag("matrix")
class FixedBesideLeasesTest {
    private static final int WORKER = 5;
    private static final int KILLED = 7;
    private static final int IDS = 200_000;
    private static final long PAUSE_NANOS = 50_000;

    private static final String[] FIXED = {
        "idgen.worker.id=" + WORKER, "idgen.worker.assigner=fixed", "idgen.worker.reserved=" + WORKER
    };

    private static final String[] UNLEASED = {
        "idgen.worker.assigner=single-process",
        "idgen.worker.id=" + WORKER,
        "idgen.snowflake.clock-policy=wait:10s" // the generator of the test before may have been ahead of the clock
    };

    private static Database withTables(TestDatabase kind) {
        Database database = kind.createShared();
        new IdgenSchema(database.dataSource()).create();
        return database;
    }

    private static IdSources.Builder settings(Database database, String... settings) {
        IdSources.Builder builder = IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .source("orders");
        Arrays.stream(settings).forEach(each -> builder.set(each.split("=")[0], each.split("=")[1]));
        return builder;
    }

    private static int worker(long id) {
        return SnowflakeLayout.IDGEN.parse(id).worker();
    }

    private static long[] draw(IdSource source, int count) {
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = source.nextId();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return ids;
    }

    private static void release(Database database, String where) throws SQLException {
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET lease_until = 0 WHERE " + where);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void aSecondProcessWithTheWorkerIdIsRefusedUntilTheFirstIsGone(TestDatabase kind) throws Exception {
        // ids of a process that was killed begin ahead of the clock, so no other test uses its worker id
        String[] settings = {
            "idgen.worker.id=" + KILLED, "idgen.worker.assigner=fixed", "idgen.worker.reserved=" + KILLED
        };
        try (Database database = withTables(kind);
                Leaseholder first = Leaseholder.start(database.url(), settings)) {
            first.awaits(LeasingProcess.READY).tell(LeasingProcess.DRAW);
            Await.until("ids of the first process", () -> first.count() > 1_000);
            try (IdSources second = settings(database, settings)
                    .set("idgen.acquire-timeout", "1500ms")
                    .build()) {
                IdGenerationException e = Await.failure(
                        ErrorCode.WORKER_IDS_TAKEN.code(),
                        () -> second.get("orders").nextId());
                assertThat(e)
                        .hasMessageContaining("worker id 7 in namespace 'default' is leased")
                        .hasMessageContaining(Sql.rows(
                                        database.dataSource(),
                                        "SELECT owner_info FROM idgen_worker WHERE worker_id = " + KILLED)
                                .get(0));
            }
            int before = first.count();
            Await.until("more ids of the first process", () -> first.count() > before + 1_000);
            first.kill();
            release(database, "worker_id = " + KILLED); // as when its lease is over

            try (IdSources successor = settings(database, settings)
                    .set("idgen.acquire-timeout", "1m")
                    .build()) {
                long[] ids = draw(successor.get("orders"), 1_000);

                assertThat(worker(ids[0])).isEqualTo(KILLED);
                ParallelThreads.assertDistinct(List.of(first.ids(), ids));
                assertThat(ids[0]).isGreaterThan(first.ids()[first.count() - 1]);
            }
        }
    }

    // ---- in one JVM ----

    /** Creates the tables. Only the rows of worker ids 5 and 6 can be leased. */
    private static Database withTwoRows() throws SQLException {
        Database database = TestDatabase.H2.create();
        new IdgenSchema(database.dataSource()).create();
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET lease_until = 99999999999999");
        release(database, "worker_id IN (5, 6)");
        return database;
    }

    private static List<long[]> drawn(IdSource one, IdSource other) throws Exception {
        return ParallelThreads.run(2, thread -> {
            IdSource mine = thread == 0 ? one : other;
            return LongStream.generate(mine::nextId).limit(IDS).toArray();
        });
    }

    @Test
    void aLeaseSkipsTheWorkerIdOfAFixedGeneratorOfItsJvm() throws Exception {
        for (int i = 0; i < 4; i++) {
            try (Database database = withTwoRows();
                    IdSources one = settings(database, UNLEASED).build();
                    IdSources other = settings(database).build()) {
                one.get("orders").nextId();
                List<long[]> ids = drawn(one.get("orders"), other.get("orders"));

                assertThat(worker(ids.get(0)[0])).isEqualTo(WORKER);
                assertThat(worker(ids.get(1)[0])).isEqualTo(6);
                ParallelThreads.assertDistinct(ids);
            }
        }
    }

    @Test
    void aSecondSourceOfTheJvmWithTheWorkerIdIsRefused() throws Exception {
        try (Database database = withTwoRows();
                IdSources first = settings(database, FIXED).build();
                IdSources second = settings(database, FIXED)
                        .set("idgen.acquire-timeout", "1500ms")
                        .build();
                IdSources only = settings(database, UNLEASED).build()) {
            first.get("orders").nextId();

            Await.failure(
                    ErrorCode.WORKER_IDS_TAKEN.code(),
                    () -> second.get("orders").nextId());
            ConfigurationException e = assertThrows(ConfigurationException.class, () -> only.get("orders"));
            assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(e).hasMessageContaining("is leased by a generator of this JVM");
        }
    }

    @Test
    void aLeaseOfTheWorkerIdOfAGeneratorWithoutALeaseOfItsJvmIsRefused() throws Exception {
        try (Database database = withTwoRows();
                IdSources only = settings(database, UNLEASED).build();
                IdSources leased = settings(database, FIXED).build()) {
            only.get("orders").nextId();

            ConfigurationException e = assertThrows(
                    ConfigurationException.class, () -> leased.get("orders").nextId());
            assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(e).hasMessageContaining("worker id 5 in namespace 'default' cannot be leased");
        }
    }

    /** The control: a generator of another namespace, which the guard does not know. */
    @Test
    void aFixedGeneratorThatTheGuardDoesNotKnowRepeatsIds() throws Exception {
        try (Database database = withTwoRows();
                IdSources leased =
                        settings(database, "idgen.worker.id=" + WORKER).build();
                Snowflake fixed = Snowflake.builder()
                        .namespace("unknown to the guard")
                        .workerId(WORKER)
                        .build()) {
            leased.get("orders").nextId();

            // on a busy machine, one thread may end before the other begins
            Await.until("ids that repeat", () -> {
                List<long[]> ids = drawn(leased.get("orders"), fixed);
                long distinct =
                        ids.stream().flatMapToLong(Arrays::stream).distinct().count();
                System.out.printf("without the guard: %d of %d ids twice%n", 2 * IDS - distinct, 2 * IDS);
                return distinct < 2 * IDS;
            });
        }
    }
}
