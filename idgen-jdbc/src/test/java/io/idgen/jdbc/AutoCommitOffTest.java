package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachMySqlServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.Leases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Servers whose sessions begin without auto-commit mode, and drivers that believe in it: Connector/J with {@code
 * useLocalSessionState}, and MariaDB's driver on MySQL. A statement that such a driver takes for committed is lost.
 */
@ParameterizedClass(allowZeroInvocations = true) // nothing but servers of MariaDB and MySQL
@EachMySqlServer
@Tag("servers")
class AutoCommitOffTest {
    private static final LeaseTerms TERMS = Leases.terms(1024);

    private final TestDatabase kind;
    private Database database;
    private String url;

    AutoCommitOffTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void begin() throws SQLException {
        database = kind.create();
        url = database.url()
                + (kind == TestDatabase.MARIADB || kind == TestDatabase.MYSQL_BY_MARIADB_DRIVER
                        ? ""
                        : "&useLocalSessionState=true");
        new IdgenSchema(database.dataSource()).create();
        Sql.execute(database.dataSource(), "SET GLOBAL autocommit = 0");
    }

    @AfterEach
    void end() throws SQLException {
        Sql.execute(database.dataSource(), "SET GLOBAL autocommit = 1");
        database.close();
    }

    /** MariaDB's driver knows the mode of MariaDB's sessions. */
    private boolean driverIsWrong() {
        return kind != TestDatabase.MARIADB;
    }

    private DataSource withoutPool() {
        return Wrapped.dataSource(() -> DriverManager.getConnection(url));
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    /** Removes idgen's condition from its statements. */
    private static DataSource careless(DataSource dataSource) {
        return Wrapped.dataSource(() -> Wrapped.wrap(Connection.class, dataSource.getConnection(), call -> {
            if (call.is("prepareStatement")) {
                call.arguments()[0] = ((String) call.arguments()[0]).replace(" AND @@autocommit = 1", "");
            }
            return call.proceed();
        }));
    }

    /** Returns the first ids of segments that two allocators get in turn. */
    private static List<Long> firsts(SegmentAllocator one, SegmentAllocator other) {
        List<Long> firsts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Segment segment = one.allocate("orders", 10);
            firsts.add(segment.first());
            firsts.add(other.allocate("orders", 10).first());
        }
        return firsts;
    }

    private static List<SegmentAllocator> allocators(DataSource dataSource) {
        return List.of(
                new Counters(dataSource).startingAt(1),
                new Counters(dataSource).onDemand().startingAt(1),
                new SteppedSequence(List.of(new Counters(dataSource).startingAt(1))));
    }

    @Test
    void countersRepeatNoIdWithoutAPool() {
        for (int i = 0; i < 3; i++) {
            assertThat(firsts(
                            allocators(withoutPool()).get(i),
                            allocators(withoutPool()).get(i)))
                    .doesNotHaveDuplicates()
                    .isSorted();
        }
    }

    @Test
    void countersRepeatNoIdInAPool() {
        try (HikariDataSource one = pool();
                HikariDataSource other = pool()) {
            for (int i = 0; i < 3; i++) {
                assertThat(firsts(allocators(one).get(i), allocators(other).get(i)))
                        .doesNotHaveDuplicates()
                        .isSorted();
            }
        }
    }

    /** The control: without the condition, a second process gets the same ids. */
    @Test
    void withoutTheConditionCountersRepeatIds() {
        assumeTrue(driverIsWrong(), "this driver knows the mode of sessions");
        for (int i = 0; i < 3; i++) {
            SegmentAllocator one = allocators(careless(withoutPool())).get(i);
            SegmentAllocator other = allocators(careless(withoutPool())).get(i);
            assertThat(new HashSet<>(firsts(one, other)))
                    .as("different ones of ten segments of %s", one)
                    .hasSizeLessThan(10);
        }
    }

    private long stored(String column, int workerId) throws SQLException {
        return Sql.number(
                database.dataSource(), "SELECT " + column + " FROM idgen_worker WHERE worker_id = " + workerId);
    }

    @Test
    void leasesThatWereGrantedAreCommitted() throws SQLException {
        try (HikariDataSource pool = pool()) {
            for (DataSource each : List.of(withoutPool(), pool)) {
                JdbcWorkerIds store = new JdbcWorkerIds(each);
                Lease lease = Leases.acquire(store, TERMS, "one");
                assertThat(stored("horizon", lease.workerId())).isEqualTo(lease.horizonMillis());
                assertThat(Leases.acquire(new JdbcWorkerIds(withoutPool()), TERMS, "other")
                                .workerId())
                        .isNotEqualTo(lease.workerId());

                long later = lease.horizonMillis() + 15_000;
                assertThat(store.extend(TERMS, lease, later)).isTrue();
                assertThat(stored("horizon", lease.workerId())).isEqualTo(later);
                Lease extended = lease.withHorizon(later);
                assertThat(store.look(TERMS, extended).orElseThrow().held()).isTrue();
                assertThat(store.renew(TERMS, extended)).isTrue();
                assertThat(store.release(TERMS, extended, later)).isTrue();
                assertThat(stored("lease_until", lease.workerId())).isZero();
            }
        }
    }

    /** The control: without the condition, a lease that was granted is not in the table. */
    @Test
    void withoutTheConditionALeaseThatWasGrantedIsLost() throws SQLException {
        assumeTrue(driverIsWrong(), "this driver knows the mode of sessions");
        Lease lease = Leases.acquire(new JdbcWorkerIds(careless(withoutPool())), TERMS, "one");

        assertThat(stored("horizon", lease.workerId())).isZero();
        assertThat(Leases.acquire(new JdbcWorkerIds(careless(withoutPool())), TERMS, "other")
                        .workerId())
                .isEqualTo(lease.workerId());
    }

    @Test
    void idgensOwnConnectionsHaveTheMode() throws SQLException {
        DataSource own = new UrlDataSource(url, "", "", Duration.ofSeconds(5));
        try (Connection connection = own.getConnection()) {
            assertThat(Sql.rows(connection, "SELECT @@autocommit")).containsExactly("1");
        }
        try (Connection control = withoutPool().getConnection()) {
            assertThat(Sql.rows(control, "SELECT @@autocommit"))
                    .as("control: a connection of the driver")
                    .containsExactly(driverIsWrong() ? "0" : "1");
        }
    }
}
