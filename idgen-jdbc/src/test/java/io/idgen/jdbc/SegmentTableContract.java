package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.Segment;
import io.idgen.core.SegmentAllocator;
import io.idgen.core.contract.Together;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link SegmentTable} promises beyond every allocator: starts, limits, and what its table is told. */
abstract class SegmentTableContract extends SegmentAllocatorContract {
    private static final long INT_LIMIT = 2_147_483_648L;

    @Override
    final void prepare(DataSource dataSource) {
        new IdgenSchema(dataSource).create();
    }

    @Override
    final SegmentAllocator allocator(DataSource dataSource) {
        return new SegmentTable(dataSource).startingAt(1);
    }

    @Override
    final void breakTables(DataSource dataSource) {
        new IdgenSchema(dataSource).drop();
    }

    @Override
    final long rowsOf(String name) throws SQLException {
        return Sql.number(dataSource(), "SELECT COUNT(*) FROM idgen_segment WHERE biz_tag = '" + name + "'");
    }

    private SegmentTable table() {
        return new SegmentTable(dataSource());
    }

    private void row(String name, long maxId) throws SQLException {
        Sql.execute(
                dataSource(),
                "INSERT INTO idgen_segment (biz_tag, max_id, step) VALUES ('" + name + "', " + maxId + ", 100)");
    }

    private AllocationException refusal(SegmentAllocator allocator) {
        return assertThrows(AllocationException.class, () -> allocator.allocate("orders", 10));
    }

    @Test
    void aRowThatIsThereIsContinuedWhateverTheStartSays() throws SQLException {
        row("orders", 500);

        assertThat(table().startingAt(1).allocate("orders", 10)).isEqualTo(new Segment(500, 10, 1));
        assertThat(table().startingAt(9_000).allocate("orders", 10)).isEqualTo(new Segment(510, 10, 1));
        assertThat(table().allocate("orders", 10)).isEqualTo(new Segment(520, 10, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5})
    void aRowThatStandsBelowTheFirstIdIsRefusedAndLeftAlone(long maxId) throws SQLException {
        row("orders", maxId);

        AllocationException e = refusal(table().startingAt(1));

        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ROW);
        assertThat(e).hasMessageContaining("max_id of 'orders' in idgen_segment is " + maxId);
        assertThat(Sql.number(dataSource(), "SELECT max_id FROM idgen_segment")).isEqualTo(maxId);
    }

    @Test
    void aServerOfLeafOnTheSameRowGetsOtherIds() throws SQLException {
        row("orders", 1);

        assertThat(table().allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
        // Leaf's IDAllocMapper: it then owns [max_id - step, max_id), here 11 to 110
        Sql.execute(dataSource(), "UPDATE idgen_segment SET max_id = max_id + step WHERE biz_tag = 'orders'");
        assertThat(table().allocate("orders", 10)).isEqualTo(new Segment(111, 10, 1));
    }

    @Test
    void aNameWithoutRowAndStartIsRefusedWithTheSettingThatIsMissing() throws SQLException {
        AllocationException e = refusal(table());

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e)
                .hasMessageContaining("no row for 'orders' in idgen_segment and no start given")
                .hasMessageContaining("idgen.sources.orders.start")
                .hasMessageContaining(".adopt=table.column");
        assertThat(rowsOf("orders")).isZero();
    }

    @Test
    void aNewNameBeginsAtItsStart() throws SQLException {
        assertThat(table().startingAt(48_212).allocate("orders", 10)).isEqualTo(new Segment(48_212, 10, 1));
        assertThat(Sql.number(dataSource(), "SELECT max_id FROM idgen_segment")).isEqualTo(48_222);
    }

    @Test
    void aNewNameBeginsAboveTheColumnItAdopts() throws SQLException {
        orders("id BIGINT", "3", "48211", "17");

        assertThat(table().adopting("orders.id").allocate("orders", 10)).isEqualTo(new Segment(48_212, 10, 1));
        assertThat(table().adopting("orders.id").allocate("orders", 10)).isEqualTo(new Segment(48_222, 10, 1));
    }

