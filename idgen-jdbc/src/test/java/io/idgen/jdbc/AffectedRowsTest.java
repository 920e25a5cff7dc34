package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachMySqlServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.LeaseStoreContract;
import io.idgen.test.internal.Leases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Runs the contract of leases with drivers that count only the rows whose values change, as {@code
 * useAffectedRows=true} in the URL demands.
 */
@ParameterizedClass(allowZeroInvocations = true) // nothing but servers of MariaDB and MySQL
@EachMySqlServer
@Tag("servers")
@Tag("databases")
class AffectedRowsTest extends LeaseStoreContract {
    private static final LeaseTerms TERMS = Leases.terms(1024);

    private final TestDatabase kind;

    @AutoClose
    private Database database;

    AffectedRowsTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Override
    protected LeaseStore open() {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        return store(changedRows());
    }

    private static JdbcWorkerIds store(DataSource dataSource) {
        return new JdbcWorkerIds(dataSource).withTimeout(Duration.ofMinutes(1));
    }

    private DataSource changedRows() {
        return Wrapped.dataSource(() -> DriverManager.getConnection(database.url() + "&useAffectedRows=true"));
    }

    @Override
    protected void expire(Lease lease) {
        try {
            Sql.execute(
                    database.dataSource(),
                    "UPDATE idgen_worker SET lease_until = 0 WHERE worker_id = " + lease.workerId());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Optional<LeaseStore> failOver() {
        return Optional.of(store(changedRows()).identifiedAs("the next server"));
    }

    @Test
    void theDriverCountsOnlyRowsThatChange() throws SQLException {
        String sql = "UPDATE idgen_worker SET layout = layout WHERE worker_id = 0";
        try (Connection changed = changedRows().getConnection();
                Connection found = database.dataSource().getConnection();
                PreparedStatement one = changed.prepareStatement(sql);
                PreparedStatement other = found.prepareStatement(sql)) {
            assertThat(one.executeUpdate()).isZero();
            assertThat(other.executeUpdate())
                    .as("control: without the property")
                    .isOne();
        }
    }

    @Test
    void rowsThatWereSetBackAreHealed() throws SQLException {
        LeaseStore store = store(changedRows());
        Lease lease = Leases.acquire(store, TERMS, "token");
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET fence = 0, horizon = 0 WHERE worker_id = " + lease.workerId());

        assertThat(store.heal(TERMS, lease)).isTrue();
        assertThat(store.look(TERMS, lease).orElseThrow().generation()).isEqualTo(1);
        assertThat(store.candidates(TERMS, null).rows()).allMatch(row -> row.horizonMillis() > lease.horizonMillis());
    }

    @Test
    void aNamespaceWhoseFirstProcessSetItsWorkerIdGetsItsOtherRows() throws SQLException {
        LeaseStore store = store(changedRows());
        assertThat(store.candidates(Leases.terms("shop", 7, 1), null).rows()).hasSize(1);
        Sql.execute(
                database.dataSource(),
                "UPDATE idgen_worker SET owner_token = 'first', lease_until = 99999999999999 WHERE namespace = 'shop'");

        assertThat(store.candidates(Leases.terms("shop", 0, 32), null).rows()).hasSize(31);
    }

    /** The time of the sessions stands still. */
    @Test
    void renewalsInOneMillisecondAreRenewals() throws SQLException {
        String now = Sql.rows(database.dataSource(), "SELECT FLOOR(UNIX_TIMESTAMP())")
                .get(0);
        LeaseStore store = store(Wrapped.dataSource(() -> {
            Connection connection = changedRows().getConnection();
            Sql.execute(connection, "SET timestamp = " + now);
            return connection;
        }));
        Lease lease = Leases.acquire(store, TERMS, "token");
        for (int i = 0; i < 4; i++) {
            assertThat(store.renew(TERMS, lease)).isTrue();
        }
        assertThat(Sql.number(
                                database.dataSource(),
                                "SELECT lease_until FROM idgen_worker WHERE worker_id = " + lease.workerId())
                        - Long.parseLong(now) * 1_000)
                .isBetween(30_000L, 30_001L);
    }

    @Test
    void countersFollowTheirRows() throws SQLException {
        for (SegmentAllocator each : List.<SegmentAllocator>of(
                new Counters(changedRows()).startingAt(1).withReach(100), new Counters(changedRows()).onDemand())) {
            Segment first = each.allocate("orders", 10);
            Segment second = each.allocate("orders", 10);
            assertThat(second.first()).isEqualTo(first.last() + 1);
        }
        Sql.execute(database.dataSource(), "UPDATE idgen_counter SET next_id = 1");
        assertThat(new Counters(changedRows())
                        .onDemand()
                        .identifiedAs("another server")
                        .allocate("orders", 10)
                        .first())
                .as("twice the reach above the row of the other server")
                .isEqualTo(201);
    }
}
