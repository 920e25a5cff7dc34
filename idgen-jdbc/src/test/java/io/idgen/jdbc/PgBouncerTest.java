package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.PgBouncer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Leases;
import io.idgen.test.internal.ParallelThreads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** PgBouncer in transaction mode. Four clients with one connection each take turns on two connections to the server. */
@Tag("nightly")
class PgBouncerTest {
    private static final int CLIENTS = 4;
    private static final int CALLS = 80;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String READ = "SELECT next_id FROM idgen_counter WHERE name = ?";

    private final Database database = TestDatabase.POSTGRESQL.create();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void makeTables() throws SQLException {
        new IdgenSchema(database.dataSource()).create();
        Sql.execute(database.dataSource(), "CREATE SEQUENCE order_ids");
        Sql.execute(database.dataSource(), "CREATE SEQUENCE order_blocks INCREMENT BY 50");
        new Counters(database.dataSource()).startingAt(1).allocate("orders", 1);
    }

    @AfterEach
    void close() throws Exception {
        Collections.reverse(opened);
        for (AutoCloseable each : opened) {
            each.close();
        }
        database.close();
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.add(resource);
        return resource;
    }

    private PgBouncer bouncer(int serverConnections) {
        return open(PgBouncer.before(database, serverConnections));
    }

    /** The kinds of connections that a client can use. */
    private enum Connections {
        /** idgen's own connections to {@code idgen.jdbc.url}. */
        OWN {
            @Override
            DataSource of(PgBouncerTest test, PgBouncer bouncer) {
                return test.open(OwnConnections.to(
                                bouncer.url(), test.database.user(), test.database.password(), TIMEOUT))
                        .dataSource();
            }
        },

        /** An application's pool of one connection, as the page of managed databases says. */
        HANDED_IN {
            @Override
            DataSource of(PgBouncerTest test, PgBouncer bouncer) {
                HikariDataSource pool = test.poolOfOne(bouncer);
                pool.addDataSourceProperty("prepareThreshold", "0");
                return pool;
            }
        };

        abstract DataSource of(PgBouncerTest test, PgBouncer bouncer);
    }

    private HikariDataSource poolOfOne(PgBouncer bouncer) {
        HikariDataSource pool = open(new HikariDataSource());
        pool.setJdbcUrl(bouncer.url());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(1);
        return pool;
    }

