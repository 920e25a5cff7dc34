package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.segment.Segment;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.schema.IdgenRepair;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The repairs of an operator after a restore, a truncation, a copy, a wrong clock, and a change of the layout. */
@ParameterizedClass
@EnumSource
@Timeout(60)
@Tag("databases")
class IdgenRepairTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;

    private final TestDatabase kind;
    private Database database;
    private IdgenRepair repair;

    IdgenRepairTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() throws SQLException {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        repair = new IdgenRepair(database.dataSource());
        execute("CREATE TABLE orders (id BIGINT NOT NULL)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }

    private Snowflake snowflake() {
        return Snowflake.builder()
                .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                .acquireTimeout(Duration.ofSeconds(5), Duration.ofSeconds(5))
                .build();
    }

    private long firstId() {
        try (Snowflake snowflake = snowflake()) {
            return snowflake.nextId();
        }
    }

    @Test
    void afterARestoreIdsBeginAboveAllWindowsThatCanHaveBeenGranted() throws SQLException {
        Instant before = Instant.now();
        Instant horizon = repair.workerIds("default", LAYOUT);

        assertThat(horizon).isAfter(before.plusSeconds(184));
        assertThat(Sql.number(database.dataSource(), "SELECT MIN(horizon) FROM idgen_worker WHERE worker_id >= 0"))
                .isEqualTo(horizon.toEpochMilli());
    }

    @Test
    void aLeaseThatIsAliveIsARefusal() {
        try (Snowflake snowflake = snowflake()) {
            snowflake.nextId();
            AllocationException e = assertThrows(AllocationException.class, () -> repair.workerIds("default", LAYOUT));

            assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
            assertThat(e).hasMessageContaining("1 worker ids of namespace 'default'");
        }
    }

    @Test
    void horizonsThatAWrongClockHasLeftFarAheadAreRefusedAndThenSetAboveTheIdsThatExist() throws SQLException {
        long far = Instant.parse("2060-01-01T00:00:00Z").toEpochMilli();
        execute("UPDATE idgen_worker SET horizon = " + far);
        try (Snowflake snowflake = snowflake()) {
            AllocationException e = assertThrows(AllocationException.class, snowflake::nextId);
            assertThat(e.code()).isEqualTo(ErrorCode.HORIZON_FAR);
            assertThat(e).hasMessageContaining("2060-01-01T00:00:00Z");
        }
        Instant issued = Instant.now().plus(Duration.ofHours(2));
        long largest = LAYOUT.compose(new SnowflakeParts(issued, 3, 4, 5));
        execute("INSERT INTO orders VALUES (" + largest + ")");

        assertThat(repair.workerIds("default", LAYOUT, "orders.id"))
                .isBetween(issued, issued.plus(Duration.ofMinutes(1)));
        execute("UPDATE idgen_worker SET horizon = " + far);
        execute("DELETE FROM orders");
        repair.workerIds("default", LAYOUT, "orders.id");
        assertThat(Sql.number(database.dataSource(), "SELECT MAX(horizon) FROM idgen_worker WHERE worker_id >= 0"))
                .isLessThan(Instant.now().plus(Duration.ofMinutes(10)).toEpochMilli());
    }

    private IdSources fixed() {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.worker.assigner", "fixed")
                .set("idgen.worker.id", "5")
                .set("idgen.worker.reserved", "5")
                .source("orders")
                .build();
    }

    private Snowflake leasing() {
        return Snowflake.builder()
                .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                .datacenterId(0)
                .workerId(5)
                .acquireTimeout(Duration.ofMillis(300), Duration.ofSeconds(5))
                .build();
    }

    @Test
    void aReservationIsEndedOnceItsProcessIsGoneAndLeasesBeginAboveIt() throws SQLException {
        try (IdSources sources = fixed()) {
            sources.get("orders").nextId();
            AllocationException e = assertThrows(AllocationException.class, () -> repair.unreserve("default", 4, 5));
            assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(e)
                    .hasMessageContaining("worker id 5 of namespace 'default' in idgen_worker is reserved by a process")
                    .hasMessageContaining(ProcessHandle.current().pid() + "@");
        }
        try (Snowflake refused = leasing()) {
            assertThat(assertThrows(IdGenerationException.class, refused::nextId)
                            .code())
                    .isEqualTo(ErrorCode.WORKER_IDS_TAKEN);
        }
        Instant before = Instant.now();

        repair.unreserve("default", 4, 5);
        repair.unreserve("default", 5);

        assertThat(Sql.number(database.dataSource(), "SELECT horizon FROM idgen_worker WHERE worker_id = 5"))
                .isGreaterThan(before.plusSeconds(184).toEpochMilli());
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE lease_until > 0"))
                .isZero();
        assertThat(Sql.number(database.dataSource(), "SELECT horizon FROM idgen_worker WHERE worker_id = 4"))
                .isZero();
    }

    @Test
    void ofAProcessWhoseClockWasAheadAndThatWasKilledTheHorizonIsRaisedByThatMuchMore() throws SQLException {
        long hour = Duration.ofHours(1).toMillis();
        long longAgo = System.currentTimeMillis() - 2 * hour;
        execute("UPDATE idgen_worker SET owner_token = 'reserved:gone', lease_until = " + (WorkerRows.ENDLESS + longAgo)
                + ", horizon = " + (longAgo + hour) + " WHERE worker_id = 5");

        repair.unreserve("default", 5);

        assertThat(Sql.number(database.dataSource(), "SELECT horizon FROM idgen_worker WHERE worker_id = 5"))
                .isGreaterThan(System.currentTimeMillis() + hour);
    }

    @Test
    void aRepairOfHorizonsLeavesReservationsAndWaitsForTheirProcesses() throws SQLException {
        try (IdSources sources = fixed()) {
            sources.get("orders").nextId();
            assertThat(assertThrows(AllocationException.class, () -> repair.workerIds("default", LAYOUT)))
                    .hasMessageContaining("1 worker ids of namespace 'default'");
        }

        Instant horizon = repair.workerIds("default", LAYOUT);

        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT owner_token, lease_until, horizon FROM idgen_worker WHERE lease_until > 0"))
                .containsExactly("reserved | " + WorkerRows.ENDLESS + " | " + horizon.toEpochMilli());
    }

    @Test
    void withoutColumnsHorizonsAreNotLowered() throws SQLException {
        long far = Instant.parse("2060-01-01T00:00:00Z").toEpochMilli();
        execute("UPDATE idgen_worker SET horizon = " + far + " WHERE worker_id = 7");
        repair.workerIds("default", LAYOUT);

        assertThat(Sql.number(database.dataSource(), "SELECT MAX(horizon) FROM idgen_worker"))
                .isEqualTo(far);
        assertThat(Sql.number(database.dataSource(), "SELECT MIN(horizon) FROM idgen_worker WHERE worker_id >= 0"))
                .isGreaterThan(System.currentTimeMillis());
    }

    @Test
    void theRowOfTheLayoutIsLeftAlone() throws SQLException {
        repair.workerIds("default", LAYOUT);

        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT layout, fence, lease_until, horizon FROM idgen_worker WHERE worker_id < 0"))
                .containsExactly(LAYOUT + " | 0 | 0 | 0");
    }

    @Test
    void horizonsAreOfTheServerThatTheProcessesName() throws SQLException {
        repair.identifiedAs("it's node 7").workerIds("default", LAYOUT);

        assertThat(Sql.rows(database.dataSource(), "SELECT DISTINCT server_id FROM idgen_worker WHERE worker_id >= 0"))
                .containsExactly("it's node 7");
        assertThrows(IllegalArgumentException.class, () -> repair.identifiedAs(" "));
    }

    @Test
    void aNamespaceWithoutRowsIsARefusal() {
        assertThat(assertThrows(AllocationException.class, () -> repair.workerIds("other", LAYOUT))
                        .code())
                .isEqualTo(ErrorCode.LAYOUT_MISMATCH);
    }

    @Test
    void rowsOfSegmentsAndSequencesAreRaisedAboveTheIdsThatExistAndNeverLowered() throws SQLException {
        SegmentTable segments = new SegmentTable(database.dataSource()).startingAt(1);
        SequenceTable sequences = new SequenceTable(database.dataSource()).startingAt(1);
        segments.allocate("orders", 10);
        sequences.allocate("orders", 1);
        execute("INSERT INTO orders VALUES (5000)");

        assertThat(repair.segments("orders", "orders.id")).isEqualTo(5001);
        assertThat(repair.sequence("orders", "orders.id")).isEqualTo(5001);
        assertThat(segments.allocate("orders", 10)).isEqualTo(new Segment(5001, 10, 1));
        assertThat(sequences.allocate("orders", 1)).isEqualTo(new Segment(5001, 1, 1));
        execute("DELETE FROM orders");
        assertThat(repair.segments("orders", "orders.id")).isEqualTo(5011);
        assertThat(assertThrows(AllocationException.class, () -> repair.segments("items", "orders.id"))
                        .code())
                .isEqualTo(ErrorCode.START_UNKNOWN);
    }

    @Test
    void aTableThatIsNotThereIsToldWithTheStatementThatMakesIt() throws SQLException {
        execute("DROP TABLE idgen_segment");
        execute("DROP TABLE idgen_worker");
        IdgenRepair repair = new IdgenRepair(database.dataSource());

        AllocationException segment =
                assertThrows(AllocationException.class, () -> repair.segments("orders", "idgen_sequence.next_id"));
        assertThat(segment.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(segment).hasMessageMatching("(?s).*CREATE TABLE (IF NOT EXISTS )?idgen_segment.*");
        assertThat(assertThrows(AllocationException.class, () -> repair.workerIds("default", LAYOUT)))
                .hasMessageMatching("(?s).*CREATE TABLE (IF NOT EXISTS )?idgen_worker.*");
    }

    @Test
    void aTruncatedTableOfWorkerIdsIsFilledAgainAndLiesAheadUnlessItIsInMemory() throws SQLException {
        execute("DELETE FROM idgen_worker");
        boolean inMemory = new IdgenSchema(database.dataSource()).isInMemory();
        List<LeaseStore.Row> rows = new JdbcWorkerIds(database.dataSource())
                .candidates(
                        new LeaseStore.Terms(
                                "default", LAYOUT, 0, 1024, Duration.ofSeconds(30), Duration.ofSeconds(180)),
                        null)
                .rows();

        // nobody knows what was granted before: such a row is advanced by a window before it is taken
        assertThat(rows).isNotEmpty().allMatch(row -> row.sameServer() == inMemory);
    }

    @Test
    void aLayoutChangesInOneStepWhenAllIsQuietAndItsIdsLieAboveTheOldOnes() throws SQLException {
        JdbcWorkerIds store = new JdbcWorkerIds(database.dataSource());
        SnowflakeLayout later = LAYOUT.withEpoch(Instant.parse("2025-01-01T00:00:00Z"));
        assertThat(assertThrows(AllocationException.class, () -> store.changeLayout("default", LAYOUT, later)))
                .hasMessageContaining("below those of");
        SnowflakeLayout earlier = LAYOUT.withEpoch(Instant.parse("2020-01-01T00:00:00Z"));
        try (Snowflake snowflake = snowflake()) {
            snowflake.nextId();
            assertThat(assertThrows(AllocationException.class, () -> store.changeLayout("default", LAYOUT, earlier))
                            .code())
                    .isEqualTo(ErrorCode.NAMESPACE_IN_USE);
        }
        execute("UPDATE idgen_worker SET horizon = 0");
        store.changeLayout("default", LAYOUT, earlier);

        assertThat(assertThrows(AllocationException.class, this::firstId).code())
                .isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        try (Snowflake snowflake =
                Snowflake.builder().layout(earlier).leasedFrom(store).build()) {
            snowflake.nextId();
        }
    }
}
