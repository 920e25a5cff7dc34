package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.SnowflakeBackfill;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Generates ids for old rows while another process leases its worker id from the same database. */
@Timeout(120)
@Tag("matrix")
class BackfillBesideLeasesTest {
    private static final int WORKER = 5;
    private static final Instant OLD = Instant.parse("2025-03-01T12:00:00.123Z");

    private static final String[] LEASED = {
        "idgen.worker.lease=30s", "idgen.worker.window=60s", "idgen.worker.id=" + WORKER
    };

    private static Database withTables(TestDatabase kind) {
        Database database = kind.createShared();
        new IdgenSchema(database.dataSource()).create();
        return database;
    }

    private static IdSources.Builder settings(Database database) {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .source("orders");
    }

    private static IdSources reserving(Database database, int workerId) {
        return settings(database)
                .set("idgen.worker.id", String.valueOf(workerId))
                .set("idgen.worker.reserved", String.valueOf(workerId))
                .build();
    }

    private static SnowflakeParts parts(long id) {
        return SnowflakeLayout.IDGEN.parse(id);
    }

    /** Generates an id for the time of each given id, in order. */
    private static long[] fill(SnowflakeBackfill backfill, long[] times) {
        return Arrays.stream(times).map(id -> backfill.idAt(parts(id).time())).toArray();
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aBackfillNeverHasTheWorkerIdOfALeaseAndNoIdIsRepeated(TestDatabase kind) throws Exception {
        try (Database database = withTables(kind);
                Leaseholder leased = Leaseholder.start(database.url(), LEASED)) {
            leased.awaits(LeasingProcess.READY).tell(LeasingProcess.DRAW);
            Await.until("ids of the leased process", () -> leased.count() > 1_000);
            try (IdSources sources = reserving(database, WORKER)) {
                IdGenerationException e = assertThrows(
                        IdGenerationException.class,
                        () -> sources.backfill("orders").open());
                assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_TAKEN);
                assertThat(e).hasMessageContaining("worker id 5 in namespace 'default' is leased by another process");
            }
            long[] itsIds = leased.ids();
            try (IdSources sources = reserving(database, WORKER + 1);
                    SnowflakeBackfill backfill = sources.backfill("orders").open()) {
                assertThat(parts(backfill.idAt(OLD))).isEqualTo(new SnowflakeParts(OLD, 0, WORKER + 1, 0));

                long[] ids = fill(backfill, itsIds);

                Together.assertDistinct(List.of(itsIds, ids));
                assertThat(
                                Sql.rows(
                                        database.dataSource(),
                                        "SELECT COUNT(*) FROM idgen_worker WHERE worker_id = 6 AND lease_until > 99999999999999"))
                        .containsExactly("1");
            }
            leased.kill();
            Sql.execute(database.dataSource(), "UPDATE idgen_worker SET lease_until = 0 WHERE worker_id = " + WORKER);
            try (IdSources sources = reserving(database, WORKER);
                    SnowflakeBackfill backfill = sources.backfill("orders").open()) {
                assertThat(assertThrows(IllegalArgumentException.class, () -> fill(backfill, itsIds)))
                        .hasMessageContaining("a lease or an earlier backfill may have used worker id 5");
            }
        }
    }

    /** The control: shows that the test above detects repeated ids. */
    @Test
    void aBackfillThatReservesNothingRepeatsTheIdsOfALease() throws Exception {
        try (Database database = withTables(TestDatabase.POSTGRESQL);
                Leaseholder leased = Leaseholder.start(database.url(), LEASED);
                SnowflakeBackfill backfill =
                        SnowflakeBackfill.builder().workerId(WORKER).open()) {
            leased.awaits(LeasingProcess.READY).tell(LeasingProcess.DRAW);
            Await.until("ids of the leased process", () -> leased.count() > 1_000);
            long[] itsIds = leased.ids();

            long[] ids = fill(backfill, itsIds);

            assertThrows(AssertionError.class, () -> Together.assertDistinct(List.of(itsIds, ids)));
        }
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aSecondBackfillIsRefusedAndLaterBeginsAboveTheFirst(TestDatabase kind) throws Exception {
        try (Database database = withTables(kind);
                IdSources sources = reserving(database, WORKER)) {
            long last;
            try (SnowflakeBackfill backfill = sources.backfill("orders").open()) {
                last = backfill.idAt(OLD);
                for (int day = 1; day < 30; day++) {
                    last = backfill.idAt(OLD.plus(Duration.ofDays(day)));
                }
                assertThat(assertThrows(
                                        ConfigurationException.class,
                                        () -> sources.backfill("orders").open())
                                .code())
                        .as("in one JVM")
                        .isEqualTo(ErrorCode.WORKER_ID_IN_USE);
                Sql.execute(
                        database.dataSource(),
                        "UPDATE idgen_worker SET owner_token = 'reserved:backfill-another', fence = fence + 1,"
                                + " owner_info = '17@elsewhere' WHERE worker_id = " + WORKER);
                assertThat(assertThrows(
                                IdGenerationException.class, () -> backfill.idAt(OLD.plus(Duration.ofDays(31)))))
                        .hasMessageContaining("its row was changed by 17@elsewhere");
            }
            assertThat(assertThrows(
                            IdGenerationException.class,
                            () -> sources.backfill("orders").open()))
                    .as("as long as the other one counts as alive")
                    .hasMessageContaining("is reserved by another process, 17@elsewhere");
            Sql.execute(
                    database.dataSource(),
                    "UPDATE idgen_worker SET owner_token = 'reserved', lease_until = 100000000000000 WHERE worker_id = "
                            + WORKER);
            try (SnowflakeBackfill second = sources.backfill("orders").open()) {
                assertThrows(IllegalArgumentException.class, () -> second.idAt(OLD));
                assertThat(parts(second.idAt(OLD.plus(Duration.ofDays(30))))).isNotNull();
            }
            try (SnowflakeBackfill continued =
                    sources.backfill("orders").after(last).open()) {
                assertThat(continued.idAt(OLD.plus(Duration.ofDays(29)))).isEqualTo(last + 1);
            }
        }
    }

    @Test
    void aBackfillWithAWorkerIdThatMayBeLeasedIsRefused() throws Exception {
        try (Database database = withTables(TestDatabase.H2);
                IdSources leased = settings(database).build();
                IdSources segments =
                        settings(database).set("idgen.strategy", "segment").build()) {
            ConfigurationException e = assertThrows(ConfigurationException.class, () -> leased.backfill("orders"));
            assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_NOT_RESERVED);
            assertThat(e).hasMessageContaining("idgen.worker.reserved");
            assertThat(assertThrows(ConfigurationException.class, () -> segments.backfill("orders")))
                    .hasMessageContaining("only snowflake has backfills, and 'orders' has segment");
        }
    }
}
