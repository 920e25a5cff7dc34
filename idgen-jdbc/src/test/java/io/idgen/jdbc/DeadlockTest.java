package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Two transactions that update the same two rows in opposite orders. */
@Timeout(60)
@Tag("databases")
class DeadlockTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30); // PostgreSQL checks for deadlocks after one second

    private final CountDownLatch oneIsDone = new CountDownLatch(1);

    @ParameterizedTest
    @EachServer
    void theOneThatTheServerRollsBackIsRepeatedAndBothAreDone(TestDatabase kind) throws Exception {
        Queue<Integer> pauses = new ConcurrentLinkedQueue<>();
        try (Database database = twoRows(kind)) {
            Transactions transactions = new Transactions(database.dataSource(), TIMEOUT, tries -> {
                pauses.add(tries);
                oneIsDone.await(20, TimeUnit.SECONDS); // or the two could meet again
            });

            assertThat(inOppositeOrders(transactions)).containsOnlyNulls();
            assertThat(pauses).as("pauses before a repetition").containsExactly(1);
            assertThat(Sql.rows(database.dataSource(), "SELECT next_id FROM idgen_sequence"))
                    .containsExactly("3", "3");
        }
    }

    /** The control: the pause throws, so the transaction that was rolled back is not retried. */
    @ParameterizedTest
    @EachServer
    void withoutRepetitionOneOfThemFails(TestDatabase kind) throws Exception {
        try (Database database = twoRows(kind)) {
            Transactions transactions = new Transactions(database.dataSource(), TIMEOUT, tries -> {
                throw new InterruptedException();
            });

            assertThat(inOppositeOrders(transactions))
                    .filteredOn(failure -> failure != null)
                    .singleElement()
                    .returns(ErrorCode.DATABASE_FAILED, AllocationException::code);
        }
    }

    private static Database twoRows(TestDatabase kind) throws SQLException {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        for (String name : List.of("a", "b")) {
            Sql.execute(
                    database.dataSource(),
                    "INSERT INTO idgen_sequence (table_name, next_id) VALUES ('" + name + "', 1)");
        }
        return database;
    }

    /** Runs the two transactions; returns the failure of each, or null. */
    private List<AllocationException> inOppositeOrders(Transactions transactions) throws Exception {
        CyclicBarrier bothHaveOne = new CyclicBarrier(2);
        return Together.run(2, thread -> {
            String first = thread == 0 ? "a" : "b";
            String second = thread == 0 ? "b" : "a";
            AtomicBoolean isRepeated = new AtomicBoolean();
            Transactions.Work<Boolean> work = (connection, dialect) -> {
                raise(connection, first);
                if (!isRepeated.getAndSet(true)) {
                    await(bothHaveOne);
                }
                raise(connection, second);
                return true;
            };
            try {
                transactions.commit("raising two rows", work);
                oneIsDone.countDown();
                return null;
            } catch (AllocationException e) {
                return e;
            }
        });
    }

    private static void raise(Connection connection, String name) throws SQLException {
        Sql.execute(connection, "UPDATE idgen_sequence SET next_id = next_id + 1 WHERE table_name = '" + name + "'");
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
