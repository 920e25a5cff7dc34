package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.Leases;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A primary with {@code binlog_format=STATEMENT}. Its replica executes the statements again, so an identity of the
 * server in them is that of the replica.
 */
class StatementBasedReplicationTest {
    private static final LeaseTerms TERMS = Leases.terms(1024);

    @Test
    @Tag("nightly")
    void ofMariaDbIsRefused() throws SQLException {
        isRefused(CrashPair.ofMariaDb(), "mariadb");
    }

    @Test
    @Tag("nightly")
    void ofMySqlIsRefused() throws SQLException {
        isRefused(CrashPair.ofMySql(), "mysql");
    }

    private static DataSource to(String url) {
        return Wrapped.dataSource(() -> DriverManager.getConnection(url));
    }

    private static void isRefused(CrashPair servers, String database) throws SQLException {
        try (servers) {
            DataSource primary = to(servers.url());
            new IdgenSchema(primary).create();
            assertThat(new Counters(primary)
                            .onDemand()
                            .startingAt(1)
                            .allocate("orders", 1)
                            .first())
                    .isOne();
            Sql.execute(primary, "SET GLOBAL binlog_format = 'STATEMENT'");

            List<Counters> counters = List.of(new Counters(primary), new Counters(primary).onDemand());
            for (Counters each : counters) {
                AllocationException e = assertThrows(AllocationException.class, () -> each.allocate("orders", 1));
                assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
                assertThat(e).hasMessageContaining("binlog_format");
            }
            AllocationException e =
                    assertThrows(AllocationException.class, () -> new JdbcWorkerIds(primary).candidates(TERMS, null));
            assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
            assertThat(e).hasMessageContaining("binlog_format");

            Sql.execute(
                    primary,
                    "UPDATE idgen_counter SET server_id = "
                            + Dialects.named(database).serverIdentity());
            servers.cut();
            assertThat(Sql.rows(to(servers.replicaUrl()), "SELECT server_id FROM idgen_counter"))
                    .as("control: the replica has not the identity of the primary")
                    .isNotEqualTo(Sql.rows(primary, "SELECT server_id FROM idgen_counter"));
        }
    }
}
