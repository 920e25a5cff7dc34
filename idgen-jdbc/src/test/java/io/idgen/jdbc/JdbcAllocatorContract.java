package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.SegmentAllocatorContract;
import io.idgen.test.internal.ParallelThreads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * The contract of every {@link SegmentAllocator} over a database, in addition to {@link SegmentAllocatorContract}, with
 * one subclass per strategy, on every database. A test that is impossible on one of them is an {@link Exemption}.
 */
abstract class JdbcAllocatorContract extends SegmentAllocatorContract {
    private static final int THREADS = 8;
    private static final int NETWORK_TIMEOUT_MILLIS = 54_321;
    private static final SQLException LOST = new SQLException("the answer is lost", "08006");

    @Parameter(0)
    TestDatabase kind;

    private Database database;

    /** Creates the tables or sequences for the names {@code orders} and {@code items}. */
    abstract void prepare(DataSource dataSource) throws SQLException;

    /** Drops what {@link #prepare} has created. */
    abstract void unprepare(DataSource dataSource) throws SQLException;

    /** Creates an allocator whose names start at the first possible id and end below a limit. */
    abstract SegmentAllocator allocator(DataSource dataSource, long limit);

    /** The error code for a user without grants. */
    abstract ErrorCode withoutGrants();

    /** Whether a read-only session can allocate on this database. */
    boolean allocatesByReading() {
        return false;
    }

    /** Whether a user without grants can allocate on this database. */
    boolean allocatesForEverybody() {
        return false;
    }

    /** Returns the segment for a request of {@code wanted} ids if {@code first} is the next id. */
    Segment run(long first, int wanted) {
        return new Segment(first, 1, 1);
    }

    /** Returns the smallest id of this allocator that is not below {@code id}. */
    long align(long id) {
        return id;
    }

    @BeforeEach
    final void open() throws SQLException {
        database = kind.create();
        prepare(dataSource());
    }

    @AfterEach
    final void close() {
        database.close();
    }

    final DataSource dataSource() {
        return database.dataSource();
    }

    final SegmentAllocator allocator(DataSource dataSource) {
        return allocator(dataSource, Long.MAX_VALUE);
    }

    @Override
    protected final SegmentAllocator allocator() {
        return allocator(dataSource());
    }

    @Override
    protected final Optional<SegmentAllocator> allocatorBelow(long limit) {
        return Optional.of(allocator(dataSource(), limit));
    }

    /** Returns the segment that this allocator returns after another one. */
    final Segment after(Segment before, int wanted) {
        return run(align(before.last() + 1), wanted);
    }

    /** Returns the first segment that this allocator returns. */
    final Segment firstRun(int wanted) {
        return run(align(1), wanted);
    }

    /** Returns whether this database is exempt from the following assertions. */
    final boolean isExempt(Exemption exemption) {
        return exemption.isOf(kind);
    }

    static AllocationException refusal(SegmentAllocator allocator) {
        return assertThrows(AllocationException.class, () -> allocator.allocate("orders", 10));
    }

    @Test
    void runsBeginAtTheStartAndFollowOneAnother() {
        SegmentAllocator allocator = allocator();
        Segment last = null;
        for (int wanted : new int[] {10, 1, 10, 1_000_000, 3, Integer.MAX_VALUE, 1}) {
            Segment run = allocator.allocate("orders", wanted);
            assertThat(run).isEqualTo(last == null ? firstRun(wanted) : after(last, wanted));
            last = run;
        }
    }

    @Test
    void whatTheCallerRollsBackIsNotGivenAgain() throws SQLException {
        SegmentAllocator allocator = allocator();
        Sql.execute(dataSource(), "CREATE TABLE shop_orders (id BIGINT)");
        List<Segment> drawn = new ArrayList<>();
        try (Connection caller = dataSource().getConnection()) {
            caller.setAutoCommit(false);
            for (int i = 0; i < 20; i++) {
                Segment segment = allocator.allocate("orders", 10);
                drawn.add(segment);
                try (Statement statement = caller.createStatement()) {
                    statement.execute("INSERT INTO shop_orders VALUES (" + segment.first() + ")");
                }
                caller.rollback();
            }
        }

        assertDisjoint(List.of(drawn));
        assertThat(allocator.allocate("orders", 10)).isEqualTo(after(drawn.get(19), 10));
        assertThat(Sql.number(dataSource(), "SELECT COUNT(*) FROM shop_orders")).isZero();
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
        Connection caller = counting.getConnection();
        SegmentAllocator allocator = allocator(counting);
        assertThat(handedOut).as("connections before the first allocation").hasValue(1);
        allocator.allocate("orders", 10);
        int before = handedOut.get();
        allocator.allocate("orders", 10);

        assertThat(handedOut.get() - before).as("connections for an allocation").isEqualTo(1);
        assertThat(callsOfTheCallersOwn).hasValue(0);
        caller.close();
    }

