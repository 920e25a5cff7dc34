package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Statements that wait for a lock or for a network that is down. The tests need a server, because an in-process
 * database cannot show this.
 */
@Tag("databases")
class CountersOnPostgreSqlTest {
    @AutoClose
    private final Database database = TestDatabase.POSTGRESQL.create();

    @BeforeEach
    void makeTable() {
        new IdgenSchema(dataSource()).create();
    }

    private DataSource dataSource() {
        return database.dataSource();
    }

    @Test
    void aServerThatDoesNotAnswerInTimeIsAnOutageAndRepeatsNothing() throws Exception {
        Counters table = new Counters(dataSource()).startingAt(1);
        assertThat(table.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));

        try (Connection blocker = dataSource().getConnection()) {
            lockRow(blocker);
            outage(started(() -> table.withTimeout(Duration.ofMillis(200)).allocate("orders", 10)));
        }

        // the abandoned statement may have run: a gap is allowed, ids from before are not
        assertThat(table.allocate("orders", 10).first()).isIn(11L, 21L);
    }

    @Test
    void readCommittedIsTheIsolationOfATransactionAndNotOfItsSession() throws SQLException {
        try (KeptConnection kept = new KeptConnection(dataSource(), true, Connection.TRANSACTION_REPEATABLE_READ, 0)) {
            List<String> changes = new ArrayList<>();
            DataSource watched = Wrapped.dataSource(() ->
                    Wrapped.wrap(Connection.class, kept.dataSource().getConnection(), call -> {
                        if (call.is("setTransactionIsolation")) {
                            changes.add(call.method().getName());
                        }
                        return call.proceed();
                    }));
            Transactions transactions = new Transactions(watched, Duration.ofSeconds(5));
            Transactions.Work<List<String>> isolation =
                    (connection, dialect) -> Sql.rows(connection, "SHOW transaction_isolation");

            assertThat(transactions.commit("looking", isolation)).containsExactly("read committed");
            assertThat(transactions.commitEach("looking", isolation)).containsExactly("read committed");
            assertThat(Sql.rows(kept.real(), "SHOW transaction_isolation")).containsExactly("repeatable read");
            assertThat(changes).isEmpty();
        }
    }

    private static void lockRow(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        Sql.execute(connection, "SELECT next_id FROM idgen_counter WHERE name = 'orders' FOR UPDATE");
    }

    private static FutureTask<Segment> started(Callable<Segment> allocation) {
        FutureTask<Segment> task = new FutureTask<>(allocation);
        JdbcAllocatorContract.started(task);
        return task;
    }

    private static IdGenerationException outage(FutureTask<Segment> allocation) {
        IdGenerationException outage = JdbcAllocatorContract.failure(allocation);
        assertThat(outage.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        return outage;
    }
}
