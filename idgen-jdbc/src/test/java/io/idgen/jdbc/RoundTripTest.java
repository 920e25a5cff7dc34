package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.NativeSequence.ValueIs;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachServer;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Counts the round trips of an allocation through a data source that idgen cannot identify, such as a wrapper of a
 * framework. Connections have the isolation level that the server gives them.
 */
@Tag("databases")
class RoundTripTest {
    private static final int BLOCK = 50;
    private static final String WAITING_FOR_A_LOCK = "SELECT COUNT(*) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND wait_event_type = 'Lock'";

    @ParameterizedTest
    @EachServer
    void anAllocationIsOneRoundTripAndLeavesTheConnectionAsItWasFound(TestDatabase kind) throws SQLException {
        try (Database database = kind.create();
                FaultProxy network = FaultProxy.before(database.url());
                Connection connection = DriverManager.getConnection(network.url())) {
            prepare(database);
            int isolation = connection.getTransactionIsolation();
            DataSource pool = pool(connection);
            Map<String, Long> roundTrips = new TreeMap<>();
            allocators(pool, kind)
                    .forEach((name, allocator) -> roundTrips.put(name, roundTrips(name, allocator, network)));

            assertThat(roundTrips.values()).as("of %s", roundTrips).containsOnly(1L);
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
        }
    }

    /** The control: at another level, PostgreSQL's statements may fail, so idgen sets the level for the transaction. */
    @Test
    void atAStricterLevelOfPostgreSqlATransactionOfItsOwnCostsMore() throws SQLException {
        try (Database database = TestDatabase.POSTGRESQL.create();
                FaultProxy network = FaultProxy.before(database.url());
                Connection connection = DriverManager.getConnection(network.url())) {
            prepare(database);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);

            assertThat(roundTrips(
                            "orders", new Counters(pool(connection)).onDemand().startingAt(1), network))
                    .isGreaterThan(2);
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    /** If another transaction changes the row, the statement fails. idgen then reads the level of the connection. */
    @Test
    void aConnectionOfAStricterLevelThanTheFirstIsNoticedByItsSerializationFailure() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create();
                Connection connection = database.dataSource().getConnection();
                Connection other = database.dataSource().getConnection()) {
            prepare(database);
            AtomicInteger asked = new AtomicInteger();
            Counters ids = new Counters(pool(Wrapped.wrap(Connection.class, connection, call -> {
                        if (call.is("getTransactionIsolation")) {
                            asked.incrementAndGet();
                        }
                        return call.proceed();
                    })))
                    .startingAt(1)
                    .withTimeout(Duration.ofMinutes(1));
            ids.allocate("orders", 1);
            int before = asked.get();
            ids.allocate("orders", 1);
            assertThat(asked).as("at READ COMMITTED").hasValue(before);

            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            other.setAutoCommit(false);
            Sql.execute(other, "UPDATE idgen_counter SET next_id = next_id + 5");
            FutureTask<Segment> allocation = new FutureTask<>(() -> ids.allocate("orders", 1));
            JdbcAllocatorContract.started(allocation);
            Await.until(
                    "an allocation that waits for the row",
                    () -> Sql.number(database.dataSource(), WAITING_FOR_A_LOCK) > 0);
            other.commit();

            assertThat(allocation.get(30, TimeUnit.SECONDS)).isEqualTo(new Segment(8, 1, 1));
            assertThat(asked).hasValue(before + 1);
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    private static void prepare(Database database) throws SQLException {
        new IdgenSchema(database.dataSource()).create();
        if (hasSequences(database.kind())) {
            Sql.execute(database.dataSource(), "CREATE SEQUENCE by_one START WITH 1 INCREMENT BY 1");
            Sql.execute(database.dataSource(), "CREATE SEQUENCE by_fifty START WITH 1 INCREMENT BY " + BLOCK);
        }
    }

    private static boolean hasSequences(TestDatabase kind) {
        return !kind.name().startsWith("MYSQL");
    }

    /** A pool of one connection. */
    private static DataSource pool(Connection connection) {
        return Wrapped.dataSource(
                () -> Wrapped.wrap(Connection.class, connection, call -> call.is("close") ? null : call.proceed()));
    }

    private static Map<String, SegmentAllocator> allocators(DataSource pool, TestDatabase kind) {
        Map<String, SegmentAllocator> allocators = new TreeMap<>(Map.of(
                "segment", new Counters(pool).startingAt(1),
                "sequence-table", new Counters(pool).onDemand().startingAt(1),
                "stepped", new Counters(pool).instance(1, 2).startingAt(1)));
        if (hasSequences(kind)) {
            allocators.put("native-sequence", new NativeSequence(pool, "by_one"));
            allocators.put(
                    "native-sequence of blocks", new NativeSequence(pool, "by_fifty").inBlocks(BLOCK, ValueIs.FIRST));
        }
        return allocators;
    }

    /** Returns the round trips of one allocation of seven ids, after the row was created and read. */
    private static long roundTrips(String name, SegmentAllocator allocator, FaultProxy network) {
        allocator.allocate(name, 1);
        allocator.allocate(name, 7);
        long before = network.requests();
        allocator.allocate(name, 7);
        return network.requests() - before;
    }
}
