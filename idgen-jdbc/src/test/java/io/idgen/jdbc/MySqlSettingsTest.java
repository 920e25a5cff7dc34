package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Sql;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of a MySQL server and of its driver that change what statements do. */
@Tag("nightly")
class MySqlSettingsTest {
    private static final int IDS = 25;
    private static final String USER = "shop";

    @AutoClose
    private static RestartableServer server;

    @BeforeAll
    static void start() {
        server = RestartableServer.mySql("--log-bin=bin", "--lower-case-table-names=1");
    }

    @BeforeEach
    void empty() throws SQLException {
        empty(server);
    }

    private static void empty(RestartableServer mySql) throws SQLException {
        Sql.execute(mySql.dataSource(), "DROP DATABASE idgen");
        String server = mySql.url().replace("/idgen?", "/mysql?");
        try (var connection = DriverManager.getConnection(server)) {
            Sql.execute(connection, "CREATE DATABASE idgen");
        }
    }

    /** The sources of a process that has just started. */
    private static IdSources process(String url, String... settings) {
        IdSources.Builder builder = IdSources.builder()
                .set("idgen.jdbc.url", url)
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.segment.step", "10")
                .set("idgen.segment.reserve", "0s")
                .set("idgen.stepped.instance", "1")
                .set("idgen.stepped.instances", "2")
                .set("idgen.sources.leased.strategy", "snowflake");
        for (String strategy : List.of("segment", "sequence-table", "stepped")) {
            builder.set("idgen.sources." + strategy + ".strategy", strategy)
                    .set("idgen.sources." + strategy + ".start", "1");
        }
        for (String setting : settings) {
            builder.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
        }
        return builder.build();
    }

    private static void assertTwoProcessesGenerateDistinctIds(String url) {
        try (IdSources one = process(url);
                IdSources other = process(url)) {
            for (String name : List.of("leased", "segment", "sequence-table", "stepped")) {
                Set<Long> ids = new HashSet<>();
                for (int i = 0; i < IDS; i++) {
                    assertThat(ids.add(one.get(name).nextId())).isTrue();
                    assertThat(ids.add(other.get(name).nextId())).isTrue();
                }
                if (name.equals("sequence-table")) {
                    assertThat(ids)
                            .containsExactlyInAnyOrderElementsOf(
                                    LongStream.rangeClosed(1, 2 * IDS).boxed().toList());
                }
            }
        }
    }

    /** With {@code jdbcCompliantTruncation}, MySQL's driver would add the strict mode again. */
    @ParameterizedTest(name = "{0} = {1}, {2}")
    @CsvSource({
        "sql_mode, 'ANSI', ",
        "sql_mode, 'ANSI_QUOTES,STRICT_TRANS_TABLES', ",
        "sql_mode, 'NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES', ",
        "sql_mode, 'ONLY_FULL_GROUP_BY', jdbcCompliantTruncation=false",
        "sql_mode, '', jdbcCompliantTruncation=false",
        "transaction_isolation, READ-UNCOMMITTED, ",
        "transaction_isolation, READ-COMMITTED, ",
        "transaction_isolation, REPEATABLE-READ, ",
        "transaction_isolation, SERIALIZABLE, ",
        "sql_require_primary_key, ON, ",
        "time_zone, +14:00, ",
        "time_zone, -12:00, ",
        "innodb_flush_log_at_trx_commit, 2, ",
        "max_connections, 500, rewriteBatchedStatements=true",
        "max_connections, 500, useServerPrepStmts=true&cachePrepStmts=true"
    })
    void twoProcessesGenerateDistinctIds(String variable, String value, String options) throws SQLException {
        String before =
                Sql.rows(server.dataSource(), "SELECT @@global." + variable).get(0);
        Sql.execute(server.dataSource(), "SET GLOBAL " + variable + " = " + literal(value));
        try {
            assertTwoProcessesGenerateDistinctIds(server.url() + (options == null ? "" : "&" + options));
        } finally {
            Sql.execute(server.dataSource(), "SET GLOBAL " + variable + " = " + literal(before));
        }
    }

    private static String literal(String value) {
        return value.matches("\\d+") ? value : "'" + value + "'";
    }

    /** The setting of the server in all these tests, because it cannot change later. */
    @Test
    void namesOfTablesAreInLowerCase() throws SQLException {
        Sql.execute(server.dataSource(), "CREATE TABLE Shop (id bigint PRIMARY KEY)");
        assertThat(Sql.rows(server.dataSource(), "SHOW TABLES")).containsExactly("shop");
    }

