package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.testing.LogLines;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every {@link TableAllocator}, in addition to that of all allocators: rows, starts, limits, and names
 * of tables.
 */
abstract class TableAllocatorContract<T extends TableAllocator<T>> extends JdbcAllocatorContract {
    private static final long INT_LIMIT = 2_147_483_648L;
    private static final long REACH = 50;

    /** Creates an allocator for names that have a row. */
    abstract T table(DataSource dataSource);

    /** The table's name in the scripts. */
    abstract String tableName();

    abstract String nameColumn();

    abstract String nextColumn();

    /** Inserts a row like those that this allocator creates. */
    abstract void row(String name, long next) throws SQLException;

    final T table() {
        return table(dataSource());
    }

    @Override
    final void prepare(DataSource dataSource) {
        new IdgenSchema(dataSource).create();
    }

    @Override
    final void unprepare(DataSource dataSource) {
        new IdgenSchema(dataSource).drop();
    }

    @Override
    final SegmentAllocator allocator(DataSource dataSource, long limit) {
        return table(dataSource).startingAt(1).below(limit).withReach(1L << 40);
    }

    /** HSQLDB hides tables from users without grants, so the table is reported as missing. */
    @Override
    final ErrorCode withoutGrants() {
        return kind == TestDatabase.HSQLDB ? ErrorCode.TABLE_MISSING : ErrorCode.STATEMENT_REFUSED;
    }

    private long rowsOf(String name) throws SQLException {
        return Sql.number(
                dataSource(),
                "SELECT COUNT(*) FROM " + tableName() + " WHERE " + nameColumn() + " = '" + name.replace("'", "''")
                        + "'");
    }

    final long next() throws SQLException {
        return Sql.number(dataSource(), "SELECT " + nextColumn() + " FROM " + tableName());
    }

    /** Returns the segment that begins with the smallest id of this allocator that is not below {@code first}. */
    private Segment runFrom(long first) {
        return run(align(first), 10);
    }

    @Test
    void aNameIsAValueAndNeverSql() throws SQLException {
        SegmentAllocator allocator = allocator();
        String longest = "x".repeat(SegmentAllocator.MAX_NAME_LENGTH);
        for (String name :
                List.of("o'; DROP TABLE " + tableName() + "; --", "?", "größe 订单", "%", "Orders", "ORDERS", longest)) {
            Segment first = allocator.allocate(name, 7);
            assertThat(first).isEqualTo(firstRun(7));
            assertThat(allocator.allocate(name, 7)).isEqualTo(after(first, 7));
            assertThat(rowsOf(name)).isEqualTo(1);
        }
    }

    @Test
    void sixteenThreadsThatUseNewNamesFirstMakeOneRowOfEach() throws Exception {
        List<String> names = IntStream.range(0, 5).mapToObj(i -> "new-" + i).toList();

        List<List<Segment>> drawn = Together.run(16, thread -> {
            // as in a process of its own
            SegmentAllocator allocator = table().startingAt(1).withTimeout(Duration.ofMinutes(1));
            return names.stream().map(name -> allocator.allocate(name, 10)).toList();
        });

        for (int i = 0; i < names.size(); i++) {
            int index = i;
            List<Segment> ofOneName =
                    drawn.stream().map(segments -> segments.get(index)).toList();
            assertDisjoint(List.of(ofOneName));
            assertThat(ofOneName).hasSize(16).contains(firstRun(10));
            assertThat(rowsOf(names.get(i))).isEqualTo(1);
        }
    }

