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

        FutureTask<Segment> blocked = new FutureTask<>(() -> allocator.allocate("orders", 10));
        try (Connection blocker = dataSource().getConnection();
                Statement statement = blocker.createStatement()) {
            blocker.setAutoCommit(false);
            statement.execute("SELECT max_id FROM idgen_segment WHERE biz_tag = 'orders' FOR UPDATE");
            new Thread(blocked).start();
            assertThat(Sql.rows(
                            dataSource(), "SELECT pg_terminate_backend(" + Sql.sessionThatWaits(dataSource()) + ")"))
                    .containsExactly("t");

            Throwable cause = assertThrows(ExecutionException.class, () -> blocked.get(20, TimeUnit.SECONDS))
                    .getCause();
            assertThat(cause).isInstanceOfSatisfying(AllocationException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
                assertThat(e).hasMessageContaining("'orders'").hasMessageContaining("SQL state 57P01");
            });
        }

        assertThat(allocator.allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
    }

    @Test
    void aServerThatDoesNotAnswerInTimeIsAnOutageAndRepeatsNothing() throws SQLException {
        SegmentTable table = new SegmentTable(dataSource()).startingAt(1);
        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));

        try (Connection blocker = dataSource().getConnection();
                Statement statement = blocker.createStatement()) {
            blocker.setAutoCommit(false);
            statement.execute("SELECT max_id FROM idgen_segment WHERE biz_tag = 'orders' FOR UPDATE");

            assertThat(assertThrows(
                                    AllocationException.class,
                                    () -> table.withTimeout(Duration.ofMillis(200))
                                            .allocate("orders", 10))
                            .code())
                    .isEqualTo(ErrorCode.DATABASE_FAILED);
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
            FutureTask<Segment> lost = new FutureTask<>(
                    () -> table.withTimeout(Duration.ofMillis(200)).allocate("orders", 10));
            Thread thread = new Thread(lost);
            thread.setDaemon(true);
            thread.start();

            Throwable cause = assertThrows(ExecutionException.class, () -> lost.get(10, TimeUnit.SECONDS))
                    .getCause();
            assertThat(cause)
                    .isInstanceOfSatisfying(
                            AllocationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED));
        }
    }
}
