package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A MariaDB primary and its replica, behind a data source that splits statements as ProxySQL does: plain queries go to
 * the replica, unless their transaction has written. The replica shows no commits since the creation of the tables.
 */
@Tag("nightly")
class SplitReadsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @AutoClose
    private final CrashPair servers = CrashPair.ofMariaDb();

    SplitReadsTest() throws SQLException {}

    enum Driver {
        MARIADB(url -> url),
        MYSQL(url -> url.replace("jdbc:mariadb:", "jdbc:mysql:").replace("sslMode=disable", "sslMode=DISABLED"));

        final UnaryOperator<String> url;

        Driver(UnaryOperator<String> url) {
            this.url = url;
        }

        DataSource to(String server) {
            return new UrlDataSource(url.apply(server), "", "", TIMEOUT);
        }
    }

    /** Splits the statements of its connections; {@code isWrite} tells after which ones queries go to the primary. */
    private static DataSource split(DataSource primary, DataSource replica, Predicate<String> isWrite) {
        return Wrapped.dataSource(() -> {
            Connection reads = replica.getConnection();
            boolean[] hasWritten = new boolean[1];
            return Wrapped.wrap(Connection.class, primary.getConnection(), call -> {
                if (call.is("close")) {
                    reads.close();
                }
                if (call.is("commit") || call.is("rollback")) {
                    hasWritten[0] = false;
                }
                if (!call.is("prepareStatement")) {
                    return call.proceed();
                }
                String sql = (String) call.arguments()[0];
                if (sql.startsWith("SELECT ") && !sql.endsWith(" FOR UPDATE") && !hasWritten[0]) {
                    return reads.prepareStatement(sql);
                }
                hasWritten[0] |= isWrite.test(sql) && !((Connection) call.real()).getAutoCommit();
                return call.proceed();
            });
        });
    }

    private DataSource split(Driver driver, Predicate<String> isWrite) throws SQLException {
        DataSource primary = driver.to(servers.url());
        new IdgenSchema(primary).create();
        servers.cut();
        return split(primary, driver.to(servers.replicaUrl()), isWrite);
    }

    private static IdSources.Builder sources(DataSource dataSource) {
        return IdSources.builder().resource(DataSource.class, dataSource).source("orders");
    }

    @ParameterizedTest
    @EnumSource
    void aProcessGetsALeaseAtOnceThatBeginsNow(Driver driver) throws SQLException {
        DataSource split = split(driver, sql -> !sql.startsWith("SELECT "));

        try (IdSources sources = sources(split).build()) {
            assertThat(SnowflakeLayout.IDGEN
                            .parse(sources.get("orders").nextId())
                            .time())
                    .isBefore(Instant.now().plusSeconds(30));
        }
    }

    /** The replica shows the row as another server's. */
    @ParameterizedTest
    @EnumSource
    void aLeaseIsRenewedAndNeverLost(Driver driver) throws Exception {
        DataSource split = split(driver, sql -> !sql.startsWith("SELECT "));
        List<Kind> events = new CopyOnWriteArrayList<>();

        try (Snowflake ids = ShortLeases.times(Snowflake.builder(), Duration.ofSeconds(1), Duration.ofSeconds(20))
                .leasedFrom(new JdbcWorkerIds(split))
                .listener(event -> events.add(event.kind()))
                .build()) {
            ids.nextId();
            long lease = leaseEnd(driver);
            Await.until("renewals for two seconds", () -> leaseEnd(driver) > lease + 2_000);
            ids.nextId();
        }
        assertThat(events).doesNotContain(Kind.LEASE_LOST);
    }

    private long leaseEnd(Driver driver) throws SQLException {
        return Sql.number(driver.to(servers.url()), "SELECT MAX(lease_until) FROM idgen_worker");
    }

    /** The control: the write before the query for candidates does not bring the query to the primary. */
    @ParameterizedTest
    @EnumSource
    void ifCandidatesAreReadFromTheReplicaThereIsNoLeaseAndTheMessageNamesTheCause(Driver driver) throws SQLException {
        DataSource split = split(driver, sql -> false);

        try (IdSources sources =
                sources(split).set("idgen.acquire-timeout", "2s").build()) {
            assertThat(Await.failure("sends reads to a replica", sources.get("orders")::nextId)
                            .code())
                    .isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        }
    }
}