    @ParameterizedTest
    @CsvSource({"id BIGINT,", "id BIGINT, -7", "id INT, 0"})
    void aNewNameThatAdoptsAnEmptyOrNotPositiveColumnBeginsAtOne(String column, String id) throws SQLException {
        if (id == null) {
            orders(column);
        } else {
            orders(column, id);
        }

        assertThat(table().adopting("orders.id").allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
    }

    @Test
    void ofStartAndAdoptedColumnTheLargerWins() throws SQLException {
        orders("id BIGINT", "700");

        SegmentTable adopting = table().adopting("orders.id");
        assertThat(adopting.startingAt(1_000).allocate("a", 10).first()).isEqualTo(1_000);
        assertThat(adopting.startingAt(701).allocate("b", 10).first()).isEqualTo(701);
        assertThat(adopting.startingAt(20).allocate("c", 10).first()).isEqualTo(701);
    }

    @Test
    void ofSeveralAdoptedColumnsTheLargestWins() throws SQLException {
        orders("id BIGINT", "700");
        Sql.execute(dataSource(), "CREATE TABLE items (id INT)");
        Sql.execute(dataSource(), "INSERT INTO items VALUES (800)");
        Sql.execute(dataSource(), "CREATE TABLE nothing (id INT)");

        SegmentTable three = table().adopting("items.id").adopting("orders.id").adopting("nothing.id");
        assertThat(three.allocate("orders", 10)).isEqualTo(new Segment(801, 10, 1));
    }

    @Test
    void anAdoptedColumnMayBeQuotedAndHaveASchema() throws SQLException {
        Sql.execute(dataSource(), "CREATE SCHEMA shop");
        Sql.execute(dataSource(), "CREATE TABLE shop.\"Order Items\" (\"The Id\" BIGINT)");
        Sql.execute(dataSource(), "INSERT INTO shop.\"Order Items\" VALUES (99)");

        assertThat(table().adopting("shop.\"Order Items\".\"The Id\"").allocate("orders", 10))
                .isEqualTo(new Segment(100, 10, 1));
    }

    @Test
    void sixteenThreadsThatAdoptOneColumnGetDisjointSegmentsAboveIt() throws Exception {
        orders("id BIGINT", "1000");

        List<Segment> drawn =
                Together.run(16, thread -> table().adopting("orders.id").allocate("orders", 10));

        assertDisjoint(List.of(drawn));
        assertThat(drawn).extracting(Segment::first).contains(1_001L).allMatch(first -> first > 1_000);
        assertThat(rowsOf("orders")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        Long.MAX_VALUE + ", " + Long.MAX_VALUE,
        (Long.MAX_VALUE - 1) + ", " + Long.MAX_VALUE,
        Integer.MAX_VALUE + ", " + INT_LIMIT,
        "5000000000, " + INT_LIMIT
    })
    void aColumnThatHoldsTheLastIdLeavesNoneToGive(long largest, long limit) throws SQLException {
        orders("id BIGINT", Long.toString(largest));

        AllocationException e = refusal(table().adopting("orders.id").below(limit));

        assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(e).hasMessageContaining("orders.id holds " + largest).hasMessageContaining("below " + limit);
    }

    @Test
    void aColumnThatHoldsTheLastIdButOneLeavesTheLast() throws SQLException {
        orders("id INT", Integer.toString(Integer.MAX_VALUE - 1));

        assertThat(table().adopting("orders.id").below(INT_LIMIT).allocate("orders", 10))
                .isEqualTo(new Segment(Integer.MAX_VALUE, 1, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing.id", "orders.missing"})
    void aColumnThatCannotBeReadIsRefusedAndNotTakenForTheSegmentTable(String column) throws SQLException {
        orders("id BIGINT", "700");

        AllocationException e = refusal(table().adopting(column));

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e)
                .hasMessageContaining("cannot read the largest value of " + column)
                .message()
                .doesNotContain("CREATE TABLE");
        assertThat(rowsOf("orders")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "orders.id; DROP TABLE idgen_segment", "(SELECT 1).id", "a.b.c.d.e", ""})
    void whatIsNoNameOfAColumnIsNotAdopted(String column) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> table().adopting(column)))
                .hasMessageContaining("2 to 4 identifiers")
                .hasMessageContaining("got '" + column + "'");
    }

