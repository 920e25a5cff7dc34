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

/** Takes segments: as many ids as requested and at least the step of the row, and hands back those that nobody has. */
abstract class SegmentsContract extends CountersContract {
    private static final long INT_LIMIT = 2_147_483_648L;

    SegmentsContract() {
        super(1, 1);
    }

    @Override
    Counters counters(DataSource dataSource) {
        return new Counters(dataSource);
    }

    private void row(String name, long next, int step) throws SQLException {
        row(name, next);
        Sql.execute(dataSource(), "UPDATE idgen_counter SET step = " + step + " WHERE name = '" + name + "'");
    }

    @Test
    void theStepOfTheRowIsTheFewestIdsThatAreTaken() throws SQLException {
        Counters table = counters();
        row("orders", 1, 100);

        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(1, 100, 1));
        assertThat(table.allocate("orders", 200)).isEqualTo(new Segment(101, 200, 1));
        Sql.execute(dataSource(), "UPDATE idgen_counter SET step = 20");
        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(301, 20, 1));
    }

    @Test
    void theLastSegmentBelowTheLimitShrinksAndThenThereAreNoMore() throws SQLException {
        Counters below = counters().startingAt(1).below(25);

        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
        assertThat(below.allocate("orders", 10)).isEqualTo(new Segment(21, 4, 1));
        assertThat(refusal(below)).hasMessageContaining("idgen_counter.next_id is 25");
        assertThat(next()).isEqualTo(25);
    }

    @Test
    void allIdsOfAnIntColumnCanBeWantedAtOnce() {
        assertThat(counters()
                        .startingAt(1)
                        .below(INT_LIMIT)
                        .withReach(INT_LIMIT)
                        .allocate("orders", Integer.MAX_VALUE))
                .isEqualTo(new Segment(1, Integer.MAX_VALUE, 1));
    }

    @Test
    void withoutALimitTheLastIdIsOneBelowTheLargestLong() throws SQLException {
        row("orders", Long.MAX_VALUE - 3);

        assertThat(counters().allocate("orders", 10)).isEqualTo(new Segment(Long.MAX_VALUE - 3, 3, 1));
        assertThat(refusal(counters()).code()).isEqualTo(ErrorCode.LIMIT_REACHED);
    }

    @Test
    void whatIsHandedBackIsGivenAgainUnlessIdsAboveItWereGivenMeanwhile() {
        Counters table = counters().startingAt(1);
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
        Counters old = counters().startingAt(1).withReach(50).identifiedAs("old");
        Segment mine = old.allocate("orders", 10);
        Sql.execute(dataSource(), "UPDATE idgen_counter SET server_id = 'new'");

        old.handBack("orders", List.of(mine));
        assertThat(next()).isEqualTo(mine.last() + 1);
    }

    @Test
    void theReachIsNeverBelowTheStepAndByDefaultASmallPartOfTheIds() throws SQLException {
        counters().startingAt(1).allocate("a", 1);
        counters().startingAt(1).below(INT_LIMIT).allocate("b", 1);
        counters().startingAt(1).below(100).allocate("c", 1);
        counters().startingAt(1).withReach(10).allocate("d", 1);
        row("e", 1, 2_000_000);
        counters().below(INT_LIMIT).allocate("e", 1);

        assertThat(Sql.rows(dataSource(), "SELECT name, reach FROM idgen_counter ORDER BY name"))
                .containsExactly("a | 100000000", "b | 1048576", "c | 1000", "d | 10", "e | 2000000");
    }

    @Test
    void aRowThatOthersHavePassedIsNotSetBack() throws SQLException {
        Counters table = counters().startingAt(1);
        Segment mine = table.allocate("orders", 10);
        Segment others = counters().allocate("orders", 10);

        table.handBack("orders", List.of(mine));
        assertThat(next()).isEqualTo(others.last() + 1);
    }

    @Test
    void aRowThatSinksBecauseIdsAreHandedBackHasNotGoneBack() throws SQLException {
        Counters one = counters().startingAt(1);
        Counters other = counters();
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
                            && ((String) call.arguments()[0]).startsWith("SELECT next_id, step")) {
                        Runnable once = beforeTheRead.getAndSet(null);
                        if (once != null) {
                            once.run();
                        }
                    }
                    return call.proceed();
                }));
        Counters table = counters(dataSource).startingAt(1);
        Segment mine = table.allocate("orders", 10);
        Sql.execute(dataSource(), "UPDATE idgen_counter SET step = 2"); // so that the next allocation reads the row
        beforeTheRead.set(() -> table.handBack("orders", List.of(mine)));

        assertThat(table.allocate("orders", 10)).isEqualTo(mine);
        assertThat(beforeTheRead).hasValue(null);
    }
}
