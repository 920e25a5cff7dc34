package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.testing.LogLines;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.ParallelThreads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link Counters}, in addition to that of all allocators, with one subclass per way to take ids of a
 * row: rows, takeovers, reaches and limits.
 */
abstract class CountersContract extends JdbcAllocatorContract {
    private static final long REACH = 50;

    private final int instance;
    private final int instances;

    CountersContract(int instance, int instances) {
        this.instance = instance;
        this.instances = instances;
    }

    /** Creates an allocator for names that have a row. */
    abstract Counters counters(DataSource dataSource);

    final Counters counters() {
        return counters(dataSource());
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
        return counters(dataSource).startingAt(1).below(limit).withReach(1L << 40);
    }

    /** HSQLDB hides tables from users without grants, so the table is reported as missing. */
    @Override
    final ErrorCode withoutGrants() {
        return kind == TestDatabase.HSQLDB ? ErrorCode.TABLE_MISSING : ErrorCode.STATEMENT_REFUSED;
    }

    @Override
    final Segment run(long first, int wanted) {
        return new Segment(first, wanted, instances);
    }

    @Override
    final long align(long id) {
        return id + Math.floorMod(instance - id, (long) instances);
    }

    /** Inserts a row like those that this allocator creates. */
    final void row(String name, long next) throws SQLException {
        Sql.execute(
                dataSource(),
                "INSERT INTO idgen_counter (name, next_id, instance, instances) VALUES ('" + name + "', " + next + ", "
                        + instance + ", " + instances + ")");
    }

    private long rowsOf(String name) throws SQLException {
        return Sql.number(
                dataSource(), "SELECT COUNT(*) FROM idgen_counter WHERE name = '" + name.replace("'", "''") + "'");
    }

