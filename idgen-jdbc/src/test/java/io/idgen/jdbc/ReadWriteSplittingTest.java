package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Pgpool;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.Leases;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pgpool-II in front of a PostgreSQL primary and its replica. It sends reads to the replica, which shows no commits
 * since the creation of the tables.
 */
@Timeout(120)
@Tag("servers")
class ReadWriteSplittingTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String FUNCTIONS_READ = "write_function_list = 'nextval,setval'";

    /**
     * The server identity for proxies that treat the functions for the identity as reads. On a replica, these functions
     * fail.
     */
    private static final String IDENTITY = "primary";

    @AutoClose
    private final PostgreSqlPair servers = new PostgreSqlPair();

    private final DataSource primary = new UrlDataSource(servers.url(), "", "", TIMEOUT);

    ReadWriteSplittingTest() throws SQLException {}

    /** The statements that the proxy treats as reads. */
    enum Proxy {
        /** No statement with a function that may have side effects. */
        AS_INSTALLED(""),

        /** Every {@code SELECT} except those from sequences. */
        EVERY_FUNCTION_READS(FUNCTIONS_READ),

        /** The same, except statements that name a table of idgen. */
        TABLES_OF_IDGEN_ARE_WRITTEN(FUNCTIONS_READ
                + "\nprimary_routing_query_pattern_list = '.*idgen_(segment|sequence|stepped|worker).*'");

        final String configuration;

        Proxy(String configuration) {
            this.configuration = configuration;
        }

        Pgpool before(PostgreSqlPair servers) {
            return Pgpool.before(servers, configuration);
        }

        boolean needsAnIdentity() {
            return this == EVERY_FUNCTION_READS;
        }
    }

    private void makeTables(Proxy kind) throws SQLException {
        new IdgenSchema(primary).create();
        if (kind.needsAnIdentity()) {
            Sql.execute(primary, "UPDATE idgen_worker SET server_id = '" + IDENTITY + "'");
        }
        servers.pauseReplay();
    }

    @ParameterizedTest
    @EnumSource
    void sourcesOfAllKindsWorkAndNoLeaseIsLost(Proxy kind) throws Exception {
        makeTables(kind);
        try (Pgpool proxy = kind.before(servers);
                MixedLoad load = MixedLoad.of(
                        List.of(proxy.url(), proxy.url()),
                        "idgen.worker.lease=1s",
                        "idgen.worker.window=2s",
                        kind.needsAnIdentity() ? "idgen.jdbc.server-identity=" + IDENTITY : "idgen.startup=lazy")) {
            load.awaitEach(10);
            long first = lowestHorizon();
            Await.until("more than a window of renewals", () -> lowestHorizon() > first + 3_000);
            load.awaitEach(10);

            load.endDistinct();
            assertThat(MixedLoad.STRATEGIES)
                    .allSatisfy(strategy -> assertThat(load.failures(strategy)).isEmpty());
            assertThat(Sql.number(primary, "SELECT SUM(fence) FROM idgen_worker"))
                    .as("leases of two processes")
                    .isEqualTo(2);
        }
    }

    private long lowestHorizon() throws SQLException {
        return Sql.number(primary, "SELECT MIN(horizon) FROM idgen_worker WHERE fence > 0");
    }

    @Test
    void aLookSeesWhatItsProcessHasJustWritten() throws Exception {
        makeTables(Proxy.EVERY_FUNCTION_READS);
        try (Pgpool proxy = Proxy.EVERY_FUNCTION_READS.before(servers)) {
            DataSource split = new UrlDataSource(proxy.url(), "", "", TIMEOUT);

            assertThat(lookAfterAcquiring(split))
                    .hasValueSatisfying(view -> assertThat(view.held()).isTrue());
        }
    }

    /** The control: without the lock clause, the proxy does not send the same statement to the primary. */
    @Test
    void withoutALockALookSeesWhatTheReplicaHas() throws Exception {
        makeTables(Proxy.EVERY_FUNCTION_READS);
        try (Pgpool proxy = Proxy.EVERY_FUNCTION_READS.before(servers)) {
            DataSource split = new UrlDataSource(proxy.url(), "", "", TIMEOUT);
            DataSource withoutLocks =
                    Wrapped.dataSource(() -> Wrapped.wrap(Connection.class, split.getConnection(), call -> {
                        if (call.is("prepareStatement")) {
                            call.arguments()[0] = ((String) call.arguments()[0]).replace(" FOR UPDATE", "");
                        }
                        return call.proceed();
                    }));

            assertThat(lookAfterAcquiring(withoutLocks))
                    .hasValueSatisfying(view -> assertThat(view.held()).isFalse());
        }
    }

    private static Optional<LeaseView> lookAfterAcquiring(DataSource dataSource) {
        Terms terms = Leases.terms(1024);
        JdbcWorkerIds store = new JdbcWorkerIds(dataSource).identifiedAs(IDENTITY);
        return store.look(terms, Leases.acquire(store, terms, "token"));
    }
}