    @Test
    void aRowThatIsThereIsContinuedWhateverTheStartSays() throws SQLException {
        row("orders", align(500));

        Segment first = table().startingAt(1).allocate("orders", 10);
        Segment second = table().startingAt(9_000).allocate("orders", 10);
        assertThat(first).isEqualTo(runFrom(500));
        assertThat(second).isEqualTo(after(first, 10));
        assertThat(table().allocate("orders", 10)).isEqualTo(after(second, 10));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5})
    void aRowThatStandsBelowTheFirstIdIsRefusedAndLeftAlone(long next) throws SQLException {
        row("orders", next);

        AllocationException e = refusal(table().startingAt(1));

        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ROW);
        assertThat(e).hasMessageContaining(nextColumn() + " of 'orders' in " + tableName() + " is " + next);
        assertThat(next()).isEqualTo(next);
    }

    /** Returns the first id of the next segment if the row is first advanced by twice the reach. */
    private long raised(Segment before) {
        return align(before.last() + 1) + 2 * REACH * before.stride();
    }

    /** The control is a server with the same identity: it repeats the ids of the lost commits. */
    @Test
    void aServerThatTakesOverWithoutTheLastCommitsSkipsTwiceTheReachOnce() throws SQLException {
        Segment lost =
                table().startingAt(1).withReach(REACH).identifiedAs("old").allocate("orders", 10);
        setNext(align(1));
        assertThat(table().identifiedAs("old").allocate("orders", 10)).isEqualTo(lost);

        T other = table().identifiedAs("new");
        Segment first = other.allocate("orders", 10);
        assertThat(first.first()).isEqualTo(raised(lost));
        assertThat(other.allocate("orders", 10)).isEqualTo(after(first, 10));
        assertThat(table().identifiedAs("new").allocate("orders", 10)).isEqualTo(after(after(first, 10), 10));
    }

    @Test
    void aTakeoverIsLoggedOnceWithTheIdsThatAreSkipped() throws SQLException {
        table().startingAt(1).withReach(REACH).identifiedAs("old").allocate("orders", 10);
        long next = next();
        try (LogLines log = new LogLines(RowLift.class)) {
            T other = table().identifiedAs("new");
            Segment first = other.allocate("orders", 10);
            other.allocate("orders", 10);

            assertThat(log.lines())
                    .containsExactly("WARNING ids of 'orders' in " + tableName() + " go on at " + first.first()
                            + ": another server granted those below " + next + ", and this one may lack the last "
                            + (first.first() - next) + " of them");
        }
    }

    /** The name of the server at each takeover. Databases may compare or store some of them as if they were equal. */
    @Test
    void namesOfServersThatDifferInTheSlightestAreDifferentServers() {
        long reach = 1_000;
        Segment last =
                table().startingAt(1).withReach(reach).identifiedAs("Srv").allocate("orders", 10);
        for (String name : List.of("srv", "sRv", "cafe", "café", "主库", "备库", "??")) {
            T next = table().identifiedAs(name);
            Segment first = next.allocate("orders", 10);
            assertThat(first.first()).as(name).isEqualTo(align(last.last() + 1) + 2 * reach * last.stride());
            last = next.allocate("orders", 10);
            assertThat(last).as("control: the same name again").isEqualTo(after(first, 10));
        }
    }

    @Test
    void eightThreadsThatMeetATakeoverSkipTwiceTheReachOnce() throws Exception {
        Segment first =
                table().startingAt(1).withReach(10_000).identifiedAs("old").allocate("orders", 10);

        List<Segment> drawn =
                Together.run(8, thread -> table().identifiedAs("new").allocate("orders", 10));

        assertDisjoint(List.of(drawn));
        long raised = align(first.last() + 1) + 20_000L * first.stride();
        assertThat(drawn).allMatch(run -> run.first() >= raised).anyMatch(run -> run.first() == raised);
        assertThat(next())
                .isEqualTo(align(drawn.stream().mapToLong(Segment::last).max().orElseThrow() + 1));
    }

    @Test
    void noMoreIdsThanTheReachAreGrantedInOneWindow() throws SQLException {
        T table = table().startingAt(1).withReach(25);
        long granted = 0;
        Segment last = firstRun(10);
        while (granted < 25) {
            last = table.allocate("orders", 10);
            granted += last.count();
        }
        assertThat(granted).isEqualTo(25);
        AllocationException e = refusal(table);
        assertThat(e.code()).isEqualTo(ErrorCode.REACH_USED_UP);
        assertThat(e).hasMessageContaining("'orders' in " + tableName() + " has granted 25 ids in ten minutes");
        long used = Sql.number(dataSource(), "SELECT used FROM " + tableName());
        assertThat(used).isEqualTo(25);

        Sql.execute(dataSource(), "UPDATE " + tableName() + " SET win = 1"); // the window is over
        assertThat(table.allocate("orders", 10)).isEqualTo(after(last, 10));
        assertThat(Sql.number(dataSource(), "SELECT used FROM " + tableName())).isBetween(1L, 10L);
    }

    @Test
    void aRowThatWasMadeByHandBeginsWhereItStandsAndGetsAReach() throws SQLException {
        row("orders", align(7));

        assertThat(table().withReach(REACH).allocate("orders", 10)).isEqualTo(runFrom(7));
        assertThat(Sql.number(dataSource(), "SELECT reach FROM " + tableName() + " WHERE server_id IS NOT NULL"))
                .isEqualTo(REACH);
    }

    @Test
    void aRowWhoseServerIsForgottenCountsAsAnothersServers() throws SQLException {
        T table = table().startingAt(1).withReach(REACH);
        Segment first = table.allocate("orders", 10);
        Sql.execute(dataSource(), "UPDATE " + tableName() + " SET server_id = NULL");

        assertThat(table.allocate("orders", 10).first()).isEqualTo(raised(first));
    }

    @Test
    void aTakeoverThatCannotSkipTwiceTheReachBelowTheLimitIsRefusedAndLeftAlone() throws SQLException {
        table().startingAt(1).withReach(REACH).identifiedAs("old").allocate("orders", 10);
        long next = next();

        AllocationException e = refusal(table().identifiedAs("new").below(next + 2 * REACH - 1));
        assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(e).hasMessageContaining("another server granted").hasMessageContaining("twice the row's reach");
        assertThat(next()).isEqualTo(next);
    }

    /**
     * One of two processes notices the change, and the other one was granted higher ids. The control has just started,
     * and repeats ids.
     */
    @Test
    void aRowThatWasSetBackIsRaisedAboveWhatTheOtherProcessesWereGranted() throws SQLException {
        T table = table().startingAt(1).withReach(REACH);
        Segment first = table.allocate("orders", 10);
        Segment ofAnother = table().allocate("orders", 10);
        setNext(align(1));
        assertThat(table().allocate("orders", 10)).as("the control's ids").isEqualTo(first);
        setNext(align(1));

        try (LogLines log = new LogLines(RowLift.class)) {
            Segment next = table.allocate("orders", 10);
            assertThat(next.first()).isEqualTo(raised(first)).isGreaterThan(ofAnother.last());
            assertThat(table().allocate("orders", 10)).isEqualTo(after(next, 10));
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("SEVERE " + ErrorCode.SEGMENT_WENT_BACK.code() + " ")
                    .contains("ids go on at " + next.first() + ", twice the row's reach higher");
        }
    }

    @Test
    void aRowThatIsGoneIsNotCalledNewAndMadeAgain() throws SQLException {
        T table = table().startingAt(1);
        table.allocate("orders", 10);
        Sql.execute(dataSource(), "DELETE FROM " + tableName());

        assertThat(refusal(table).code()).isEqualTo(ErrorCode.SEGMENT_WENT_BACK);
        assertThat(rowsOf("orders")).isZero();
    }

    /** Leaf's table, for example. Its rows do not show how many ids other processes may have been granted. */
    @Test
    void inATableWithoutTheColumnsARowThatWasSetBackIsRefusedAndATakeoverGoesUnnoticed() throws SQLException {
        T bare = table().inTable("bare").startingAt(1);
        Sql.execute(dataSource(), statementIn(refusal(bare)).replaceAll("(?m)^ *(server_id|reach|win|used) .*\\R", ""));
        Segment first = bare.allocate("orders", 10);
        assertThat(bare.identifiedAs("new").allocate("orders", 10)).isEqualTo(after(first, 10));
        bare.allocate("orders", 10);
        long raisedTo = Sql.number(dataSource(), "SELECT " + nextColumn() + " FROM bare");
        Sql.execute(dataSource(), "UPDATE bare SET " + nextColumn() + " = " + align(1));

        AllocationException e = refusal(bare);
        assertThat(e.code()).isEqualTo(ErrorCode.SEGMENT_WENT_BACK);
        assertThat(e)
                .hasMessageContaining(nextColumn() + " of 'orders' in bare is " + align(1))
                .hasMessageContaining("has raised it to " + raisedTo)
                .hasMessageContaining("stop all writers");
        assertThat(Sql.number(dataSource(), "SELECT " + nextColumn() + " FROM bare"))
                .isEqualTo(align(1));
    }

    @Test
    void aRowThatOthersRaiseOrThatIsSetHigherIsFollowed() throws SQLException {
        T table = table().startingAt(1);
        table.allocate("orders", 10);
        Segment others = table().allocate("orders", 10);
        assertThat(table.allocate("orders", 10)).isEqualTo(after(others, 10));

        setNext(align(5_000));
        assertThat(table.allocate("orders", 10)).isEqualTo(runFrom(5_000));
    }

    private void setNext(long next) throws SQLException {
        Sql.execute(dataSource(), "UPDATE " + tableName() + " SET " + nextColumn() + " = " + next);
    }

    @Test
    void aNameWithoutRowAndStartIsRefusedWithTheSettingThatIsMissing() throws SQLException {
        AllocationException e = refusal(table());

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e)
                .hasMessageContaining("no row for 'orders' in " + tableName() + " and no start given")
                .hasMessageContaining("idgen.sources.orders.start")
                .hasMessageContaining(".adopt=table.column");
        assertThat(rowsOf("orders")).isZero();
    }

    @Test
    void aNewNameBeginsAtItsStart() throws SQLException {
        assertThat(table().startingAt(48_212).allocate("orders", 10)).isEqualTo(runFrom(48_212));
        assertThat(next()).isEqualTo(align(runFrom(48_212).last() + 1));
    }

    @Test
    void aNewNameBeginsAboveTheColumnItAdopts() throws SQLException {
        orders("id BIGINT", "3", "48211", "17");

        Segment first = table().adopting("orders.id").allocate("orders", 10);
        assertThat(first).isEqualTo(runFrom(48_212));
        assertThat(table().adopting("orders.id").allocate("orders", 10)).isEqualTo(after(first, 10));
    }

    @ParameterizedTest
    @CsvSource({"id BIGINT,", "id BIGINT, -7", "id INT, 0"})
    void aNewNameThatAdoptsAnEmptyOrNotPositiveColumnBeginsAtOne(String column, String id) throws SQLException {
        orders(column, id == null ? new String[0] : new String[] {id});

        assertThat(table().adopting("orders.id").allocate("orders", 10)).isEqualTo(firstRun(10));
    }

    @Test
    void ofStartAndAdoptedColumnsTheLargestWins() throws SQLException {
        orders("id BIGINT", "700");
        Sql.execute(dataSource(), "CREATE TABLE items (id INT)");
        Sql.execute(dataSource(), "INSERT INTO items VALUES (800)");
        Sql.execute(dataSource(), "CREATE TABLE no_items (id INT)");

        T one = table().adopting("orders.id");
        T three = one.adopting("items.id").adopting("no_items.id");
        assertThat(one.startingAt(1_000).allocate("a", 10)).isEqualTo(runFrom(1_000));
        assertThat(one.startingAt(701).allocate("b", 10)).isEqualTo(runFrom(701));
        assertThat(one.startingAt(20).allocate("c", 10)).isEqualTo(runFrom(701));
        assertThat(three.allocate("d", 10)).isEqualTo(runFrom(801));
    }

    @Test
    void aNewNameBeginsAboveTheColumnInAnotherDatabaseIfThatHasIt() throws SQLException {
        orders("id BIGINT", "3"); // a table of the same name
        Sql.execute(dataSource(), "CREATE TABLE items (id INT)");
        Sql.execute(dataSource(), "INSERT INTO items VALUES (800)");
        try (Database entities = TestDatabase.H2.create()) {
            Sql.execute(entities.dataSource(), "CREATE TABLE orders (id BIGINT)");
            Sql.execute(entities.dataSource(), "INSERT INTO orders VALUES (48211)");
            T table = table().adoptingFrom(entities.dataSource());

            assertThat(table.adopting("orders.id").allocate("a", 10)).isEqualTo(runFrom(48_212));
            assertThat(table.adopting("items.id").allocate("b", 10)).isEqualTo(runFrom(801));
            assertThat(refusal(table.adopting("missing.id")).code()).isEqualTo(ErrorCode.START_UNKNOWN);
        }
    }

    @Test
    void anAdoptedColumnMayBeQuotedAndHaveASchema() throws SQLException {
        String table = schema() + "." + quoted("Order Items");
        Sql.execute(dataSource(), "CREATE TABLE " + table + " (" + quoted("The Id") + " BIGINT)");
        Sql.execute(dataSource(), "INSERT INTO " + table + " VALUES (99)");

        assertThat(table().adopting(table + "." + quoted("The Id")).allocate("orders", 10))
                .isEqualTo(runFrom(100));
    }

    @Test
    void sixteenThreadsThatAdoptOneColumnGetDisjointRunsAboveIt() throws Exception {
        orders("id BIGINT", "1000");

        List<Segment> drawn =
                Together.run(16, thread -> table().adopting("orders.id").allocate("orders", 10));

        assertDisjoint(List.of(drawn));
        assertThat(drawn).contains(runFrom(1_001)).allMatch(segment -> segment.first() > 1_000);
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

    @ParameterizedTest
    @ValueSource(strings = {"missing.id", "orders.missing"})
    void aColumnThatCannotBeReadIsRefusedAndNotTakenForTheTable(String column) throws SQLException {
        orders("id BIGINT", "700");

        AllocationException e = refusal(table().adopting(column));

        assertThat(e.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        assertThat(e)
                .hasMessageContaining("cannot read the largest value of " + column)
                .message()
                .doesNotContain("CREATE TABLE");
        assertThat(rowsOf("orders")).isZero();
    }

    @Test
    void aRaisedLimitGoesOnWhereTheLowerOneEnded() throws SQLException {
        row("orders", align(1));
        T below = table().below(align(1) + 1);
        Segment first = below.allocate("orders", 10);
        assertThat(first).isEqualTo(new Segment(align(1), 1, first.stride()));
        assertThat(refusal(below).code()).isEqualTo(ErrorCode.LIMIT_REACHED);

        assertThat(below.below(100).allocate("orders", 10)).isEqualTo(after(first, 10));
    }

    @ParameterizedTest
    @ValueSource(longs = {25, 26, Long.MAX_VALUE - 5})
    void aRowAtOrBeyondTheLimitGivesNothing(long next) throws SQLException {
        row("orders", align(next));

        assertThat(refusal(table().below(25)).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(next()).isEqualTo(align(next));
    }

    @Test
    void aMissingTableIsNamedWithTheStatementThatMakesItAndNothingElse() throws SQLException {
        unprepare(dataSource());

        AllocationException e = refusal(table().startingAt(1));

        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(e)
                .hasMessageContaining(tableName())
                .hasMessageContaining(
                        new IdgenSchema(dataSource()).flywayLocation().replace("classpath:", ""))
                .hasMessageContaining("idgen.jdbc.initialize-schema=always");
        Sql.execute(dataSource(), statementIn(e));
        assertThat(table().startingAt(1).allocate("orders", 10)).isEqualTo(firstRun(10));
    }

    @Test
    void tablesOfOtherNamesAreTables() throws SQLException {
        String schema = schema();
        for (String name :
                List.of("other_table", schema + ".leaf_alloc", quoted("Other Table"), schema + "." + quoted("order"))) {
            T other = table().inTable(name).startingAt(7);
            AllocationException e = refusal(other);
            assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MISSING);
            Sql.execute(dataSource(), statementIn(e));

            assertThat(other.allocate("orders", 10)).isEqualTo(runFrom(7));
            assertThat(other.allocate("orders", 10)).isEqualTo(after(runFrom(7), 10));
            assertThat(Sql.number(dataSource(), "SELECT COUNT(*) FROM " + name)).isEqualTo(1);
        }
        assertThat(rowsOf("orders")).isZero();
    }

    @Test
    void aRowThatTheTableRefusesIsReportedWithTheDatabasesReason() throws SQLException {
        T owned = table().inTable("owned").startingAt(1);
        Sql.execute(
                dataSource(),
                statementIn(refusal(owned)).replaceFirst("NOT NULL,", "NOT NULL, the_owner VARCHAR(20) NOT NULL,"));

        AllocationException e = refusal(owned);

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(Objects.requireNonNull(e.getMessage()).toLowerCase()).contains("the_owner");
    }

    private static String statementIn(AllocationException missingTable) {
        String message = Objects.requireNonNull(missingTable.getMessage());
        String statement = message.substring(message.indexOf("CREATE TABLE")).strip();
        assertThat(statement).endsWith(";").doesNotContainPattern("(?s)CREATE.*CREATE");
        return statement.substring(0, statement.length() - 1);
    }

    private void orders(String column, String... ids) throws SQLException {
        Sql.execute(dataSource(), "CREATE TABLE orders (" + column + ")");
        for (String id : ids) {
            Sql.execute(dataSource(), "INSERT INTO orders VALUES (" + id + ")");
        }
    }

    /**
     * Returns a schema that statements can name: a new one, or the connection's own on databases without separate
     * schemas.
     */
    private String schema() throws SQLException {
        switch (kind) {
            case MARIADB, MARIADB_BY_MYSQL_DRIVER, MYSQL, MYSQL_BY_MARIADB_DRIVER -> {
                return Sql.rows(dataSource(), "SELECT DATABASE()").get(0);
            }
            case SQLITE -> {
                return "main";
            }
            default -> {
                Sql.execute(dataSource(), "CREATE SCHEMA shop");
                return "shop";
            }
        }
    }

    private String quoted(String name) throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            String quote = connection.getMetaData().getIdentifierQuoteString();
            return quote + name + quote;
        }
    }
}