    @Test
    void everyConnectionIsReturned() throws SQLException {
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
        assertThat(open).hasValue(0);
        unprepare(dataSource());
        refusal(allocator);

        assertThat(open).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void aSessionsStricterIsolationCausesNeitherErrorsNorDuplicates(int isolation) throws Exception {
        DataSource strict = Wrapped.dataSource(() -> {
            Connection connection = dataSource().getConnection();
            connection.setTransactionIsolation(isolation);
            assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
            return connection;
        });

        assertDisjoint(draw(allocator(strict), 10));
    }

    @ParameterizedTest
    @CsvSource({
        "true,  " + Connection.TRANSACTION_READ_COMMITTED,
        "false, " + Connection.TRANSACTION_READ_COMMITTED,
        "true,  " + Connection.TRANSACTION_SERIALIZABLE,
        "false, " + Connection.TRANSACTION_REPEATABLE_READ
    })
    void aConnectionIsReturnedAsItWasFoundAfterFailuresToo(boolean autoCommit, int isolation) throws SQLException {
        try (KeptConnection kept = new KeptConnection(dataSource(), autoCommit, isolation, NETWORK_TIMEOUT_MILLIS)) {
            SegmentAllocator allocator = allocator(kept.dataSource());
            Segment first = allocator.allocate("orders", 10);
            assertAsFound(kept, autoCommit, isolation);
            assertThat(allocator().allocate("orders", 10)).isEqualTo(after(first, 10)); // no lock remains

            unprepare(dataSource());
            refusal(allocator);
            assertAsFound(kept, autoCommit, isolation);
            prepare(dataSource());
        }
    }

    private void assertAsFound(KeptConnection kept, boolean autoCommit, int isolation) throws SQLException {
        assertThat(kept.real().getAutoCommit()).as("auto-commit").isEqualTo(autoCommit);
        assertThat(kept.real().getTransactionIsolation()).as("isolation").isEqualTo(isolation);
        assertThat(kept.networkTimeout()).as("network timeout").isEqualTo(NETWORK_TIMEOUT_MILLIS);
        if (!isExempt(Exemption.OPEN_TRANSACTION)) {
            kept.real().setReadOnly(true); // refused while a transaction is open
            kept.real().setReadOnly(false);
        }
    }

    @Test
    void theNetworkTimeoutIsLimitedForAsLongAsTheConnectionIsUsed() throws SQLException {
        try (KeptConnection kept =
                new KeptConnection(dataSource(), true, Connection.TRANSACTION_READ_COMMITTED, NETWORK_TIMEOUT_MILLIS)) {
            SegmentAllocator allocator = allocator(kept.dataSource());
            allocator.allocate("orders", 10);
            kept.networkTimeouts().clear();
            allocator.allocate("orders", 10);

            assertThat(kept.networkTimeouts())
                    .isEqualTo(
                            isExempt(Exemption.NETWORK_TIMEOUT) ? List.of() : List.of(5_000, NETWORK_TIMEOUT_MILLIS));
        }
    }

    /** Runs a test's action at the call that makes an allocation durable: its statement, or the commit after it. */
    private DataSource lasting(Wrapped.Allocation allocation) throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            return Dialects.of(connection).returning().isPresent()
                    ? Wrapped.allocatingStatements(dataSource(), allocation)
                    : Wrapped.commits(dataSource(), allocation);
        }
    }

    @Test
    void anAllocationWhoseAnswerIsLostLeavesAGapAndNoDuplicate() throws SQLException {
        AtomicBoolean lose = new AtomicBoolean();
        SegmentAllocator allocator = allocator(lasting((connection, call) -> {
            Object answer = call.proceed();
            if (lose.getAndSet(false)) {
                throw LOST;
            }
            return answer;
        }));
        Segment first = allocator.allocate("orders", 10);

        lose.set(true);
        AllocationException e = refusal(allocator);

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(e)
                .hasMessageContaining("orders")
                .hasMessageContaining("the answer is lost (SQL state 08006)")
                .hasRootCause(LOST);
        assertThat(allocator.allocate("orders", 10)).isEqualTo(after(after(first, 10), 10));
    }

    @Test
    void aConnectionKilledInTheMiddleOfAnAllocationIsAnOutageAndRepeatsNothing() throws SQLException {
        AtomicBoolean kill = new AtomicBoolean();
        SegmentAllocator allocator = allocator(Wrapped.allocatingStatements(dataSource(), (connection, call) -> {
            if (kill.getAndSet(false)) {
                kill(connection);
            }
            return call.proceed();
        }));
        Segment first = allocator.allocate("orders", 10);

        kill.set(true);
        assertThat(refusal(allocator).code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(allocator.allocate("orders", 10).first()).isGreaterThan(first.last());
    }

    private void kill(Connection connection) throws SQLException {
        if (isExempt(Exemption.KILLED_SESSION)) {
            connection.close();
        } else if (kind == TestDatabase.POSTGRESQL) {
            int session = connection.unwrap(PGConnection.class).getBackendPID();
            assertThat(Sql.rows(dataSource(), "SELECT pg_terminate_backend(" + session + ", 10000)"))
                    .containsExactly("t");
        } else {
            Sql.execute(
                    dataSource(),
                    "KILL " + Sql.rows(connection, "SELECT CONNECTION_ID()").get(0));
        }
    }

    @Test
    void aDatabaseThatIsAwayIsNamedWithItsError() {
        SQLException away = new SQLException("nobody listens", "08001");
        AllocationException e = refusal(allocator(Wrapped.dataSource(() -> {
            throw away;
        })));

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(e)
                .hasMessageContaining("orders")
                .hasMessageContaining("nobody listens (SQL state 08001)")
                .hasRootCause(away);
    }

    @Test
    void aSessionThatMayOnlyReadIsAnOutageAndItsConnectionIsThrownAway() throws SQLException {
        Segment first = allocator().allocate("orders", 10);
        if (!isExempt(Exemption.READ_ONLY_SESSION) && !allocatesByReading()) {
            AtomicReference<Connection> last = new AtomicReference<>();
            AllocationException e = refusal(allocator(Wrapped.dataSource(() -> {
                last.set(dataSource().getConnection());
                mayOnlyRead(last.get());
                return last.get();
            })));

            assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
            assertThat(last.get().isClosed()).isTrue();
        }
        assertThat(allocator().allocate("orders", 10)).isEqualTo(after(first, 10));
    }

    private void mayOnlyRead(Connection connection) throws SQLException {
        switch (kind) {
            case MARIADB, MARIADB_BY_MYSQL_DRIVER, MYSQL, MYSQL_BY_MARIADB_DRIVER ->
                Sql.execute(connection, "SET SESSION TRANSACTION READ ONLY");
            case POSTGRESQL -> Sql.execute(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
            case SQLITE -> Sql.execute(connection, "PRAGMA query_only = 1");
            default -> connection.setReadOnly(true);
        }
    }

    @Test
    void aUserWithoutGrantsIsRefusedForGood() throws SQLException {
        if (!isExempt(Exemption.GRANTS) && !allocatesForEverybody()) {
            String guest = guest();
            String url = database.plainUrl().replaceAll(";.*", ""); // only an H2 administrator may set options
            try {
                AllocationException e = refusal(
                        allocator(Wrapped.dataSource(() -> DriverManager.getConnection(url, guest, "guest-secret"))));

                assertThat(e.code()).isEqualTo(withoutGrants());
                if (kind != TestDatabase.HSQLDB) { // which reports a missing object
                    assertThat(e).hasMessageMatching("(?s).*; run GRANT [A-Z, ]+ ON .* TO (?i)" + guest);
                }
            } finally {
                Sql.execute(dataSource(), "DROP USER " + guest);
            }
        }
        assertThat(allocator().allocate("orders", 10)).isEqualTo(firstRun(10));
    }

    /**
     * Creates a user of this database with read access at most. Users belong to the server, so each has a unique name.
     */
    private String guest() throws SQLException {
        String catalog;
        try (Connection connection = dataSource().getConnection()) {
            catalog = connection.getCatalog();
        }
        String name = ("guest_" + catalog).toLowerCase(Locale.ROOT);
        switch (kind) {
            case MARIADB, MARIADB_BY_MYSQL_DRIVER, MYSQL, MYSQL_BY_MARIADB_DRIVER -> {
                Sql.execute(dataSource(), "CREATE USER " + name + " IDENTIFIED BY 'guest-secret'");
                Sql.execute(dataSource(), "GRANT SELECT ON " + catalog + ".* TO " + name);
                return name;
            }
            default -> {
                Sql.execute(dataSource(), "CREATE USER " + name + " PASSWORD 'guest-secret'");
                return kind == TestDatabase.HSQLDB ? name.toUpperCase(Locale.ROOT) : name;
            }
        }
    }

    @Test
    void aThreadThatIsInterruptedWhileItWaitsForAnIdLosesNone() throws Exception {
        try (Gate gate = new Gate(dataSource());
                IdSource orders = source(gate)) {
            FutureTask<Long> id = new FutureTask<>(orders::nextId);
            Thread waiting = started(id);
            gate.awaitSomebody();
            waiting.interrupt();

            assertThat(failure(id).code()).isEqualTo(ErrorCode.INTERRUPTED);
            gate.open();
            assertThat(orders.nextId()).isEqualTo(align(1));
        }
    }

    @Test
    void closingASourceWhileItsRefillIsUnderWayEndsTheWaitAndTheRefill() throws Exception {
        try (Gate gate = new Gate(dataSource())) {
            IdSource orders = source(gate);
            FutureTask<Long> id = new FutureTask<>(orders::nextId);
            started(id);
            gate.awaitSomebody();
            orders.close();

            assertThat(failure(id).code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
            gate.open();
            gate.awaitNobody();
            assertThat(allocator().allocate("orders", 10).first()).isGreaterThanOrEqualTo(align(1));
        }
    }

    private SegmentIdSource source(Gate gate) {
        return SegmentIdSource.builder(allocator(gate.dataSource()), "orders")
                .acquireTimeout(Duration.ofSeconds(30))
                .build();
    }

    /** Blocks requests for connections until it is opened. */
    private static final class Gate implements AutoCloseable {
        private final DataSource real;
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);
        private final CountDownLatch givenBack = new CountDownLatch(1);

        Gate(DataSource real) {
            this.real = real;
        }

        DataSource dataSource() {
            return Wrapped.dataSource(() -> {
                asked.countDown();
                await(opened);
                return Wrapped.wrap(Connection.class, real.getConnection(), call -> {
                    Object answer = call.proceed();
                    if (call.is("close")) {
                        givenBack.countDown();
                    }
                    return answer;
                });
            });
        }

        void awaitSomebody() {
            await(asked);
        }

        void open() {
            opened.countDown();
        }

        void awaitNobody() {
            await(givenBack);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            open();
        }
    }

    static Thread started(FutureTask<?> task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true); // if it blocks forever, its test fails and the others continue
        thread.start();
        return thread;
    }

    static IdGenerationException failure(FutureTask<?> task) {
        ExecutionException e = assertThrows(ExecutionException.class, () -> task.get(20, TimeUnit.SECONDS));
        assertThat(e.getCause()).isInstanceOf(IdGenerationException.class);
        return (IdGenerationException) e.getCause();
    }

    final List<List<Segment>> draw(SegmentAllocator allocator, int allocationsPerThread) throws Exception {
        return ParallelThreads.run(
                THREADS,
                thread -> IntStream.range(0, allocationsPerThread)
                        .mapToObj(i -> allocator.allocate("orders", 1 + (thread + i) % 10))
                        .toList());
    }

    static void assertDisjoint(Collection<List<Segment>> drawn) {
        ParallelThreads.assertDistinct(drawn.stream()
                .flatMap(List::stream)
                .map(segment -> ids(segment).toArray())
                .toList());
    }

    private static LongStream ids(Segment segment) {
        return LongStream.iterate(segment.first(), id -> id + segment.stride()).limit(segment.count());
    }
}
