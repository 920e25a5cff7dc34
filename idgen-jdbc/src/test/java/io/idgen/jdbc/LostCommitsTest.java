package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.Leases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that acknowledge commits before they are on disk, killed right after a commit that allocated ids. */
@Tag("nightly")
class LostCommitsTest {
    static final LeaseTerms TERMS = Leases.terms(1024);

    @AutoClose
    private static RestartableServer postgreSql;

    @BeforeAll
    static void start() throws SQLException {
        postgreSql = RestartableServer.postgreSqlThatLosesCommits();
        new IdgenSchema(postgreSql.dataSource()).create();
        Sql.execute(postgreSql.dataSource(), "CREATE SEQUENCE orders");
        Sql.execute(postgreSql.dataSource(), "INSERT INTO idgen_counter (name, next_id) VALUES ('orders', 1)");
        Sql.execute(postgreSql.dataSource(), "CREATE TABLE shop (id bigint)");
    }

    /** The kinds of grants. Each grants numbers below a limit, which the database must not forget. */
    enum Grant {
        IDS_OF_A_COUNTER("SELECT next_id FROM idgen_counter") {
            @Override
            long from(DataSource database) {
                return new Counters(database).allocate("orders", 100).last() + 1;
            }
        },
        VALUES_OF_A_SEQUENCE("SELECT nextval('orders')") {
            @Override
            long from(DataSource database) {
                NativeSequence sequence = new NativeSequence(database, "orders");
                long last = 0;
                for (int i = 0; i < 40; i++) { // PostgreSQL logs 32 values in advance; this needs a second log record
                    last = sequence.allocate("orders", 1).last();
                }
                return last + 1;
            }
        },
        A_LEASE("SELECT MAX(horizon) FROM idgen_worker") {
            @Override
            long from(DataSource database) {
                return acquired(database).horizonMillis();
            }
        },
        AN_EXTENSION("SELECT MAX(horizon) FROM idgen_worker") {
            @Override
            long from(DataSource database) throws SQLException {
                Lease lease = acquired(database);
                flush(); // only the extension can be lost
                assertThat(new JdbcWorkerIds(database).extend(TERMS, lease, lease.horizonMillis() + 60_000))
                        .isTrue();
                return lease.horizonMillis() + 60_000;
            }
        };

        private final String known;

        Grant(String known) {
            this.known = known;
        }

        String known() {
            return known;
        }

        abstract long from(DataSource database) throws SQLException;

        static Lease acquired(DataSource database) {
            JdbcWorkerIds store = new JdbcWorkerIds(database);
            Candidates candidates = store.candidates(TERMS, null);
            Row row = candidates.rows().get(0);
            Lease lease = new Lease(row.workerId(), row.fence() + 1, "token", candidates.nowMillis() + 15_000, 0, null);
            assertThat(store.acquire(TERMS, row, null, lease)).isTrue();
            return lease;
        }
    }

    @ParameterizedTest
    @EnumSource
    void postgreSqlKnowsAllThatItHasHandedOutAlsoWithoutSynchronousCommits(Grant grant) throws SQLException {
        long granted = grantAndKill(grant, postgreSql.dataSource());

        assertThat(Sql.number(postgreSql.dataSource(), grant.known)).isGreaterThanOrEqualTo(granted);
    }

    /** The control: the same statements without the condition lose the grant. */
    @ParameterizedTest
    @EnumSource
    void withoutTheConditionPostgreSqlForgetsIt(Grant grant) throws SQLException {
        DataSource careless = Wrapped.dataSource(() -> {
            Connection connection = postgreSql.dataSource().getConnection();
            return Wrapped.wrap(Connection.class, connection, call -> {
                if (call.is("prepareStatement")) {
                    call.arguments()[0] =
                            ((String) call.arguments()[0]).replace("'synchronous_commit',", "'idgen.nothing',");
                }
                return call.proceed();
            });
        });

        // PostgreSQL writes unwritten commits every ten seconds, which may be between grant and kill
        boolean forgotten = false;
        for (int i = 0; i < 20 && !forgotten; i++) {
            long granted = grantAndKill(grant, careless);
            forgotten = Sql.number(postgreSql.dataSource(), grant.known) < granted;
        }
        assertThat(forgotten).isTrue();
    }

    /** Makes sure that all commits so far are on disk. */
    private static void flush() throws SQLException {
        try (Connection connection = postgreSql.dataSource().getConnection()) {
            Sql.execute(connection, "SET synchronous_commit = on");
            Sql.execute(connection, "INSERT INTO shop VALUES (1)");
        }
    }

    private static long grantAndKill(Grant grant, DataSource database) throws SQLException {
        Sql.execute(
                postgreSql.dataSource(),
                "UPDATE idgen_worker SET horizon = 0, lease_until = 0,"
                        + " server_id = (SELECT server_id FROM idgen_worker WHERE worker_id = -1)");
        flush();
        long granted = grant.from(database);
        postgreSql.kill();
        postgreSql.start();
        return granted;
    }

    @Test
    void mariaDbThatMayHaveLostCommitsIsAnotherServerAfterARestart() throws Exception {
        try (RestartableServer mariaDb = RestartableServer.mariaDbThatLosesCommits()) {
            isAnotherServerAfterARestart(mariaDb);
        }
    }

    @Test
    void mariaDbWithDurableCommitsIsTheSameServerAfterARestart() throws SQLException {
        try (RestartableServer mariaDb = RestartableServer.mariaDb()) {
            isTheSameServerAfterARestart(mariaDb);
        }
    }

    /** The identity contains the second of the start, so a restart within the same second does not change it. */
    static void awaitSecondAfterTheStart(RestartableServer server) throws Exception {
        Await.until("the second of the start to pass", () -> !uptime(server).matches("Uptime \\| [01]"));
    }

    static void isAnotherServerAfterARestart(RestartableServer server) throws Exception {
        new IdgenSchema(server.dataSource()).create();
        Sql.execute(server.dataSource(), "FLUSH ENGINE LOGS"); // only the lease can be lost
        Lease lease = Grant.acquired(server.dataSource());
        JdbcWorkerIds store = new JdbcWorkerIds(server.dataSource());
        assertThat(store.look(TERMS, lease).orElseThrow().sameServer()).isTrue();
        awaitSecondAfterTheStart(server);

        server.kill();
        server.start();

        assertThat(store.look(TERMS, lease).orElseThrow().sameServer()).isFalse();
        assertThat(store.candidates(TERMS, null).rows()).isNotEmpty().noneMatch(Row::sameServer);
    }

    private static String uptime(RestartableServer server) throws SQLException {
        return Sql.rows(server.dataSource(), "SHOW GLOBAL STATUS LIKE 'UPTIME'").get(0);
    }

    static void isTheSameServerAfterARestart(RestartableServer server) throws SQLException {
        new IdgenSchema(server.dataSource()).create();
        Lease lease = Grant.acquired(server.dataSource());

        server.kill();
        server.start();

        JdbcWorkerIds store = new JdbcWorkerIds(server.dataSource());
        assertThat(store.look(TERMS, lease).orElseThrow().sameServer()).isTrue();
        assertThat(List.of(
                        Sql.number(server.dataSource(), "SELECT MAX(horizon) FROM idgen_worker"),
                        Sql.number(server.dataSource(), "SELECT COUNT(DISTINCT server_id) FROM idgen_worker")))
                .containsExactly(lease.horizonMillis(), 1L);
    }
}
