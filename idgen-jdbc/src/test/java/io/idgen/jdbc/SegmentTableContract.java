package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link SegmentTable}: it returns as many ids as requested, and Leaf's servers can use its table.
 */
abstract class SegmentTableContract extends TableAllocatorContract<SegmentTable> {
    private static final long INT_LIMIT = 2_147_483_648L;

    @Override
    SegmentTable table(DataSource dataSource) {
        return new SegmentTable(dataSource);
    }

    @Override
    String tableName() {
        return "idgen_segment";
    }

    @Override
    String nameColumn() {
        return "biz_tag";
    }

    @Override
    String nextColumn() {
        return "max_id";
    }

    @Override
    Segment run(long first, int wanted) {
        return new Segment(first, wanted, 1);
    }

    @Override
    void row(String name, long next) throws SQLException {
        row(name, next, 1);
    }

    private void row(String name, long next, int step) throws SQLException {
        Sql.execute(
                dataSource(),
                "INSERT INTO idgen_segment (biz_tag, max_id, step) VALUES ('" + name + "', " + next + ", " + step
                        + ")");
    }

    @Test
    void theStepOfTheRowIsTheFewestIdsThatAreTaken() throws SQLException {
        SegmentTable table = table();
        row("orders", 1, 100);

        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(1, 100, 1));
        assertThat(table.allocate("orders", 200)).isEqualTo(new Segment(101, 200, 1));
        Sql.execute(dataSource(), "UPDATE idgen_segment SET step = 20");
        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(301, 20, 1));
    }

    @Test
    void aNewRowHasTheStepThatIsSet() throws SQLException {
        assertThat(table().startingAt(1).withStep(30).allocate("orders", 10)).isEqualTo(new Segment(1, 30, 1));
        assertThat(Sql.rows(dataSource(), "SELECT max_id, step FROM idgen_segment"))
                .containsExactly("31 | 30");
    }

    @Test
    void aServerOfLeafOnTheSameRowGetsOtherIds() throws SQLException {
        row("orders", 1, 100);

        assertThat(table().allocate("orders", 10)).isEqualTo(new Segment(1, 100, 1));
        // as in Leaf's IDAllocMapper: Leaf then owns [max_id - step, max_id), here 101 to 200
        Sql.execute(dataSource(), "UPDATE idgen_segment SET max_id = max_id + step WHERE biz_tag = 'orders'");
        assertThat(table().allocate("orders", 10)).isEqualTo(new Segment(201, 100, 1));
    }

    @Test
    void theLastSegmentBelowTheLimitShrinksAndThenThereAreNoMore() throws SQLException {
        SegmentTable below = table().startingAt(1).below(25);

        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(21, 4, 1));
        assertThat(refusal(below)).hasMessageContaining("idgen_segment.max_id is 25");
        assertThat(next()).isEqualTo(25);
    }

    @Test
    void allIdsOfAnIntColumnCanBeWantedAtOnce() {
        assertThat(table().startingAt(1).below(INT_LIMIT).withReach(INT_LIMIT).allocate("orders", Integer.MAX_VALUE))
                .isEqualTo(new Segment(1, Integer.MAX_VALUE, 1));
    }

    @Test
    void withoutALimitTheLastIdIsOneBelowTheLargestLong() throws SQLException {
        row("orders", Long.MAX_VALUE - 3);

        assertThat(table().allocate("orders", 10)).isEqualTo(new Segment(Long.MAX_VALUE - 3, 3, 1));
        assertThat(refusal(table()).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
    }

    @Test
    void whatIsHandedBackIsGivenAgainUnlessIdsAboveItWereGivenMeanwhile() {
        SegmentTable table = table().startingAt(1);
        table.allocate("orders", 10);
        Segment second = table.allocate("orders", 10);
        Segment third = table.allocate("orders", 10);

        table.handBack("orders", List.of(third, second));
        assertThat(table.allocate("orders", 10)).isEqualTo(second);
        table.handBack("orders", List.of(third));
        assertThat(table.allocate("orders", 10)).isEqualTo(third);
    }

    @Test
    void whatAnotherServerGrantedIsNotHandedBack() throws SQLException {
        SegmentTable old = table().startingAt(1).withReach(50).identifiedAs("old");
        Segment mine = old.allocate("orders", 10);
        Sql.execute(dataSource(), "UPDATE idgen_segment SET server_id = 'new'");

        old.handBack("orders", List.of(mine));
        assertThat(next()).isEqualTo(mine.last() + 1);
    }

    @Test
    void theReachIsNeverBelowTheStepAndByDefaultASmallPartOfTheIds() throws SQLException {
        table().startingAt(1).allocate("a", 1);
        table().startingAt(1).below(INT_LIMIT).allocate("b", 1);
        table().startingAt(1).below(100).allocate("c", 1);
        table().startingAt(1).withReach(10).withStep(30).allocate("d", 1);
        row("e", 1, 2_000_000);
        table().below(INT_LIMIT).allocate("e", 1);

        assertThat(Sql.rows(dataSource(), "SELECT biz_tag, reach FROM idgen_segment ORDER BY biz_tag"))
                .containsExactly("a | 1000000000", "b | 1048576", "c | 1000", "d | 30", "e | 2000000");
    }

    @Test
    void aRowThatOthersHavePassedIsNotSetBack() throws SQLException {
        SegmentTable table = table().startingAt(1);
        Segment mine = table.allocate("orders", 10);
        Segment others = table().allocate("orders", 10);

        table.handBack("orders", List.of(mine));
        assertThat(next()).isEqualTo(others.last() + 1);
    }

    @Test
    void aRowThatSinksBecauseIdsAreHandedBackHasNotGoneBack() throws SQLException {
        SegmentTable one = table().startingAt(1);
        SegmentTable other = table();
        one.allocate("orders", 10);
        Segment ofOther = other.allocate("orders", 10);
        Segment ofOne = one.allocate("orders", 10);

        one.handBack("orders", List.of(ofOne));
        other.handBack("orders", List.of(ofOther));
        assertThat(next()).isEqualTo(11);
        assertThat(one.allocate("orders", 5)).isEqualTo(new Segment(11, 5, 1));
        assertThat(other.allocate("orders", 5)).isEqualTo(new Segment(16, 5, 1));
    }

    /** The control is {@link #aRowThatWasSetBackIsRaisedAboveWhatTheOtherProcessesWereGranted}. */
    @Test
    void aRowThatSinksBecauseIdsAreHandedBackWhileItIsReadHasNotGoneBack() throws SQLException {
        AtomicReference<Runnable> beforeTheRead = new AtomicReference<>();
        DataSource dataSource = Wrapped.dataSource(() ->
                Wrapped.wrap(Connection.class, dataSource().getConnection(), call -> {
                    if (call.is("prepareStatement")
                            && ((String) call.arguments()[0]).startsWith("SELECT max_id, step")) {
                        Runnable once = beforeTheRead.getAndSet(null);
                        if (once != null) {
                            once.run();
                        }
                    }
                    return call.proceed();
                }));
        SegmentTable table = table(dataSource).startingAt(1);
        Segment mine = table.allocate("orders", 10);
        Sql.execute(dataSource(), "UPDATE idgen_segment SET step = 2"); // so that the next allocation reads the row
        beforeTheRead.set(() -> table.handBack("orders", List.of(mine)));

        assertThat(table.allocate("orders", 10)).isEqualTo(mine);
        assertThat(beforeTheRead).hasValue(null);
    }
}
