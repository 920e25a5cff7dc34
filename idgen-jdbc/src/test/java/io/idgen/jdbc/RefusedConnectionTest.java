package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A database that refuses connections. Callers get its error message at once, and get ids again when it accepts
 * connections. Their timeouts are one hour, and a test ends after minutes.
 */
@Tag("nightly")
class RefusedConnectionTest {
    private static final String USER = "refused_" + ProcessHandle.current().pid();

    private final Database database = TestDatabase.POSTGRESQL.create();

    @BeforeEach
    void create() throws SQLException {
        new IdgenSchema(database.dataSource()).create();
        execute("CREATE ROLE " + USER + " LOGIN PASSWORD 'right'");
        execute("GRANT " + USER + " TO CURRENT_USER"); // required for dropping the role
        execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO " + USER);
        execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO " + USER);
    }

    @AfterEach
    void drop() throws SQLException {
        execute("DROP OWNED BY " + USER);
        execute("DROP ROLE " + USER);
        database.close();
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }

    private static IdSources.Builder sources(String strategy) {
        return IdSources.builder()
                .set("idgen.strategy", strategy)
                .set("idgen.acquire-timeout", "1h")
                .set("idgen.sources.orders.start", "1");
    }

    private IdSources.Builder byUrl(String strategy, String password) {
        return sources(strategy)
                .set("idgen.jdbc.url", database.plainUrl())
                .set("idgen.jdbc.user", USER)
                .set("idgen.jdbc.password", password);
    }

    private static void assertRefusedAtOnce(IdSource orders, String words) {
        for (int i = 0; i < 100; i++) {
            IdUnavailableException e = assertThrows(IdUnavailableException.class, orders::nextId);
            assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
            assertThat(e)
                    .hasMessageContaining(words)
                    .hasStackTraceContaining(StoreUnreachableException.class.getName());
        }
    }

    private static void assertOver(IdSource orders) throws Exception {
        Await.until("ids", () -> {
            try {
                return orders.nextId() > 0;
            } catch (IdUnavailableException e) {
                return false;
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "sequence-table", "snowflake"})
    void aWrongPassword(String strategy) throws Exception {
        try (IdSources sources = byUrl(strategy, "wrong").build()) {
            IdSource orders = sources.get("orders");
            assertRefusedAtOnce(orders, "password authentication failed for user \"" + USER + "\"");

            execute("ALTER ROLE " + USER + " PASSWORD 'wrong'");
            assertOver(orders);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "sequence-table", "snowflake"})
    void tooManyConnections(String strategy) throws Exception {
        execute("ALTER ROLE " + USER + " CONNECTION LIMIT 0");
        try (IdSources sources = byUrl(strategy, "right").build()) {
            IdSource orders = sources.get("orders");
            assertRefusedAtOnce(orders, "too many connections for role \"" + USER + "\"");

            execute("ALTER ROLE " + USER + " CONNECTION LIMIT -1");
            assertOver(orders);
        }
    }

    @ParameterizedTest
    @CsvSource({"segment, false", "sequence-table, true", "snowflake, false"})
    void aPortOnWhichNothingListens(String strategy, boolean endsLater) {
        FaultProxy network = FaultProxy.before(database.url());
        try (IdSources sources =
                sources(strategy).set("idgen.jdbc.url", network.url()).build()) {
            IdSource orders = sources.get("orders");
            if (endsLater) {
                orders.nextId();
            }
            network.close();

            assertRefusedAtOnce(orders, "refused");
        }
    }

    @Test
    void aServerThatIsSilentIsNoRefusalAndCallersWait() {
        try (FaultProxy network = FaultProxy.before(database.url());
                IdSources sources = sources("segment")
                        .set("idgen.jdbc.url", network.url())
                        .set("idgen.jdbc.timeout", "300ms")
                        .set("idgen.acquire-timeout", "1s")
                        .build()) {
            network.silence();

            IdGenerationException e = Await.failure(
                    "no request has succeeded", () -> sources.get("orders").nextId());

            assertThat(e).isInstanceOf(IdUnavailableException.class).hasMessageContaining("within 1 s");
        }
    }

    @Test
    void manyCallsInAnOutageAreFewLogins() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        try (IdSources sources = sources("segment")
                .resource(DataSource.class, Wrapped.dataSource(() -> {
                    logins.incrementAndGet();
                    return DriverManager.getConnection(database.plainUrl(), USER, "wrong");
                }))
                .build()) {
            IdSource orders = sources.get("orders");
            assertThrows(IdUnavailableException.class, orders::nextId);
            for (int i = 0; i < 1_000; i++) {
                assertThrows(IdUnavailableException.class, orders::nextId);
            }
            // a few attempts in the background, however long the calls take
            assertThat(logins).hasValueLessThan(100);
        }
    }

    /** MariaDB's error messages, which come with other codes. */
    @Test
    void aWrongPasswordAndAnUnknownDatabaseOfMariaDb() {
        try (Database mariaDb = TestDatabase.MARIADB.create()) {
            Map<String, IdSources.Builder> refused = Map.of(
                    "Access denied for user",
                    sources("segment")
                            .set("idgen.jdbc.url", mariaDb.plainUrl())
                            .set("idgen.jdbc.user", mariaDb.user())
                            .set("idgen.jdbc.password", "wrong"),
                    "nowhere",
                    sources("segment")
                            .set("idgen.jdbc.url", mariaDb.plainUrl().replaceAll("idgen_\\w+", "nowhere"))
                            .set("idgen.jdbc.user", mariaDb.user())
                            .set("idgen.jdbc.password", mariaDb.password()));
            refused.forEach((words, builder) -> {
                try (IdSources sources = builder.build()) {
                    assertRefusedAtOnce(sources.get("orders"), words);
                }
            });
        }
    }
}