    @Test
    void theLastSegmentBelowTheLimitShrinksAndThenThereAreNoMore() throws SQLException {
        SegmentTable below = table().startingAt(1).below(25);

        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(21, 4, 1));
        for (int i = 0; i < 3; i++) {
            AllocationException e = refusal(below);
            assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
            assertThat(e)
                    .hasMessageContaining("all ids of 'orders' below 25 are given out")
                    .hasMessageContaining("idgen_segment.max_id is 25")
                    .hasMessageContaining("idgen.sources.orders.limit");
        }
        assertThat(Sql.number(dataSource(), "SELECT max_id FROM idgen_segment")).isEqualTo(25);
    }

    @Test
    void aRaisedLimitGoesOnWhereTheLowerOneEnded() {
        SegmentTable table = table().startingAt(1);
        assertThat(table.below(5).allocate("orders", 10)).isEqualTo(new Segment(1, 4, 1));

        assertThat(table.below(100).allocate("orders", 10)).isEqualTo(new Segment(5, 10, 1));
    }

    @Test
    void theVeryLastIdOfAnIntColumnIsGiven() throws SQLException {
        row("orders", INT_LIMIT - 7);
        SegmentTable below = table().below(INT_LIMIT);

        assertThat(below.allocate("orders", 5).last()).isEqualTo(Integer.MAX_VALUE - 2);
        assertThat(below.allocate("orders", 5)).isEqualTo(new Segment(Integer.MAX_VALUE - 1L, 2, 1));
        assertThat(refusal(below).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
    }

    @Test
    void allIdsOfAnIntColumnCanBeWantedAtOnce() {
        assertThat(table().startingAt(1).below(INT_LIMIT).allocate("orders", Integer.MAX_VALUE))
                .isEqualTo(new Segment(1, Integer.MAX_VALUE, 1));
    }

    @Test
    void withoutALimitTheLastIdIsOneBelowTheLargestLong() throws SQLException {
        row("orders", Long.MAX_VALUE - 3);

        assertThat(table().allocate("orders", 10)).isEqualTo(new Segment(Long.MAX_VALUE - 3, 3, 1));
        assertThat(refusal(table()).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
    }

    @ParameterizedTest
    @ValueSource(longs = {25, 26, Long.MAX_VALUE})
    void aRowAtOrBeyondTheLimitGivesNothing(long maxId) throws SQLException {
        row("orders", maxId);

        assertThat(refusal(table().below(25)).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(Sql.number(dataSource(), "SELECT max_id FROM idgen_segment")).isEqualTo(maxId);
    }

    @Test
    void aStartAtTheLimitGivesNothing() {
        assertThat(refusal(table().startingAt(25).below(25)).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
    }

    @Test
    void wantingMoreThanThereAreBelowTheLimitGivesThemAll() {
        assertThat(table().startingAt(1).below(2).allocate("orders", 1_000)).isEqualTo(new Segment(1, 1, 1));
    }

    @Test
    void eightThreadsThatRunIntoTheLimitShareAllIdsBelowIt() throws Exception {
        SegmentTable below = table().startingAt(1).below(1_000);

        List<List<Segment>> drawn = Together.run(8, thread -> {
            List<Segment> mine = new ArrayList<>();
            while (mine.size() < 1_000) {
                try {
                    mine.add(below.allocate("orders", 7));
                } catch (AllocationException e) {
                    assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
                    return mine;
                }
            }
            return fail("1,000 segments and no end");
        });

        assertDisjoint(drawn);
        assertThat(drawn.stream()
                        .flatMap(List::stream)
                        .mapToLong(Segment::count)
                        .sum())
                .isEqualTo(999);
    }

    @Test
    void aMissingTableIsNamedWithTheStatementThatMakesIt() throws Exception {
        breakTables(dataSource());

        AllocationException e = refusal(table().startingAt(1));

        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(e)
                .hasMessageContaining(resource("/idgen/schema/" + folder() + "/create.sql"))
                .hasMessageContaining("db/idgen/" + folder())
                .hasMessageContaining("idgen.jdbc.initialize-schema=always");
        assertThat(Objects.requireNonNull(e.getMessage()).toLowerCase()).contains("idgen_segment");
        prepare(dataSource());
        assertThat(table().startingAt(1).allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
    }

    @Test
    void theStatementForAMissingTableOfAnotherNameMakesThatTable() throws SQLException {
        AllocationException e = refusal(table().inTable("other_table").startingAt(1));
        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        String message = Objects.requireNonNull(e.getMessage());

        Sql.execute(dataSource(), message.substring(message.indexOf("CREATE TABLE")));

        assertThat(table().inTable("other_table").startingAt(1).allocate("orders", 10))
                .isEqualTo(new Segment(1, 10, 1));
    }

    @Test
    void tablesOfOtherNamesAreTables() throws SQLException {
        Sql.execute(dataSource(), "CREATE SCHEMA ids");
        for (String name : List.of("leaf_alloc", "ids.leaf_alloc", "\"Leaf Alloc\"", "ids.\"order\"")) {
            Sql.execute(
                    dataSource(),
                    "CREATE TABLE " + name
                            + " (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)");
            SegmentTable table = table().inTable(name).startingAt(7);

            assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(7, 10, 1));
            assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(17, 10, 1));
            assertThat(Sql.number(dataSource(), "SELECT max_id FROM " + name)).isEqualTo(27);
        }
        assertThat(Sql.number(dataSource(), "SELECT COUNT(*) FROM idgen_segment"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x; drop table y", "a b", "\"a", "a--", "a.b.c.d", "", "idgen_segment WHERE 1=1", "a'"})
    void whatIsNoNameOfATableIsRefused(String name) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> table().inTable(name)))
                .hasMessageContaining("1 to 3 identifiers")
                .hasMessageContaining("got '" + name + "'");
    }

    @Test
    void aRowThatTheTableRefusesIsReportedWithTheDatabasesReason() throws SQLException {
        Sql.execute(
                dataSource(),
                "CREATE TABLE owned (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL,"
                        + " the_owner VARCHAR(20) NOT NULL)");

        AllocationException e = refusal(table().inTable("owned").startingAt(1));

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(Objects.requireNonNull(e.getMessage()).toLowerCase()).contains("the_owner");
    }

    @Test
    void aSettingMakesAnotherAllocatorAndLeavesTheFirstAsItWas() throws SQLException {
        SegmentTable plain = table();
        SegmentTable starting = plain.startingAt(5);
        starting.below(6)
                .withTimeout(Duration.ofSeconds(1))
                .adopting("orders.id")
                .inTable("elsewhere");

        assertThat(refusal(plain).code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(starting.allocate("orders", 10)).isEqualTo(new Segment(5, 10, 1));
    }

    @Test
    void theTimeoutCanBeSet() throws SQLException {
        try (KeptConnection kept = new KeptConnection(dataSource(), true, Connection.TRANSACTION_READ_COMMITTED, 0)) {
            row("orders", 1);
            new SegmentTable(kept.dataSource())
                    .withTimeout(Duration.ofMillis(1_234))
                    .allocate("orders", 10);

            assertThat(kept.networkTimeouts()).containsExactly(1_234, 0);
        }
    }

    @Test
    void valuesThatCannotBeRightAreRefusedAtOnce() {
        assertThat(assertThrows(IllegalArgumentException.class, () -> table().startingAt(0)))
                .hasMessage("a start is above 0, got 0");
        assertThat(assertThrows(IllegalArgumentException.class, () -> table().below(1)))
                .hasMessage("a limit is above 1, got 1");
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(25))) {
            assertThat(assertThrows(IllegalArgumentException.class, () -> table().withTimeout(timeout)))
                    .hasMessage("a timeout is 1 ms to 24 days, got " + timeout);
        }
    }

    private void orders(String column, String... ids) throws SQLException {
        Sql.execute(dataSource(), "CREATE TABLE orders (" + column + ")");
        for (String id : ids) {
            Sql.execute(dataSource(), "INSERT INTO orders VALUES (" + id + ")");
        }
    }

    private String folder() {
        return kind().name().toLowerCase();
    }

    private static String resource(String path) throws Exception {
        try (var in = Objects.requireNonNull(IdgenSchema.class.getResourceAsStream(path))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
