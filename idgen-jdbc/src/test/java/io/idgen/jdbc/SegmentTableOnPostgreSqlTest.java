package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.Segment;
import io.idgen.core.SegmentAllocator;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class SegmentTableOnPostgreSqlTest extends SegmentTableContract {

    @Override
    TestDatabase kind() {
        return TestDatabase.POSTGRESQL;
    }

    @Override
    DataSource withDefaultIsolation(int isolation) {
        String name = isolation == Connection.TRANSACTION_SERIALIZABLE ? "serializable" : "repeatable\\ read";
        PGSimpleDataSource strict = new PGSimpleDataSource();
        strict.setUrl(database().url());
        strict.setOptions("-c default_transaction_isolation=" + name);
        return strict;
    }

    @Test
    void aConnectionKilledInTheMiddleOfAnAllocationIsAnOutageAndRepeatsNothing() throws Exception {
        SegmentAllocator allocator = allocator(dataSource());
        assertThat(allocator.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));

        try (Connection blocker = dataSource().getConnection()) {
            lockRow(blocker);
            FutureTask<Segment> blocked = started(() -> allocator.allocate("orders", 10));
            assertThat(Sql.rows(
                            dataSource(), "SELECT pg_terminate_backend(" + Sql.sessionThatWaits(dataSource()) + ")"))
                    .containsExactly("t");

            assertThat(outage(blocked)).hasMessageContaining("'orders'").hasMessageContaining("SQL state 57P01");
        }

        assertThat(allocator.allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
    }

    @Test
    void aServerThatDoesNotAnswerInTimeIsAnOutageAndRepeatsNothing() throws Exception {
        SegmentTable table = new SegmentTable(dataSource()).startingAt(1);
        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));

        try (Connection blocker = dataSource().getConnection()) {
            lockRow(blocker);
            outage(started(() -> table.withTimeout(Duration.ofMillis(200)).allocate("orders", 10)));
        }

        // the statement that was given up may still have run: a gap is allowed, ids of before are not
        assertThat(table.allocate("orders", 10).first()).isIn(11L, 21L);
    }

    @Test
    void aConnectionThatLeadsNowhereIsLimitedFromItsFirstUse() throws Exception {
        try (BlackHole hole = new BlackHole(dataSource())) {
            SegmentTable table = new SegmentTable(hole.dataSource()).startingAt(1);
            assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));

            hole.swallow();
            outage(started(() -> table.withTimeout(Duration.ofMillis(200)).allocate("orders", 10)));
        }
    }

    private static void lockRow(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT max_id FROM idgen_segment WHERE biz_tag = 'orders' FOR UPDATE");
        }
    }

    private static FutureTask<Segment> started(Callable<Segment> allocation) {
        FutureTask<Segment> task = new FutureTask<>(allocation);
        Thread thread = new Thread(task);
        thread.setDaemon(true); // where it waits for ever, its test fails and the others go on
        thread.start();
        return task;
    }

    private static AllocationException outage(FutureTask<Segment> allocation) {
        ExecutionException e = assertThrows(ExecutionException.class, () -> allocation.get(10, TimeUnit.SECONDS));
        assertThat(e.getCause()).isInstanceOf(AllocationException.class);
        AllocationException outage = (AllocationException) e.getCause();
        assertThat(outage.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        return outage;
    }
}
