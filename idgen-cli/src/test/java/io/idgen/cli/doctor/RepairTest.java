package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeBackfill;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.SegmentTable;
import io.idgen.jdbc.SequenceTable;
import io.idgen.jdbc.SteppedSequence;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Leases;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repairs by an operator after a restore, a truncation, a copy, a wrong clock, and a change of the layout. */
@ParameterizedClass
@EachDatabase
@Timeout(300)
@Tag("matrix")
class RepairTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;

    private final TestDatabase kind;

    @AutoClose
    private Database database;

    private IdgenTables tables;
    private Repair repair;

    RepairTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() throws SQLException {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        tables = new IdgenTables(database.dataSource());
        repair = Repair.of(tables);
        execute("CREATE TABLE orders (id BIGINT NOT NULL)");
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }

    private Snowflake snowflake() {
        return Snowflake.builder()
                .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                .acquireTimeout(Duration.ofMinutes(1), Duration.ofMinutes(1))
                .build();
    }

    private long firstId() {
        try (Snowflake snowflake = snowflake()) {
            return snowflake.nextId();
        }
    }

    private static final Terms TERMS = Leases.terms(1024);

    private List<LeaseStore.Row> candidates() {
        return new JdbcWorkerIds(database.dataSource()).candidates(TERMS, null).rows();
    }

    @Test
    void afterARestoreEachRowIsAdvancedBeyondAWindowBeforeItIsLeased() {
        assertThat(candidates()).as("control: without a repair").isNotEmpty().allMatch(LeaseStore.Row::sameServer);
        Instant before = Instant.now();

        RepairReport report = repair.afterRestore();

        assertThat(candidates()).isNotEmpty().noneMatch(LeaseStore.Row::sameServer);
        assertThat(report.changes()).singleElement().satisfies(change -> {
            assertThat(change.row()).isEqualTo("default, 1024 worker ids");
            assertThat(change.before()).isEqualTo("horizons up to 1970-01-01T00:00:00Z (0)");
            Matcher begin = Pattern.compile("ids begin at (\\S+) \\(\\d+\\) or later; the first")
                    .matcher(change.after());
            assertThat(begin.find()).isTrue();
            assertThat(Instant.parse(begin.group(1))).isAfter(before.plusSeconds(184));
        });
    }

    /** After a restore under running processes, a process heals all rows: their horizons lie a window ahead. */
    @Test
    void afterARepairOfHealedRowsTheFirstProcessWaitsForSecondsAndTheReportNamesTheTime() throws SQLException {
        long healed = System.currentTimeMillis() + 180_000;
        execute("UPDATE idgen_worker SET generation = 1, horizon = " + healed + " WHERE worker_id >= 0");

        RepairReport report = repair.afterRestore();

        Instant repaired = Instant.now();
        Matcher said = Pattern.compile("the first process can lease a worker id at (\\S+) \\(\\d+\\), \\d+ s from now")
                .matcher(report.changes().get(0).after());
        assertThat(said.find()).as(report.toString()).isTrue();
        Instant at = Instant.parse(said.group(1));
        assertThat(at).as("not three minutes").isBefore(repaired.plusSeconds(8));
        Instant id = LAYOUT.parse(firstId()).time();
        assertThat(id).isAfter(Instant.ofEpochMilli(healed));
        if (kind != TestDatabase.H2) {
            return; // one control is enough, because it waits for its timeout
        }
        // control: rows of another server wait until their horizons have passed
        execute("UPDATE idgen_worker SET server_id = NULL, owner_token = NULL, lease_until = 0, horizon = " + healed);
        try (Snowflake waiting = Snowflake.builder()
                .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                .acquireTimeout(Duration.ofSeconds(10), Duration.ofSeconds(10))
                .build()) {
            assertThat(assertThrows(IdGenerationException.class, waiting::nextId))
                    .as("without the repair")
                    .isNotNull();
        }
    }

    /** Creates new allocators, which have not read any rows, as in a process that has just started. */
    private List<SegmentAllocator> counters() {
        return List.of(
                new SegmentTable(database.dataSource()).withReach(10_000).startingAt(1),
                new SequenceTable(database.dataSource()).withReach(10_000).startingAt(1),
                new SteppedSequence(database.dataSource(), 2, 3)
                        .withReach(10_000)
                        .startingAt(1));
    }

    private List<Long> draw(int times) {
        List<Long> last = new ArrayList<>();
        for (SegmentAllocator each : counters()) {
            long first = 0;
            for (int i = 0; i < times; i++) {
                first = each.allocate("orders", 1).first();
            }
            last.add(first);
        }
        return last;
    }

    /** What the row of each counter says. */
    private record Rows(long segment, long sequence, long stepped) {}

    private Rows rows() throws SQLException {
        return new Rows(
                Sql.number(database.dataSource(), "SELECT max_id FROM idgen_segment"),
                Sql.number(database.dataSource(), "SELECT next_id FROM idgen_sequence"),
                Sql.number(database.dataSource(), "SELECT next_id FROM idgen_stepped"));
    }

    private void restore(Rows rows) throws SQLException {
        execute("UPDATE idgen_segment SET max_id = " + rows.segment);
        execute("UPDATE idgen_sequence SET next_id = " + rows.sequence);
        execute("UPDATE idgen_stepped SET next_id = " + rows.stepped);
    }

    @Test
    void afterARestoreEachCounterBeginsAboveAllThatItGrantedSinceTheBackup() throws SQLException {
        draw(1);
        Instant backup = Instant.now().minusSeconds(1);
        Rows rows = rows();
        List<Long> last = draw(20);
        restore(rows);
        List<Long> repeated = draw(1);
        restore(rows);

        RepairReport report = Repair.of(tables.restoredFrom(backup)).afterRestore();

        List<Long> next = draw(1);
        for (int i = 0; i < last.size(); i++) {
            assertThat(repeated.get(i)).as("control: without a repair").isLessThanOrEqualTo(last.get(i));
            assertThat(next.get(i)).isGreaterThan(last.get(i));
        }
        assertThat(report.toString())
                .startsWith("repaired idgen_worker default, 1024 worker ids: ")
                .contains("; idgen_segment orders: " + rows.segment + " -> " + (rows.segment + 60_000))
                .contains("; idgen_sequence orders: " + rows.sequence + " -> " + (rows.sequence + 60_000))
                .endsWith("; idgen_stepped orders, generation 1: " + rows.stepped + " -> " + (rows.stepped + 180_000))
                .doesNotContain("\n");
    }

    @Test
    void afterARestoreEachCounterBeginsAboveWhatServersThatTookOverSinceTheBackupHaveSkipped() throws SQLException {
        draw(1);
        Instant backup = Instant.now().minusSeconds(1);
        Rows rows = rows();
        for (String table : List.of("idgen_segment", "idgen_sequence", "idgen_stepped")) {
            execute("UPDATE " + table + " SET server_id = 'the primary before'");
        }
        List<Long> last = draw(20);
        restore(rows);

        Repair.of(tables.restoredFrom(backup)).afterRestore();

        List<Long> next = draw(1);
        for (int i = 0; i < last.size(); i++) {
            assertThat(next.get(i)).isGreaterThan(last.get(i));
        }
    }

    @Test
    void anOlderBackupSkipsThreeTimesTheReachForEachTenMinutesSince() throws SQLException {
        draw(1);
        long before = Sql.number(database.dataSource(), "SELECT next_id FROM idgen_sequence");

        Repair.of(tables.restoredFrom(Instant.now().minus(Duration.ofDays(1)))).afterRestore();

        // 144 windows of ten minutes, one for clock steps, and the current one
        assertThat(Sql.number(database.dataSource(), "SELECT next_id FROM idgen_sequence"))
                .isEqualTo(before + 146 * 3 * 10_000);
        Instant future = Instant.now().plus(Duration.ofDays(1));
        assertThat(assertThrows(
                        IllegalArgumentException.class,
                        () -> Repair.of(tables.restoredFrom(future)).afterRestore()))
                .hasMessageContaining("lies in the future: the database's time is 20");
    }

    @Test
    void aCounterOfWhichNothingIsKnownIsRefusedAndNothingIsChanged() throws SQLException {
        draw(1);
        List<String> before = state();

        AllocationException e = assertThrows(AllocationException.class, repair::afterRestore);

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e)
                .hasMessageContaining("the ids of 'orders' in idgen_segment")
                .hasMessageContaining("the time of the backup is not given")
                .hasMessageContaining("--column orders=table.column");
        assertThat(state()).isEqualTo(before);
        execute("UPDATE idgen_segment SET reach = NULL");
        assertThat(assertThrows(
                        AllocationException.class,
                        () -> Repair.of(tables.restoredFrom(Instant.now())).afterRestore()))
                .hasMessageContaining("its row has no reach");
        assertThat(assertThrows(
                        AllocationException.class,
                        () -> Repair.of(tables.withColumn("orders", "orders.id").withColumn("order", "orders.id"))
                                .afterRestore()))
                .hasMessageContaining("no row for 'order' in idgen_segment, idgen_sequence or idgen_stepped");
    }

    private List<String> state() throws SQLException {
        List<String> state = new ArrayList<>(Sql.rows(
                database.dataSource(),
                "SELECT worker_id, fence, horizon, lease_until, server_id FROM idgen_worker ORDER BY worker_id"));
        state.addAll(Sql.rows(database.dataSource(), "SELECT max_id, used FROM idgen_segment"));
        state.addAll(Sql.rows(database.dataSource(), "SELECT next_id, used FROM idgen_sequence"));
        state.addAll(Sql.rows(database.dataSource(), "SELECT next_id, used FROM idgen_stepped"));
        return state;
    }

    @Test
    void aDryRunTellsWhatWouldChangeAndChangesNothing() throws SQLException {
        draw(1);
        List<String> before = state();
        Repair known = Repair.of(tables.withColumn("orders", "orders.id"));
        execute("INSERT INTO orders VALUES (5000)");

        RepairReport dry = known.dryRun().afterRestore();

        assertThat(state()).isEqualTo(before);
        assertThat(dry.toString()).startsWith("dry run, would repair idgen_worker default");
        List<RepairReport.Change> counters = dry.changes().subList(1, 4);
        assertThat(known.afterRestore().changes().subList(1, 4)).isEqualTo(counters);
        assertThat(counters).extracting(RepairReport.Change::after).containsExactly("5001", "5001", "5003");
    }

    @Test
    void aDryRunOfTheOtherRepairsChangesNothingEither() throws SQLException {
        execute("UPDATE idgen_worker SET horizon = 4000000000000 WHERE worker_id = 7");
        execute("UPDATE idgen_worker SET owner_token = 'reserved', lease_until = " + WorkerRows.ENDLESS
                + " WHERE worker_id = 5");
        execute("INSERT INTO orders VALUES (1)");
        List<String> before = state();
        Repair dry = repair.dryRun();

        RepairReport lowered = dry.lowerHorizons("default", LAYOUT, "orders.id");
        RepairReport freed = dry.unreserve("default", 5);

        assertThat(state()).isEqualTo(before);
        assertThat(lowered)
                .hasToString(
                        "dry run, would repair idgen_worker default, 1 worker ids: horizons up to "
                                + "2096-10-02T07:06:40Z (4000000000000) -> horizons at 2024-01-01T00:00:00.001Z (1704067200001)");
        assertThat(freed.toString())
                .startsWith("dry run, would repair idgen_worker default, worker id 5: reserved, horizon at 1970-");
        assertThat(repair.lowerHorizons("default", LAYOUT, "orders.id").changes())
                .as("control: without a dry run")
                .isEqualTo(lowered.changes());
        assertThat(state()).isNotEqualTo(before);
    }

    @Test
    void whileALeaseIsAliveARepairIsRefusedWithItsOwnerAndItsEnd() throws SQLException {
        // a lease that no process renews, so that only a repair could change its row
        JdbcWorkerIds store = new JdbcWorkerIds(database.dataSource());
        Terms hours = new Terms("default", LAYOUT, 0, 1024, Duration.ofHours(1), Duration.ofHours(6));
        LeaseStore.Candidates candidates = store.candidates(hours, null);
        LeaseStore.Row row = candidates.rows().get(0);
        long horizon = candidates.nowMillis() + 15_000;
        assertThat(store.acquire(hours, row, null, Leases.after(row, "token", horizon)))
                .isTrue();
        execute("INSERT INTO orders VALUES (1)");
        List<String> before = state();

        for (Executable each : List.<Executable>of(
                repair::afterRestore,
                () -> repair.dryRun().afterRestore(),
                () -> repair.lowerHorizons("default", LAYOUT, "orders.id"),
                () -> repair.dryRun().lowerHorizons("default", LAYOUT, "orders.id"))) {
            AllocationException e = assertThrows(AllocationException.class, each);

            assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
            assertThat(e)
                    .hasMessageContaining("1 worker ids in idgen_worker are leased or held: worker id ")
                    .hasMessageContaining("by " + ProcessHandle.current().pid() + "@")
                    .hasMessageContaining(" until 20")
                    .hasMessageContaining("stop these processes");
        }
        assertThat(state()).isEqualTo(before);
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
        Instant issued = Instant.now().minus(Duration.ofHours(2));
        long largest = LAYOUT.compose(new SnowflakeParts(issued, 3, 4, 5));
        execute("INSERT INTO orders VALUES (" + largest + ")");

        RepairReport report = repair.lowerHorizons("default", LAYOUT, "orders.id");

        assertThat(Sql.rows(database.dataSource(), "SELECT DISTINCT horizon FROM idgen_worker WHERE worker_id >= 0"))
                .containsExactly(String.valueOf(
                        issued.truncatedTo(ChronoUnit.MILLIS).plusMillis(1).toEpochMilli()));
        assertThat(report.toString()).contains("horizons up to 2060-01-01T00:00:00Z (2840140800000) -> horizons at 20");
        assertThat(candidates()).as("fenced off before they are leased").noneMatch(LeaseStore.Row::sameServer);
    }

    @Test
    void onlyHorizonsThatAreFarAheadAreLoweredAndTheOtherWorkerIdsAreLeasedAtOnce() throws SQLException {
        execute("UPDATE idgen_worker SET horizon = 4000000000000 WHERE worker_id = 7");
        long near = System.currentTimeMillis() + 170_000;
        execute("UPDATE idgen_worker SET horizon = " + near + " WHERE worker_id = 8");
        execute("INSERT INTO orders VALUES (" + firstId() + ")");
        List<String> before = state();

        RepairReport report = repair.lowerHorizons("default", LAYOUT, "orders.id");

        List<String> after = state();
        assertThat(report.changes())
                .singleElement()
                .extracting(RepairReport.Change::row)
                .isEqualTo("default, 1 worker ids");
        assertThat(after).hasSameSizeAs(before);
        assertThat(after.stream().filter(row -> !before.contains(row)))
                .singleElement()
                .asString()
                .startsWith("7 | ")
                .endsWith(" | null");
        assertThat(LAYOUT.parse(firstId()).time()).isBefore(Instant.now().plusSeconds(5));
        assertThat(repair.lowerHorizons("default", LAYOUT, "orders.id")).hasToString("repaired nothing");
    }

    @Test
    void anIdOfTheFutureIsRefusedSinceHorizonsWouldRiseAndNothingIsChanged() throws SQLException {
        execute("UPDATE idgen_worker SET horizon = 4000000000000 WHERE worker_id = 7");
        long foreign = LAYOUT.compose(new SnowflakeParts(Instant.parse("2092-01-01T00:00:00Z"), 3, 4, 5));
        execute("INSERT INTO orders VALUES (" + foreign + ")");
        List<String> before = state();

        for (Repair each : List.of(repair, repair.dryRun())) {
            AllocationException e =
                    assertThrows(AllocationException.class, () -> each.lowerHorizons("default", LAYOUT, "orders.id"));
            assertThat(e.code()).isEqualTo(ErrorCode.HORIZON_FAR);
            assertThat(e)
                    .hasMessageContaining("the largest id in orders.id, " + foreign + ", has the time 2092-01-01")
                    .hasMessageContaining("nothing was changed");
        }
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void columnsWithoutIdsShowNoHorizonAndNothingIsChanged() throws SQLException {
        execute("UPDATE idgen_worker SET horizon = 4000000000000 WHERE worker_id = 7");
        execute("CREATE TABLE order_lines (id BIGINT NOT NULL)");
        List<String> before = state();

        AllocationException e = assertThrows(
                AllocationException.class,
                () -> repair.lowerHorizons("default", LAYOUT, "orders.id", "order_lines.id"));

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e).hasMessageContaining("there is no id in [orders.id, order_lines.id]");
        assertThat(state()).isEqualTo(before);
        execute("INSERT INTO order_lines VALUES (1)");
        assertThat(repair.lowerHorizons("default", LAYOUT, "orders.id", "order_lines.id")
                        .changes())
                .hasSize(1);
    }

    private IdSources reserving() {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
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
                .acquireTimeout(Duration.ofMillis(300), Duration.ofMinutes(1))
                .build();
    }

    @Test
    void aReservationIsEndedOnceItsProcessIsGoneAndLeasesBeginAboveIt() throws Exception {
        try (IdSources sources = reserving();
                SnowflakeBackfill backfill = sources.backfill("orders").after(0).open()) {
            backfill.idAt(Instant.now());
            AllocationException e = assertThrows(AllocationException.class, () -> repair.unreserve("default", 4, 5));
            assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(e)
                    .hasMessageContaining("worker id 5 of namespace 'default' in idgen_worker is reserved by a process")
                    .hasMessageContaining(ProcessHandle.current().pid() + "@");
        }
        try (Snowflake refused = leasing()) {
            Await.failure(ErrorCode.WORKER_IDS_TAKEN.code(), refused::nextId);
        }
        Instant before = Instant.now();

        assertThat(repair.unreserve("default", 4, 5).changes())
                .singleElement()
                .extracting(RepairReport.Change::row)
                .isEqualTo("default, worker id 5");
        assertThat(repair.unreserve("default", 5)).hasToString("repaired nothing");

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

    /**
     * The holder had a lease of ten minutes and a clock that was five minutes ahead, and was killed just now: its last
     * id is nearly five minutes ahead of the database's time. An early version wrote no hyphen, and no time ahead.
     */
    @ParameterizedTest
    @CsvSource({"process-1-a, 300", "0123456789abcdef, -300"})
    void aReservationWithALongLeaseEndsAboveTheIdsOfAHolderWhoseClockWasAhead(String token, long horizonSeconds)
            throws SQLException {
        long now = System.currentTimeMillis();
        long lastId = now + 298_000;
        long horizon = now + horizonSeconds * 1_000;
        execute("UPDATE idgen_worker SET owner_token = 'reserved:" + token + "', lease_until = "
                + (WorkerRows.ENDLESS + now - 1) + ", horizon = " + horizon + " WHERE worker_id = 5");

        repair.unreserve("default", 5);

        assertThat(Sql.number(database.dataSource(), "SELECT horizon FROM idgen_worker WHERE worker_id = 5"))
                .isGreaterThan(lastId);
        if (horizon < now) {
            long withoutTheLease = now + 185_000 + Math.max(0, horizon - now);
            assertThat(withoutTheLease).as("control: the former formula").isLessThan(lastId);
        }
    }

    @Test
    void aRepairLeavesReservationsAndWaitsForTheirProcesses() throws Exception {
        try (IdSources sources = reserving();
                SnowflakeBackfill backfill = sources.backfill("orders").after(0).open()) {
            backfill.idAt(Instant.now());
            assertThat(assertThrows(AllocationException.class, repair::afterRestore))
                    .hasMessageContaining("1 worker ids in idgen_worker are leased or held: worker id 5 of");
        }

        repair.afterRestore();

        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT owner_token, lease_until, server_id FROM idgen_worker WHERE lease_until > 0"))
                .containsExactly("reserved | " + WorkerRows.ENDLESS + " | null");
    }

    @Test
    void theRowOfTheLayoutIsLeftAlone() throws SQLException {
        execute("INSERT INTO orders VALUES (1)");
        repair.afterRestore();
        repair.lowerHorizons("default", LAYOUT, "orders.id");

        assertThat(Sql.rows(
                        database.dataSource(),
                        "SELECT layout, fence, lease_until, horizon FROM idgen_worker WHERE worker_id < 0"))
                .containsExactly(LAYOUT + " | 0 | 0 | 0");
    }

    @Test
    void aNamespaceWithoutRowsIsARefusal() throws SQLException {
        execute("INSERT INTO orders VALUES (1)");
        assertThat(assertThrows(AllocationException.class, () -> repair.lowerHorizons("other", LAYOUT, "orders.id"))
                        .code())
                .isEqualTo(ErrorCode.LAYOUT_MISMATCH);
    }

    @Test
    void aTableThatIsMissingIsLeftOutAndWithoutAnyTheRepairIsRefused() throws SQLException {
        draw(1);
        execute("INSERT INTO orders VALUES (1)");
        execute("DROP TABLE idgen_segment");
        execute("DROP TABLE idgen_worker");
        execute("DROP TABLE idgen_stepped");

        assertThat(Repair.of(tables.withColumn("orders", "orders.id"))
                        .afterRestore()
                        .changes())
                .extracting(RepairReport.Change::place)
                .containsExactly("idgen_sequence");
        AllocationException e = assertThrows(
                AllocationException.class,
                () -> Repair.of(tables.withPrefix("other_")).afterRestore());
        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(e).hasMessageContaining("none of idgen's tables exists with the prefix other_");
        assertThat(assertThrows(AllocationException.class, () -> repair.lowerHorizons("default", LAYOUT, "orders.id")))
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

        // earlier grants of such a row are unknown, so it is advanced by a window before it is leased
        assertThat(rows).isNotEmpty().allMatch(row -> row.sameServer() == inMemory);
    }

    private static final SnowflakeLayout EARLIER = LAYOUT.withEpoch(Instant.parse("2020-01-01T00:00:00Z"));

    @Test
    void aLayoutChangesInOneStepWhenAllIsQuietAndItsIdsLieAboveTheOldOnes() throws Exception {
        SnowflakeLayout later = LAYOUT.withEpoch(Instant.parse("2025-01-01T00:00:00Z"));
        assertThat(assertThrows(AllocationException.class, () -> repair.changeLayout("default", LAYOUT, later)))
                .hasMessageContaining("below those of");
        assertThat(assertThrows(AllocationException.class, () -> repair.changeLayout("default", EARLIER, LAYOUT))
                        .code())
                .isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        try (Snowflake snowflake = snowflake()) {
            snowflake.nextId();
            refuseUse();
            Await.closed(snowflake);
        }
        execute("UPDATE idgen_worker SET horizon = 0");
        for (SnowflakeLayout to : List.of(EARLIER, SnowflakeLayout.parse("41-6-6-10"))) {
            assertThat(repair.dryRun().changeLayout("default", LAYOUT, to).changes())
                    .hasSize(1);
        }
        assertThat(layouts()).containsExactly(LAYOUT + " | 1025");

        assertThat(repair.changeLayout("default", LAYOUT, EARLIER).toString())
                .startsWith(
                        "repaired idgen_worker default, 1024 worker ids: layout " + LAYOUT + " -> layout " + EARLIER);

        assertThat(layouts()).containsExactly(EARLIER + " | 1025");
        assertThat(assertThrows(AllocationException.class, this::firstId).code())
                .isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        try (Snowflake snowflake = Snowflake.builder()
                .layout(EARLIER)
                .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                .build()) {
            snowflake.nextId();
        }
    }

    @Test
    void aChangeOfTheLayoutWritesItsRowIfAnOperatorHasDeletedIt() throws SQLException {
        execute("DELETE FROM idgen_worker WHERE worker_id < 0");
        execute("UPDATE idgen_worker SET longest_window = 5000, generation = 3 WHERE worker_id = 7");

        repair.changeLayout("default", LAYOUT, EARLIER);

        assertThat(layouts()).containsExactly(EARLIER + " | 1025");
        assertThat(Sql.number(
                        database.dataSource(),
                        "SELECT COUNT(*) FROM idgen_worker WHERE worker_id < 0 AND longest_window = 5000"
                                + " AND generation = 3 AND horizon = (SELECT MIN(horizon) FROM idgen_worker)"
                                + " AND horizon > 0"))
                .isEqualTo(1);
    }

    private List<String> layouts() throws SQLException {
        return Sql.rows(
                database.dataSource(),
                "SELECT layout, COUNT(*) FROM idgen_worker WHERE namespace = 'default' GROUP BY layout");
    }

    /** Both repairs that need an unused namespace are refused, and change nothing. */
    private AllocationException refuseUse() throws SQLException {
        List<String> before = state();
        AllocationException e =
                assertThrows(AllocationException.class, () -> repair.changeLayout("default", LAYOUT, EARLIER));
        assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
        assertThat(assertThrows(AllocationException.class, () -> repair.removeNamespace("default")))
                .hasMessage(e.getMessage());
        assertThat(assertThrows(AllocationException.class, () -> repair.dryRun().removeNamespace("default")))
                .hasMessage(e.getMessage());
        assertThat(state().subList(0, 1025)).hasSameSizeAs(before.subList(0, 1025));
        assertThat(layouts()).containsExactly(LAYOUT + " | 1025");
        return e;
    }

    @Test
    void aNamespaceWhoseLeaseIsAliveIsInUseThoughItsHorizonHasPassed() throws SQLException {
        execute("UPDATE idgen_worker SET owner_token = 'x', owner_info = '17@web-3', lease_until = 4000000000000"
                + " WHERE worker_id = 7");

        assertThat(refuseUse()).hasMessageContaining("1 worker ids in idgen_worker are leased or held: worker id 7 ");
    }

    @Test
    void aNamespaceWithAHorizonInTheFutureIsInUseThoughItsLeaseIsOver() throws SQLException {
        execute("UPDATE idgen_worker SET horizon = 4000000000000 WHERE worker_id = 7");

        assertThat(refuseUse())
                .hasMessageContaining(
                        "1 worker ids of namespace 'default' in idgen_worker have a horizon in the future")
                .hasMessageContaining("wait until 2096-10-02T07:06:40Z (4000000000000)");
    }

    @Test
    void aNamespaceWithAReservationIsInUse() throws SQLException {
        execute("UPDATE idgen_worker SET owner_token = 'reserved', lease_until = " + WorkerRows.ENDLESS
                + " WHERE worker_id = 5");

        assertThat(refuseUse()).hasMessageContaining("are reserved, for example worker id 5; end the reservations");
    }

    @Test
    void aMisspeltNamespaceIsRemovedWithAllItsRowsAndNoOther() throws SQLException {
        Terms misspelt = Leases.terms("ordres", 0, 1024);
        new JdbcWorkerIds(database.dataSource()).candidates(misspelt, null);
        List<String> before = layouts();
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'ordres'"))
                .isEqualTo(1025);

        assertThat(repair.dryRun().removeNamespace("ordres").toString())
                .startsWith("dry run, would repair idgen_worker ordres, 1024 worker ids: layout " + LAYOUT);
        assertThat(repair.removeNamespace("ordres").toString())
                .isEqualTo("repaired idgen_worker ordres, 1024 worker ids: layout " + LAYOUT
                        + ", horizons up to 1970-01-01T00:00:00Z (0) -> removed");

        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'ordres'"))
                .isZero();
        assertThat(layouts()).isEqualTo(before);
        assertThat(assertThrows(IllegalArgumentException.class, () -> repair.removeNamespace("ordres")))
                .hasMessage("there is no namespace 'ordres' in idgen_worker, which has 'default'; correct the name");
        assertThat(new JdbcWorkerIds(database.dataSource())
                        .candidates(misspelt, null)
                        .rows())
                .as("created again, it begins a window ahead")
                .allMatch(row -> row.sameServer() == new IdgenSchema(database.dataSource()).isInMemory());
    }
}
