package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.Leases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What protects leases on PostgreSQL alone. */
@Tag("databases")
class LeasesOnPostgreSqlTest {
    private static final LeaseTerms TERMS = Leases.terms(1024);

    @AutoClose
    private final Database database = TestDatabase.POSTGRESQL.create();

    private final List<String> sent = new ArrayList<>();
    private final JdbcWorkerIds store = new JdbcWorkerIds(Wrapped.dataSource(this::recording));

    @BeforeEach
    void makeTable() {
        new IdgenSchema(dataSource()).create();
    }

    private DataSource dataSource() {
        return database.dataSource();
    }

    private Connection recording() throws SQLException {
        return Wrapped.wrap(Connection.class, dataSource().getConnection(), call -> {
            if (call.is("prepareStatement")) {
                sent.add((String) call.arguments()[0]);
            }
            return call.proceed();
        });
    }

    /** With {@code synchronous_commit=off}, a crash of the server would lose the grant, and ids would repeat. */
    @Test
    void eachGrantIsFlushedWhateverTheSessionSays() {
        Lease lease = Leases.acquire(store, TERMS, "token");
        assertThat(sent.get(sent.size() - 1)).contains("granted_from = horizon").contains("'synchronous_commit'");

        sent.clear();
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isTrue();
        assertThat(sent).singleElement().asString().contains("SET horizon = ?").contains("'synchronous_commit'");
    }

    /** A promoted replica has the system identifier of its former primary, and another timeline. */
    @Test
    void theTimelineIsPartOfTheIdentity() throws SQLException {
        Lease lease = Leases.acquire(store, TERMS, "token");
        assertThat(Sql.rows(dataSource(), "SELECT DISTINCT server_id FROM idgen_worker"))
                .isEqualTo(Sql.rows(
                        dataSource(),
                        "SELECT system_identifier || '-' || upper(lpad(to_hex(timeline_id), 8, '0'))"
                                + " FROM pg_control_system(), pg_control_checkpoint()"));

        Sql.execute(
                dataSource(),
                "UPDATE idgen_worker SET server_id = left(server_id, length(server_id) - 8) || '0000000F'");

        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isFalse();
        assertThat(store.look(TERMS, lease).orElseThrow().sameServer()).isFalse();
        assertThat(store.candidates(TERMS, null).rows()).isNotEmpty().noneMatch(Row::sameServer);
    }
}