    private List<DataSource> clients(Connections connections) {
        PgBouncer bouncer = bouncer(2);
        return Stream.generate(() -> connections.of(this, bouncer))
                .limit(CLIENTS)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void segmentsAreAllocatedByEveryCall(Connections connections) {
        assertEveryCallAllocates(connections, Counters::new);
    }

    @ParameterizedTest
    @EnumSource
    void idsOfTheSequenceTableAreAllocatedByEveryCall(Connections connections) {
        assertEveryCallAllocates(
                connections, dataSource -> new Counters(dataSource).onDemand().startingAt(1));
    }

    @ParameterizedTest
    @EnumSource
    void valuesOfASequenceAreAllocatedByEveryCall(Connections connections) {
        assertEveryCallAllocates(connections, dataSource -> new NativeSequence(dataSource, "order_ids"));
    }

    @ParameterizedTest
    @EnumSource
    void blocksOfASequenceAreAllocatedByEveryCall(Connections connections) {
        assertEveryCallAllocates(
                connections,
                dataSource ->
                        new NativeSequence(dataSource, "order_blocks").inBlocks(50, NativeSequence.ValueIs.FIRST));
    }

    private void assertEveryCallAllocates(
            Connections connections, Function<DataSource, ? extends SegmentAllocator> allocator) {
        List<SegmentAllocator> clients = clients(connections).stream()
                .<SegmentAllocator>map(allocator::apply)
                .toList();
        Set<Long> firsts = new HashSet<>();
        for (int call = 0; call < CALLS; call++) {
            Segment segment = clients.get(call % CLIENTS).allocate("orders", 1);
            assertThat(firsts.add(segment.first())).as("is new: %s", segment).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void workerIdsAreLeasedByEveryCall(Connections connections) {
        LeaseTerms terms = Leases.terms(1024);
        List<JdbcWorkerIds> clients =
                clients(connections).stream().map(JdbcWorkerIds::new).toList();
        Set<Integer> leased = new HashSet<>();
        for (int call = 0; call < CALLS; call++) {
            JdbcWorkerIds client = clients.get(call % CLIENTS);
            var candidates = client.candidates(terms, null);
            Row row = candidates.rows().get(0);
            if (!row.sameServer()) {
                long advanced = candidates.nowMillis() + terms.gapMillis() + 1_000;
                assertThat(client.fenceOff(terms, row, advanced)).isTrue();
                continue;
            }
            Lease lease =
                    Leases.after(row, "token-" + call, Math.max(row.horizonMillis(), candidates.nowMillis()) + 1_000);
            assertThat(client.acquire(terms, row, null, lease)).isTrue();
            assertThat(client.renew(terms, lease)).isTrue();
            assertThat(leased.add(lease.workerId())).isTrue();
        }
        assertThat(leased).isNotEmpty();
    }

    /** The control: the driver's default behaviour. */
    @Test
    void preparedStatementsOfClientsThatShareASessionFail() throws SQLException {
        PgBouncer bouncer = bouncer(2);
        List<HikariDataSource> clients =
                Stream.generate(() -> poolOfOne(bouncer)).limit(CLIENTS).toList();
        Set<String> states = new HashSet<>();
        for (int call = 0; call < CALLS; call++) {
            try (Connection connection = clients.get(call % CLIENTS).getConnection();
                    PreparedStatement statement = connection.prepareStatement(READ)) {
                statement.setString(1, "orders");
                statement.executeQuery();
            } catch (SQLException e) {
                states.add(e.getSQLState());
            }
        }
        assertThat(states).contains("42P05");
    }

    @ParameterizedTest
    @EnumSource
    void theIsolationOfOtherClientsIsLeftAloneAndABusyRowIsNoError(Connections connections) throws Exception {
        repeatableReadByDefault();
        PgBouncer bouncer = bouncer(4);
        List<DataSource> clients = Stream.generate(() -> connections.of(this, bouncer))
                .limit(CLIENTS)
                .toList();
        AtomicInteger allocated = new AtomicInteger();
        ParallelThreads.run(CLIENTS, client -> {
            SegmentAllocator allocator = new Counters(clients.get(client));
            for (int call = 0; call < CALLS / CLIENTS; call++) {
                allocator.allocate("orders", 1);
                allocated.incrementAndGet();
            }
            return client;
        });

        assertThat(allocated).hasValue(CALLS);
        assertThat(isolations(poolOfOne(bouncer))).containsOnly("repeatable read");
    }

    /** The control: {@code Connection.setTransactionIsolation} also affects other clients. */
    @Test
    void anIsolationThatIsSetForASessionIsTheNextClientsToo() throws SQLException {
        repeatableReadByDefault();
        PgBouncer bouncer = bouncer(1);
        try (Connection client = poolOfOne(bouncer).getConnection()) {
            client.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);

            assertThat(isolations(poolOfOne(bouncer))).containsOnly("read committed");
        }
    }

    private void repeatableReadByDefault() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            Sql.execute(
                    connection,
                    "ALTER DATABASE " + connection.getCatalog()
                            + " SET default_transaction_isolation = 'repeatable read'");
        }
    }

    /** Returns the isolation levels of new clients, on whichever server sessions are free. */
    private static Set<String> isolations(DataSource dataSource) throws SQLException {
        Set<String> isolations = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement();
                    var rows = statement.executeQuery("SHOW transaction_isolation")) {
                rows.next();
                isolations.add(rows.getString(1));
            }
        }
        return isolations;
    }
}