    final long next() throws SQLException {
        return Sql.number(dataSource(), "SELECT next_id FROM idgen_counter");
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
                List.of("o'; DROP TABLE idgen_counter; --", "?", "größe 订单", "%", "Orders", "ORDERS", longest)) {
            Segment first = allocator.allocate(name, 7);
            assertThat(first).isEqualTo(firstRun(7));
            assertThat(allocator.allocate(name, 7)).isEqualTo(after(first, 7));
            assertThat(rowsOf(name)).isEqualTo(1);
        }
    }

    @Test
    void sixteenThreadsThatUseNewNamesFirstMakeOneRowOfEach() throws Exception {
        List<String> names = IntStream.range(0, 5).mapToObj(i -> "new-" + i).toList();

        List<List<Segment>> drawn = ParallelThreads.run(16, thread -> {
            // as in a process of its own
            SegmentAllocator allocator = counters().startingAt(1).withTimeout(Duration.ofMinutes(1));
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

        Segment first = counters().startingAt(1).allocate("orders", 10);
        Segment second = counters().startingAt(9_000).allocate("orders", 10);
        assertThat(first).isEqualTo(runFrom(500));
        assertThat(second).isEqualTo(after(first, 10));
        assertThat(counters().allocate("orders", 10)).isEqualTo(after(second, 10));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5})
    void aRowThatStandsBelowTheFirstIdIsRefusedAndLeftAlone(long next) throws SQLException {
        row("orders", next);

        AllocationException e = refusal(counters().startingAt(1));

        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ROW);
        assertThat(e).hasMessageContaining("next_id of 'orders' in idgen_counter is " + next);
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
                counters().startingAt(1).withReach(REACH).identifiedAs("old").allocate("orders", 10);
        setNext(align(1));
        assertThat(counters().identifiedAs("old").allocate("orders", 10)).isEqualTo(lost);

        Counters other = counters().identifiedAs("new");
        Segment first = other.allocate("orders", 10);
        assertThat(first.first()).isEqualTo(raised(lost));
        assertThat(other.allocate("orders", 10)).isEqualTo(after(first, 10));
        assertThat(counters().identifiedAs("new").allocate("orders", 10)).isEqualTo(after(after(first, 10), 10));
    }

    @Test
    void aTakeoverIsLoggedOnceWithTheIdsThatAreSkipped() throws SQLException {
        counters().startingAt(1).withReach(REACH).identifiedAs("old").allocate("orders", 10);
        long next = next();
        try (LogLines log = new LogLines(CounterTable.class)) {
            Counters other = counters().identifiedAs("new");
            Segment first = other.allocate("orders", 10);
            other.allocate("orders", 10);

            assertThat(log.lines())
                    .containsExactly("WARNING ids of 'orders' in idgen_counter go on at " + first.first()
                            + ": the next one was " + next + ", granted by another server, or by this one before a"
                            + " restart, and this one may lack the last " + (first.first() - next) + " of them");
        }
    }

    @Test
    void eightThreadsThatMeetATakeoverSkipTwiceTheReachOnce() throws Exception {
        Segment first =
                counters().startingAt(1).withReach(10_000).identifiedAs("old").allocate("orders", 10);

        List<Segment> drawn =
                ParallelThreads.run(8, thread -> counters().identifiedAs("new").allocate("orders", 10));

        assertDisjoint(List.of(drawn));
        long raised = align(first.last() + 1) + 20_000L * first.stride();
        assertThat(drawn).allMatch(run -> run.first() >= raised).anyMatch(run -> run.first() == raised);
        assertThat(next())
                .isEqualTo(align(drawn.stream().mapToLong(Segment::last).max().orElseThrow() + 1));
    }

    @Test
    void noMoreIdsThanTheReachAreGrantedInOneWindow() throws SQLException {
        Counters table = counters().startingAt(1).withReach(25);
        long granted = 0;
        Segment last = firstRun(10);
        while (granted < 25) {
            last = table.allocate("orders", 10);
            granted += last.count();
        }
        assertThat(granted).isEqualTo(25);
        AllocationException e = refusal(table);
        assertThat(e.code()).isEqualTo(ErrorCode.REACH_USED_UP);
        assertThat(e).hasMessageContaining("'orders' in idgen_counter has granted 25 ids in ten minutes");
        long used = Sql.number(dataSource(), "SELECT used FROM idgen_counter");
        assertThat(used).isEqualTo(25);

        Sql.execute(dataSource(), "UPDATE idgen_counter SET win = 1"); // the window is over
        assertThat(table.allocate("orders", 10)).isEqualTo(after(last, 10));
        assertThat(Sql.number(dataSource(), "SELECT used FROM idgen_counter")).isBetween(1L, 10L);

        // the window goes on, also if the clock has stepped back by less than a lag
        windowEndsIn(Duration.ofMinutes(14));
        assertThat(refusal(table).code()).isEqualTo(ErrorCode.REACH_USED_UP);
        // the clock leapt forward, and has come back
        windowEndsIn(Duration.ofDays(365));
        assertThat(table.allocate("orders", 10).first()).isGreaterThan(last.last());
        assertThat(Sql.number(dataSource(), "SELECT win FROM idgen_counter"))
                .isLessThan(System.currentTimeMillis() + Duration.ofMinutes(11).toMillis());
    }

    private void windowEndsIn(Duration left) throws SQLException {
        long end = System.currentTimeMillis() + left.toMillis();
        Sql.execute(dataSource(), "UPDATE idgen_counter SET used = reach, win = " + end);
    }

    @Test
    void aRowThatWasMadeByHandBeginsWhereItStandsAndGetsAReach() throws SQLException {
        row("orders", align(7));

        assertThat(counters().withReach(REACH).allocate("orders", 10)).isEqualTo(runFrom(7));
        assertThat(Sql.number(dataSource(), "SELECT reach FROM idgen_counter WHERE server_id IS NOT NULL"))
                .isEqualTo(REACH);
    }

    @Test
    void aRowWhoseServerIsForgottenCountsAsAnothersServers() throws SQLException {
        Counters table = counters().startingAt(1).withReach(REACH);
        Segment first = table.allocate("orders", 10);
        Sql.execute(dataSource(), "UPDATE idgen_counter SET server_id = NULL");

        assertThat(table.allocate("orders", 10).first()).isEqualTo(raised(first));
    }

    @Test
    void aTakeoverThatCannotSkipTwiceTheReachBelowTheLimitIsRefusedAndLeftAlone() throws SQLException {
        counters().startingAt(1).withReach(REACH).identifiedAs("old").allocate("orders", 10);
        long next = next();

        AllocationException e = refusal(counters().identifiedAs("new").below(next + 2 * REACH - 1));
        assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(e)
                .hasMessageContaining("granted by another server, or by this one before a restart")
                .hasMessageContaining("twice the row's reach");
        assertThat(next()).isEqualTo(next);
    }

    /**
     * One of two processes notices the change, and the other one was granted higher ids. The control has just started,
     * and repeats ids.
     */
    @Test
    void aRowThatWasSetBackIsRaisedAboveWhatTheOtherProcessesWereGranted() throws SQLException {
        Counters table = counters().startingAt(1).withReach(REACH);
        Segment first = table.allocate("orders", 10);
        Segment ofAnother = counters().allocate("orders", 10);
        setNext(align(1));
        assertThat(counters().allocate("orders", 10)).as("the control's ids").isEqualTo(first);
        setNext(align(1));

        try (LogLines log = new LogLines(CounterTable.class)) {
            Segment next = table.allocate("orders", 10);
            assertThat(next.first()).isEqualTo(raised(first)).isGreaterThan(ofAnother.last());
            assertThat(counters().allocate("orders", 10)).isEqualTo(after(next, 10));
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("SEVERE " + ErrorCode.SEGMENT_WENT_BACK.code() + " ")
                    .contains("ids go on at " + next.first() + ", twice the row's reach higher");
        }
    }

    @Test
    void aRowThatIsGoneIsNotCalledNewAndMadeAgain() throws SQLException {
        Counters table = counters().startingAt(1);
        table.allocate("orders", 10);
        Sql.execute(dataSource(), "DELETE FROM idgen_counter");

        assertThat(refusal(table).code()).isEqualTo(ErrorCode.SEGMENT_WENT_BACK);
        assertThat(rowsOf("orders")).isZero();
    }

    @Test
    void aRowThatOthersRaiseOrThatIsSetHigherIsFollowed() throws SQLException {
        Counters table = counters().startingAt(1);
        table.allocate("orders", 10);
        Segment others = counters().allocate("orders", 10);
        assertThat(table.allocate("orders", 10)).isEqualTo(after(others, 10));

        setNext(align(5_000));
        assertThat(table.allocate("orders", 10)).isEqualTo(runFrom(5_000));
    }

    private void setNext(long next) throws SQLException {
        Sql.execute(dataSource(), "UPDATE idgen_counter SET next_id = " + next);
    }

    @Test
    void aNewNameBeginsAtItsStart() throws SQLException {
        assertThat(counters().startingAt(48_212).allocate("orders", 10)).isEqualTo(runFrom(48_212));
        assertThat(next()).isEqualTo(align(runFrom(48_212).last() + 1));
    }

    @Test
    void sixteenThreadsThatAdoptOneColumnGetDisjointRunsAboveIt() throws Exception {
        Sql.execute(dataSource(), "CREATE TABLE orders (id BIGINT)");
        Sql.execute(dataSource(), "INSERT INTO orders VALUES (1000)");

        List<Segment> drawn = ParallelThreads.run(
                16, thread -> counters().adopting("orders.id").allocate("orders", 10));

        assertDisjoint(List.of(drawn));
        assertThat(drawn).contains(runFrom(1_001)).allMatch(segment -> segment.first() > 1_000);
        assertThat(rowsOf("orders")).isEqualTo(1);
    }

    @Test
    void aRaisedLimitGoesOnWhereTheLowerOneEnded() throws SQLException {
        row("orders", align(1));
        Counters below = counters().below(align(1) + 1);
        Segment first = below.allocate("orders", 10);
        assertThat(first).isEqualTo(new Segment(align(1), 1, first.stride()));
        assertThat(refusal(below).code()).isEqualTo(ErrorCode.LIMIT_REACHED);

        assertThat(below.below(100).allocate("orders", 10)).isEqualTo(after(first, 10));
    }

    @ParameterizedTest
    @ValueSource(longs = {25, 26, Long.MAX_VALUE - 5})
    void aRowAtOrBeyondTheLimitGivesNothing(long next) throws SQLException {
        row("orders", align(next));

        assertThat(refusal(counters().below(25)).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(next()).isEqualTo(align(next));
    }
}
