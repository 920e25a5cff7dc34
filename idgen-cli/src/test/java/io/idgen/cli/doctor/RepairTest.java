package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.Counters;
import io.idgen.jdbc.JdbcWorkerIds;
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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Repairs by an operator after a restore, a truncation, a copy, a wrong clock, and a change of the layout. */
@ParameterizedClass
@EachDatabase
@Tag("matrix")
class RepairTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;

    private final TestDatabase kind;

    @AutoClose
    private Database database;

    private KnownTables tables;
    private Repair repair;

    RepairTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() throws SQLException {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        tables = new KnownTables(database.dataSource());
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

    private static final LeaseTerms TERMS = Leases.terms(1024);

    private List<LeaseStore.Row> candidates() {
        return new JdbcWorkerIds(database.dataSource()).candidates(TERMS, null).rows();
    }

    @Test
    void afterARestoreEachRowIsAdvancedBeyondAWindowBeforeItIsLeased() {
        assertThat(candidates()).as("control: without a repair").isNotEmpty().allMatch(LeaseStore.Row::sameServer);
        Instant before = Instant.now();

        RepairReport report = repair.afterRestore("default");

        assertThat(candidates()).isNotEmpty().noneMatch(LeaseStore.Row::sameServer);
        assertThat(report.changes()).singleElement().satisfies(change -> {
            assertThat(change.row()).isEqualTo("default, 1024 worker ids");
            assertThat(change.before()).isEqualTo("horizons up to 1970-01-01T00:00:00Z (0)");
            Matcher begin =
                    Pattern.compile("ids begin at (\\S+) \\(\\d+\\) or later").matcher(change.after());
            assertThat(begin.find()).isTrue();
            assertThat(Instant.parse(begin.group(1))).isAfter(before.plusSeconds(184));
        });
    }

    /** Draws from a counter, and from one whose instance has every third id. Each call is a process that has just started. */
    private List<Long> draw(int times) {
        Counters counters =
                new Counters(database.dataSource()).withReach(10_000).startingAt(1);
        return List.of(last(counters, "orders", times), last(counters.instance(2, 3), "parts", times));
    }

    private static long last(Counters counters, String name, int times) {
        long first = 0;
        for (int i = 0; i < times; i++) {
            first = counters.allocate(name, 1).first();
        }
        return first;
    }

    /** Returns the next ids of both counters. */
    private List<Long> rows() throws SQLException {
        return Sql.rows(database.dataSource(), "SELECT next_id FROM idgen_counter ORDER BY name").stream()
                .map(Long::valueOf)
                .toList();
    }

    private void restore(List<Long> rows) throws SQLException {
        execute("UPDATE idgen_counter SET next_id = CASE WHEN name = 'orders' THEN " + rows.get(0) + " ELSE "
                + rows.get(1) + " END");
    }

    @Test
    void afterARestoreEachCounterBeginsAboveAllThatItGrantedSinceTheBackup() throws SQLException {
        draw(1);
        Instant backup = Instant.now().minusSeconds(1);
        List<Long> rows = rows();
        List<Long> last = draw(20);
        restore(rows);
        List<Long> repeated = draw(1);
        restore(rows);

        RepairReport report = Repair.of(tables.restoredFrom(backup)).afterRestore("default");

        List<Long> next = draw(1);
        for (int i = 0; i < last.size(); i++) {
            assertThat(repeated.get(i)).as("control: without a repair").isLessThanOrEqualTo(last.get(i));
            assertThat(next.get(i)).isGreaterThan(last.get(i));
        }
        assertThat(report.toString())
                .startsWith("repaired idgen_worker default, 1024 worker ids: ")
                .contains("; idgen_counter orders: " + rows.get(0) + " -> " + (rows.get(0) + 60_000))
                .endsWith("; idgen_counter parts: " + rows.get(1) + " -> " + (rows.get(1) + 180_000))
                .doesNotContain("\n");
    }

    @Test
    void afterARestoreEachCounterBeginsAboveWhatServersThatTookOverSinceTheBackupHaveSkipped() throws SQLException {
        draw(1);
        Instant backup = Instant.now().minusSeconds(1);
        List<Long> rows = rows();
        execute("UPDATE idgen_counter SET server_id = 'the primary before'");
        List<Long> last = draw(20);
        restore(rows);

        Repair.of(tables.restoredFrom(backup)).afterRestore("default");

        List<Long> next = draw(1);
        for (int i = 0; i < last.size(); i++) {
            assertThat(next.get(i)).isGreaterThan(last.get(i));
        }
    }

    @Test
    void anOlderBackupSkipsThreeTimesTheReachForEachTenMinutesSince() throws SQLException {
        draw(1);
        long before = rows().get(0);

        Repair.of(tables.restoredFrom(Instant.now().minus(Duration.ofDays(1)))).afterRestore("default");

        // 144 windows of ten minutes, one for clock steps, and the current one
        assertThat(rows().get(0)).isEqualTo(before + 146 * 3 * 10_000);
        Instant future = Instant.now().plus(Duration.ofDays(1));
        assertThat(assertThrows(
                        IllegalArgumentException.class,
                        () -> Repair.of(tables.restoredFrom(future)).afterRestore("default")))
                .hasMessageContaining("lies in the future: the database's time is 20");
    }

    @Test
    void afterAPromotionAllBeginsAboveWhatThisServerMayLackAndProcessesMayRun() throws SQLException {
        draw(1);
        List<Long> rows = rows();
        try (Snowflake running = snowflake()) {
            running.nextId();
            execute("UPDATE idgen_worker SET server_id = 'x' WHERE server_id IS NOT NULL");
            List<String> before = state();
            assertThat(repair.dryRun().afterPromotion().changes()).hasSize(3);
            assertThat(state()).as("after a dry run").isEqualTo(before);

            assertThat(repair.afterPromotion().toString())
                    .startsWith("repaired idgen_worker default, 1024 worker ids: horizons up to ")
                    .contains("; idgen_counter orders: " + rows.get(0) + " -> " + rows.get(0)
                            + " without a server; the next ids begin at " + (rows.get(0) + 20_000));
        }
        assertThat(repair.afterPromotion()).as("a second call").hasToString("repaired nothing");
        assertThat(candidates()).isNotEmpty().noneMatch(LeaseStore.Row::sameServer);
        assertThat(draw(1)).containsExactly(rows.get(0) + 20_000, rows.get(1) + 60_000);
    }

    @Test
    void aCounterOfWhichNothingIsKnownIsRefusedAndNothingIsChanged() throws SQLException {
        draw(1);
        List<String> before = state();

        AllocationException e = assertThrows(AllocationException.class, () -> repair.afterRestore("default"));

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e)
                .hasMessageContaining("the ids of 'orders' in idgen_counter")
                .hasMessageContaining("the time of the backup is not given")
                .hasMessageContaining("--column orders=table.column");
        assertThat(state()).isEqualTo(before);
        execute("UPDATE idgen_counter SET reach = NULL");
        assertThat(assertThrows(
                        AllocationException.class,
                        () -> Repair.of(tables.restoredFrom(Instant.now())).afterRestore("default")))
                .hasMessageContaining("its row has no reach");
        assertThat(assertThrows(
                        AllocationException.class,
                        () -> Repair.of(tables.withColumn("order", "orders.id")).afterRestore("default")))
                .hasMessageContaining("no row for 'order' in idgen_counter; correct the name");
    }

    private List<String> state() throws SQLException {
        List<String> state = new ArrayList<>(Sql.rows(
                database.dataSource(),
                "SELECT worker_id, fence, horizon, lease_until, server_id FROM idgen_worker ORDER BY worker_id"));
        state.addAll(Sql.rows(
                database.dataSource(), "SELECT name, next_id, used, server_id FROM idgen_counter ORDER BY name"));
        return state;
    }

    @Test
    void aDryRunTellsWhatWouldChangeAndChangesNothing() throws SQLException {
        draw(1);
        List<String> before = state();
        Repair known = Repair.of(tables.withColumn("orders", "orders.id").withColumn("parts", "orders.id"));
        execute("INSERT INTO orders VALUES (5000)");

        RepairReport dry = known.dryRun().afterRestore("default");

        assertThat(state()).isEqualTo(before);
        assertThat(dry.toString()).startsWith("dry run, would repair idgen_worker default");
        List<RepairReport.Change> counters = dry.changes().subList(1, 3);
        assertThat(known.afterRestore("default").changes().subList(1, 3)).isEqualTo(counters);
        assertThat(counters).extracting(RepairReport.Change::after).containsExactly("5001", "5003");
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

        RepairReport report = repair.lowerHorizons("default", LAYOUT, 0, "orders.id");

        assertThat(Sql.rows(database.dataSource(), "SELECT DISTINCT horizon FROM idgen_worker WHERE worker_id >= 0"))
                .containsExactly(String.valueOf(
                        issued.truncatedTo(ChronoUnit.MILLIS).plusMillis(1).toEpochMilli()));
        assertThat(report.toString()).contains("horizons up to 2060-01-01T00:00:00Z (2840140800000) -> horizons at 20");
        assertThat(candidates()).as("fenced off before they are leased").noneMatch(LeaseStore.Row::sameServer);
    }

    @Test
    void columnsWithoutIdsShowNoHorizonAndNothingIsChanged() throws SQLException {
        execute("UPDATE idgen_worker SET horizon = 4000000000000 WHERE worker_id = 7");
        execute("CREATE TABLE order_lines (id BIGINT NOT NULL)");
        List<String> before = state();

        AllocationException e = assertThrows(
                AllocationException.class,
                () -> repair.lowerHorizons("default", LAYOUT, 0, "orders.id", "order_lines.id"));

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e).hasMessageContaining("there is no id in orders.id, order_lines.id");
        assertThat(state()).isEqualTo(before);
        execute("INSERT INTO order_lines VALUES (1)");
        assertThat(repair.lowerHorizons("default", LAYOUT, 0, "orders.id", "order_lines.id")
                        .changes())
                .hasSize(1);
    }

    @Test
    void aTableThatIsMissingIsLeftOutAndWithoutAnyTheRepairIsRefused() throws SQLException {
        draw(1);
        execute("INSERT INTO orders VALUES (1)");
        execute("DROP TABLE idgen_worker");

        assertThat(Repair.of(tables.withColumn("orders", "orders.id").withColumn("parts", "orders.id"))
                        .afterRestore("default")
                        .changes())
                .extracting(RepairReport.Change::place)
                .containsOnly("idgen_counter");
        AllocationException e = assertThrows(
                AllocationException.class,
                () -> Repair.of(tables.withPrefix("other_")).afterRestore("default"));
        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(e).hasMessageContaining("none of idgen's tables exists with the prefix other_");
        assertThat(assertThrows(
                        AllocationException.class, () -> repair.lowerHorizons("default", LAYOUT, 0, "orders.id")))
                .hasMessageMatching("(?s).*CREATE TABLE (IF NOT EXISTS )?idgen_worker.*");
    }

    /** Follows the layout in each row. */
    private static final String TIMES = ", lease 30 s, window 3 min, renewal 10 s";

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
        assertThat(layouts()).containsExactly(LAYOUT + TIMES + " | 1025");

        assertThat(repair.changeLayout("default", LAYOUT, EARLIER).toString())
                .startsWith(
                        "repaired idgen_worker default, 1024 worker ids: layout " + LAYOUT + " -> layout " + EARLIER);

        assertThat(layouts()).containsExactly(EARLIER + TIMES + " | 1025");
        assertThat(assertThrows(AllocationException.class, this::firstId).code())
                .isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        try (Snowflake snowflake = Snowflake.builder()
                .layout(EARLIER)
                .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                .build()) {
            snowflake.nextId();
        }
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
        assertThat(layouts()).containsExactly(LAYOUT + TIMES + " | 1025");
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
    void aMisspeltNamespaceIsRemovedWithAllItsRowsAndNoOther() throws SQLException {
        LeaseTerms misspelt = Leases.terms("ordres", 0, 1024);
        new JdbcWorkerIds(database.dataSource()).candidates(misspelt, null);
        List<String> before = layouts();
        assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM idgen_worker WHERE namespace = 'ordres'"))
                .isEqualTo(1025);

        assertThat(repair.dryRun().removeNamespace("ordres").toString())
                .startsWith("dry run, would repair idgen_worker ordres, 1024 worker ids: layout " + LAYOUT);
        assertThat(repair.removeNamespace("ordres").toString())
                .isEqualTo("repaired idgen_worker ordres, 1024 worker ids: layout " + LAYOUT + TIMES
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
