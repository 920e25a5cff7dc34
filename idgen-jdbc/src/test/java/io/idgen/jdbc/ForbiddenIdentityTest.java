package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.sql.SchemaScript;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An ordinary user of PostgreSQL who may not call {@code pg_control_system()}, as docs/maintenance.md describes. */
@Tag("databases")
class ForbiddenIdentityTest {
    private static final String USER = "forbidden_" + ProcessHandle.current().pid();
    private static final String NAME = "db-1";
    private static final Pattern EXPRESSION =
            Pattern.compile("\\(\\(SELECT system_identifier .*\\)$", Pattern.MULTILINE);

    private final Database database = TestDatabase.POSTGRESQL.create();

    @BeforeEach
    void createUser() throws SQLException {
        Sql.execute(
                new UrlDataSource(database.plainUrl(), "postgres", "", Duration.ofSeconds(5)),
                "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
        execute("CREATE ROLE " + USER + " LOGIN PASSWORD 'right'");
        execute("GRANT " + USER + " TO CURRENT_USER");
        execute("GRANT ALL ON SCHEMA public TO " + USER);
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

    private DataSource ofUser() {
        return new UrlDataSource(database.plainUrl(), USER, "right", Duration.ofSeconds(5));
    }

    private IdSources.Builder sources(String strategy) {
        return IdSources.builder()
                .resource(DataSource.class, ofUser())
                .set("idgen.strategy", strategy)
                .set("idgen.acquire-timeout", "1m") // on a busy machine, the first refill takes longer than 3 s
                .set("idgen.sources.orders.start", "1");
    }

    /** Runs the script with the name of the server in place of the expression for its identity. */
    private void createTables() throws SQLException {
        String script = new IdgenSchema(ofUser()).createScript();
        String named = EXPRESSION.matcher(script).replaceAll("'" + NAME + "'");
        assertThat(named).doesNotContain("pg_control_system");
        for (String statement : new SchemaScript(named).statements()) {
            Sql.execute(ofUser(), statement);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"snowflake", "segment", "sequence-table"})
    void withANameInTheScriptAndInTheSettingsThereAreIdsAtOnce(String strategy) throws SQLException {
        createTables();
        try (IdSources sources =
                sources(strategy).set("idgen.jdbc.server-identity", NAME).build()) {
            long id = sources.get("orders").nextId();
            if (strategy.equals("snowflake")) {
                assertThat(SnowflakeLayout.IDGEN.parse(id).time())
                        .isBefore(Instant.now().plusSeconds(5));
            } else {
                assertThat(id).isOne();
            }
        }
    }

    /** The controls. */
    @Test
    void theScriptAsItIsAndSourcesWithoutTheNameAreRefused() throws SQLException {
        DataSource ofUser = ofUser();
        assertThat(assertThrows(AllocationException.class, () -> new IdgenSchema(ofUser).create()))
                .hasMessageContaining("permission denied for function pg_control_system");
        execute("DROP OWNED BY " + USER);
        execute("GRANT ALL ON SCHEMA public TO " + USER);
        createTables();
        for (String strategy : new String[] {"snowflake", "segment"}) {
            try (IdSources sources = sources(strategy).build()) {
                AllocationException e = assertThrows(
                        AllocationException.class, () -> sources.get("orders").nextId());
                assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
                assertThat(e).hasMessageContaining("permission denied for function pg_control_system");
            }
        }
    }
}