    /** The default collation of a database, utf8mb4_0900_ai_ci, treats these names as equal. */
    @Test
    void namesThatDifferInCaseOrAccentsHaveCountersOfTheirOwn() throws SQLException {
        assertThat(Sql.rows(server.dataSource(), "SELECT @@collation_database, 'orders' = 'Órders'"))
                .as("control")
                .containsExactly("utf8mb4_0900_ai_ci | 1");
        new IdgenSchema(server.dataSource()).create();
        for (String name : List.of("orders", "Orders", "órders")) {
            assertThat(new Counters(server.dataSource())
                            .startingAt(1)
                            .allocate(name, 1)
                            .first())
                    .isOne();
        }
    }

    /** They are one namespace there, so the processes share its worker ids. */
    @Test
    void namespacesThatDifferInCaseOrAccentsRepeatNoId() {
        Set<Long> ids = new HashSet<>();
        try (IdSources one = process(server.url(), "idgen.worker.namespace=shop");
                IdSources other = process(server.url(), "idgen.worker.namespace=Shop");
                IdSources third = process(server.url(), "idgen.worker.namespace=shóp")) {
            for (int i = 0; i < IDS; i++) {
                for (IdSources each : List.of(one, other, third)) {
                    assertThat(ids.add(each.get("leased").nextId())).isTrue();
                }
            }
        }
    }

    /** A user with the rights of docs/databases.md by a role, whom {@code super_read_only} and {@code max_user_connections} concern. */
    private String urlOfUser() throws SQLException {
        Sql.execute(server.dataSource(), "CREATE USER IF NOT EXISTS " + USER + " IDENTIFIED BY 'right'");
        Sql.execute(server.dataSource(), "CREATE ROLE IF NOT EXISTS idgen_role");
        for (String table : List.of("idgen_worker", "idgen_counter")) {
            Sql.execute(server.dataSource(), "GRANT SELECT, INSERT, UPDATE ON idgen." + table + " TO idgen_role");
        }
        Sql.execute(server.dataSource(), "GRANT idgen_role TO " + USER);
        Sql.execute(server.dataSource(), "SET DEFAULT ROLE idgen_role TO " + USER);
        return server.url().replaceAll("user=\\w+", "user=" + USER).replaceAll("password=[^&]+", "password=right");
    }

    @ParameterizedTest
    @CsvSource({
        "super_read_only = ON, read_only = OFF, read-only",
        "max_user_connections = 1, max_user_connections = 0, max_user_connections"
    })
    void isAnOutageThatEndsWithTheSetting(String begin, String end, String message) throws Exception {
        new IdgenSchema(server.dataSource()).create();
        String url = urlOfUser();
        Sql.execute(server.dataSource(), "SET GLOBAL " + begin);
        try (var held = DriverManager.getConnection(url);
                IdSources sources = process(url, "idgen.acquire-timeout=1s", "idgen.acquire-timeout=1s")) {
            assertThat(held.isValid(1)).isTrue();
            for (String name : List.of("leased", "segment", "sequence-table", "stepped")) {
                IdSource source = sources.get(name);
                assertThat(Await.failure(message, source::nextId)).isInstanceOf(IdUnavailableException.class);
            }
            Sql.execute(server.dataSource(), "SET GLOBAL " + end);
            for (String name : List.of("leased", "segment", "sequence-table", "stepped")) {
                Await.until("an id of " + name, () -> isServed(sources.get(name)));
            }
        } finally {
            Sql.execute(server.dataSource(), "SET GLOBAL read_only = OFF");
            Sql.execute(server.dataSource(), "SET GLOBAL max_user_connections = 0");
        }
    }

    private static boolean isServed(IdSource source) {
        try {
            return source.nextId() > 0;
        } catch (IdUnavailableException e) {
            return false;
        }
    }

    /** The server has not cached the password of this user, so it asks for it in full, which needs TLS or its key. */
    @Test
    void aPasswordWithoutTlsIsRefusedWithTheWayOut() throws SQLException {
        new IdgenSchema(server.dataSource()).create();
        Sql.execute(server.dataSource(), "FLUSH PRIVILEGES");
        String url = urlOfUser().replace("&allowPublicKeyRetrieval=true", "");
        try (IdSources sources = process(url)) {
            IdUnavailableException e = assertThrows(
                    IdUnavailableException.class, () -> sources.get("segment").nextId());
            assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
            assertThat(e)
                    .hasMessageContaining("Public Key Retrieval is not allowed; the server wants")
                    .hasMessageContaining("connect with TLS");
        }
    }
}
