package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.Segment;
import io.idgen.core.SegmentAllocator;
import io.idgen.core.contract.Together;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link SegmentAllocator} over a database promises; one thin subclass per strategy and database. */
@Timeout(60)
abstract class SegmentAllocatorContract {
    private static final int THREADS = 8;
    private static final int NETWORK_TIMEOUT_MILLIS = 54_321;

    private Database database;

    abstract TestDatabase kind();

    /** Makes the tables. */
    abstract void prepare(DataSource dataSource);

    /** One for which names without a row begin at 1. */
    abstract SegmentAllocator allocator(DataSource dataSource);

    /** Drops the tables. */
    abstract void breakTables(DataSource dataSource);

    /** How many rows a name has. */
    abstract long rowsOf(String name) throws SQLException;

    /** The test's database, on a server whose connections begin with this isolation if nothing is said. */
    abstract DataSource withDefaultIsolation(int isolation);

    @BeforeEach
    final void open() {
        database = kind().create();
        prepare(database.dataSource());
    }

    @AfterEach
    final void close() {
        database.close();
    }

    final Database database() {
        return database;
    }

    final DataSource dataSource() {
        return database.dataSource();
    }

    @Test
    void segmentsBeginAtTheStartAndFollowOneAnother() {
        SegmentAllocator allocator = allocator(dataSource());

        assertThat(allocator.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
        assertThat(allocator.allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
        assertThat(allocator.allocate("orders", 10)).isEqualTo(new Segment(21, 10, 1));
    }

    @Test
    void eachCallGetsAsManyAsItWantsAndTheNextBeginsAboveThem() {
        SegmentAllocator allocator = allocator(dataSource());

        assertThat(allocator.allocate("orders", 1)).isEqualTo(new Segment(1, 1, 1));
        assertThat(allocator.allocate("orders", 1_000_000)).isEqualTo(new Segment(2, 1_000_000, 1));
        assertThat(allocator.allocate("orders", 3)).isEqualTo(new Segment(1_000_002, 3, 1));
        assertThat(allocator.allocate("orders", Integer.MAX_VALUE))
                .isEqualTo(new Segment(1_000_005, Integer.MAX_VALUE, 1));
        assertThat(allocator.allocate("orders", 1)).isEqualTo(new Segment(1_000_005L + Integer.MAX_VALUE, 1, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void wantingNothingIsRefused(int wanted) {
        SegmentAllocator allocator = allocator(dataSource());

        assertThat(assertThrows(IllegalArgumentException.class, () -> allocator.allocate("orders", wanted)))
                .hasMessage("wanted must be at least 1, got " + wanted);
    }

    @Test
    void eachNameHasIdsOfItsOwn() {
        SegmentAllocator allocator = allocator(dataSource());
        allocator.allocate("orders", 500);

        assertThat(allocator.allocate("items", 5).first()).isEqualTo(1);
        assertThat(allocator.allocate("ORDERS", 5).first()).isEqualTo(1);
        assertThat(allocator.allocate("orders", 5).first()).isEqualTo(501);
    }

    @Test
    void aNameIsAValueAndNeverSql() throws SQLException {
        SegmentAllocator allocator = allocator(dataSource());
        String longest = "x".repeat(SegmentAllocator.MAX_NAME_LENGTH);
        for (String name : List.of("o'; DROP TABLE idgen_segment; --", "?", "größe 订单", "%", longest)) {
            assertThat(allocator.allocate(name, 7).first()).isEqualTo(1);
            assertThat(allocator.allocate(name, 7).first()).isEqualTo(8);
            assertThat(rowsOf(name.replace("'", "''"))).isEqualTo(1);
        }
    }

    @Test
    void eightThreadsGetDisjointSegmentsThatRise() throws Exception {
        SegmentAllocator allocator = allocator(dataSource());
        allocator.allocate("orders", 1);

        List<List<Segment>> drawn = draw(allocator, 200);

        assertDisjoint(drawn);
        for (List<Segment> ofOneThread : drawn) {
            assertThat(ofOneThread).extracting(Segment::first).isSorted();
        }
    }

    @Test
    void allocatorsOfTwoProcessesShareOneRow() {
        SegmentAllocator one = allocator(dataSource());
        SegmentAllocator other = allocator(dataSource());

        assertThat(one.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
        assertThat(other.allocate("orders", 20)).isEqualTo(new Segment(11, 20, 1));
        assertThat(one.allocate("orders", 10)).isEqualTo(new Segment(31, 10, 1));
    }

    @Test
    void sixteenThreadsThatUseTwentyNewNamesFirstMakeOneRowOfEach() throws Exception {
        List<String> names = IntStream.range(0, 20).mapToObj(i -> "new-" + i).toList();

        List<List<Segment>> drawn = Together.run(16, thread -> {
            SegmentAllocator allocator = allocator(dataSource()); // each a process of its own
            return names.stream().map(name -> allocator.allocate(name, 10)).toList();
        });

        for (int i = 0; i < names.size(); i++) {
            int index = i;
            List<Segment> ofOneName =
                    drawn.stream().map(segments -> segments.get(index)).toList();
            assertDisjoint(List.of(ofOneName));
            assertThat(ofOneName).extracting(Segment::first).contains(1L).hasSize(16);
            assertThat(rowsOf(names.get(i))).isEqualTo(1);
        }
    }

    @Test
    void whatTheCallerRollsBackIsNotGivenAgain() throws SQLException {
        SegmentAllocator allocator = allocator(dataSource());
        Sql.execute(dataSource(), "CREATE TABLE orders (id BIGINT PRIMARY KEY)");
        List<Segment> drawn = new ArrayList<>();
        try (Connection caller = dataSource().getConnection()) {
            caller.setAutoCommit(false);
            for (int i = 0; i < 50; i++) {
                Segment segment = allocator.allocate("orders", 10);
                drawn.add(segment);
                try (Statement statement = caller.createStatement()) {
                    statement.execute("INSERT INTO orders VALUES (" + segment.first() + ")");
                }
                caller.rollback();
            }
        }

        assertDisjoint(List.of(drawn));
        assertThat(allocator.allocate("orders", 10).first()).isEqualTo(501);
        assertThat(Sql.number(dataSource(), "SELECT COUNT(*) FROM orders")).isZero();
    }

    @Test
    void theCallersConnectionIsNeverUsed() throws SQLException {
        AtomicInteger handedOut = new AtomicInteger();
        AtomicInteger callsOfTheCallersOwn = new AtomicInteger();
        DataSource counting = Wrapped.dataSource(() -> {
            boolean callers = handedOut.incrementAndGet() == 1;
            return Wrapped.wrap(Connection.class, dataSource().getConnection(), call -> {
                if (callers) {
                    callsOfTheCallersOwn.incrementAndGet();
                }
                return call.proceed();
            });
        });
        try (Connection caller = counting.getConnection()) {
            SegmentAllocator allocator = allocator(counting);
            assertThat(handedOut).as("connections before the first allocation").hasValue(1);
            allocator.allocate("orders", 10);
            int before = handedOut.get();
            allocator.allocate("orders", 10);

            assertThat(handedOut.get() - before)
                    .as("connections for an allocation")
                    .isEqualTo(1);
            assertThat(callsOfTheCallersOwn).hasValue(0);
            assertThat(caller.isClosed()).isFalse();
        }
    }

    @Test
    void everyConnectionIsGivenBack() throws SQLException {
        AtomicInteger open = new AtomicInteger();
        DataSource counting = Wrapped.dataSource(() -> {
            open.incrementAndGet();
            return Wrapped.wrap(Connection.class, dataSource().getConnection(), call -> {
                if (call.is("close")) {
                    open.decrementAndGet();
                }
                return call.proceed();
            });
        });
        SegmentAllocator allocator = allocator(counting);
        allocator.allocate("orders", 10);
        breakTables(dataSource());
        assertThrows(AllocationException.class, () -> allocator.allocate("orders", 10));

        assertThat(open).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void aServersStricterIsolationCausesNeitherErrorsNorDuplicates(int isolation) throws Exception {
        DataSource strict = withDefaultIsolation(isolation);
        try (Connection connection = strict.getConnection()) {
            assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
        }

        assertDisjoint(draw(allocator(strict), 100));
    }

    @ParameterizedTest
    @CsvSource({
        "true,  " + Connection.TRANSACTION_READ_COMMITTED,
        "false, " + Connection.TRANSACTION_READ_COMMITTED,
        "true,  " + Connection.TRANSACTION_REPEATABLE_READ,
        "false, " + Connection.TRANSACTION_REPEATABLE_READ,
        "true,  " + Connection.TRANSACTION_SERIALIZABLE,
        "false, " + Connection.TRANSACTION_SERIALIZABLE
    })
    void aConnectionIsGivenBackAsItWasFound(boolean autoCommit, int isolation) throws SQLException {
        try (KeptConnection kept = new KeptConnection(dataSource(), autoCommit, isolation, NETWORK_TIMEOUT_MILLIS)) {
            allocator(kept.dataSource()).allocate("orders", 10);

            assertThat(kept.borrowed()).isPositive();
            assertAsFound(kept, autoCommit, isolation);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true,  " + Connection.TRANSACTION_READ_COMMITTED,
        "false, " + Connection.TRANSACTION_READ_COMMITTED,
        "true,  " + Connection.TRANSACTION_SERIALIZABLE,
        "false, " + Connection.TRANSACTION_SERIALIZABLE
    })
    void afterAFailureTooAConnectionIsGivenBackAsItWasFound(boolean autoCommit, int isolation) throws SQLException {
        breakTables(dataSource());
        try (KeptConnection kept = new KeptConnection(dataSource(), autoCommit, isolation, NETWORK_TIMEOUT_MILLIS)) {
            SegmentAllocator allocator = allocator(kept.dataSource());
            assertThrows(AllocationException.class, () -> allocator.allocate("orders", 10));

            assertAsFound(kept, autoCommit, isolation);
        }
    }

    private static void assertAsFound(KeptConnection kept, boolean autoCommit, int isolation) throws SQLException {
        assertThat(kept.real().getAutoCommit()).as("auto-commit").isEqualTo(autoCommit);
        assertThat(kept.real().getTransactionIsolation()).as("isolation").isEqualTo(isolation);
        assertThat(kept.networkTimeout()).as("network timeout").isEqualTo(NETWORK_TIMEOUT_MILLIS);
        kept.real().setReadOnly(true); // refused while a transaction is open
        kept.real().setReadOnly(false);
    }

    @Test
    void theNetworkTimeoutIsLimitedForAsLongAsTheConnectionIsUsed() throws SQLException {
        try (KeptConnection kept =
                new KeptConnection(dataSource(), true, Connection.TRANSACTION_READ_COMMITTED, NETWORK_TIMEOUT_MILLIS)) {
            SegmentAllocator allocator = allocator(kept.dataSource());
            allocator.allocate("orders", 10);
            kept.networkTimeouts().clear();
            allocator.allocate("orders", 10);

            assertThat(kept.networkTimeouts()).containsExactly(5_000, NETWORK_TIMEOUT_MILLIS);
        }
    }

    @Test
    void anAllocationIsCommittedBeforeItReturnsAlsoOnAConnectionWithoutAutoCommit() throws SQLException {
        try (KeptConnection kept = new KeptConnection(
                dataSource(), false, Connection.TRANSACTION_READ_COMMITTED, NETWORK_TIMEOUT_MILLIS)) {
            assertThat(allocator(kept.dataSource()).allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));
            kept.real().rollback();

            assertThat(allocator(dataSource()).allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
        }
    }

    @Test
    void aCommitWhoseAnswerIsLostLeavesAGapAndNoDuplicate() {
        AtomicBoolean lose = new AtomicBoolean();
        DataSource losing = Wrapped.dataSource(() ->
                Wrapped.wrap(Connection.class, dataSource().getConnection(), call -> {
                    Object answer = call.proceed();
                    if (call.is("commit") && lose.getAndSet(false)) {
                        throw new SQLException("the answer is lost", "08006");
                    }
                    return answer;
                }));
        SegmentAllocator allocator = allocator(losing);
        assertThat(allocator.allocate("orders", 10)).isEqualTo(new Segment(1, 10, 1));

        lose.set(true);
        AllocationException e = assertThrows(AllocationException.class, () -> allocator.allocate("orders", 10));

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(e).hasMessageContaining("'orders'").hasMessageContaining("the answer is lost (SQL state 08006)");
        assertThat(lose).isFalse();
        assertThat(allocator.allocate("orders", 10)).isEqualTo(new Segment(21, 10, 1));
    }

    @Test
    void aCommitThatFailsGivesNoIds() {
        AtomicBoolean fail = new AtomicBoolean();
        DataSource failing = Wrapped.dataSource(() ->
                Wrapped.wrap(Connection.class, dataSource().getConnection(), call -> {
                    if (call.is("commit") && fail.getAndSet(false)) {
                        throw new SQLException("no", "40001");
                    }
                    return call.proceed();
                }));
        SegmentAllocator allocator = allocator(failing);
        allocator.allocate("orders", 10);

        fail.set(true);
        assertThat(assertThrows(AllocationException.class, () -> allocator.allocate("orders", 10))
                        .code())
                .isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(allocator.allocate("orders", 10).first()).isGreaterThanOrEqualTo(11);
    }

    @Test
    void aDatabaseThatIsAwayIsNamedWithItsError() {
        SQLException away = new SQLException("nobody listens", "08001");
        SegmentAllocator allocator = allocator(Wrapped.dataSource(() -> {
            throw away;
        }));

        AllocationException e = assertThrows(AllocationException.class, () -> allocator.allocate("orders", 10));

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(e)
                .hasMessageContaining("'orders'")
                .hasMessageContaining("nobody listens (SQL state 08001)")
                .hasCause(away);
    }

    final List<List<Segment>> draw(SegmentAllocator allocator, int allocationsPerThread) throws Exception {
        return Together.run(
                THREADS,
                thread -> IntStream.range(0, allocationsPerThread)
                        .mapToObj(i -> allocator.allocate("orders", 1 + (thread + i) % 10))
                        .toList());
    }

    static void assertDisjoint(Collection<List<Segment>> drawn) {
        Together.assertDistinct(drawn.stream()
                .flatMap(List::stream)
                .map(segment -> LongStream.iterate(segment.first(), id -> id + segment.stride())
                        .limit(segment.count())
                        .toArray())
                .toList());
    }
}
