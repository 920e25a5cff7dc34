package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the SQL statements of the documentation for DBAs and for the person on call. */
@Tag("databases")
class OperationsPageTest {
    private static final Pattern SQL = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);

    private static List<String> statements(String... pages) throws IOException {
        List<String> statements = new ArrayList<>();
        for (String page : pages) {
            SQL.matcher(Files.readString(Path.of("..", "docs", page)))
                    .results()
                    .forEach(result -> statements.add(result.group(1).strip()));
        }
        return statements;
    }

    @ParameterizedTest
    @EachDatabase
    void everyStatementOfThePagesRuns(TestDatabase kind) throws Exception {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            try (Snowflake snowflake = Snowflake.builder()
                    .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                    .build()) {
                snowflake.nextId();
                List<String> statements =
                        statements("operations.md", "maintenance.md", "internals/statements.md").stream()
                                .map(statement -> onDatabase(kind, statement))
                                .filter(statement -> isFor(kind, statement))
                                .toList();
                assertThat(statements.stream().filter(statement -> statement.contains("lease_ends")))
                        .allSatisfy(statement -> assertThat(Sql.rows(database.dataSource(), statement))
                                .singleElement()
                                .asString()
                                .contains(ProcessHandle.current().pid() + "@")
                                .containsPattern("20\\d\\d-\\d\\d-\\d\\d \\d\\d:"));
                for (String statement : statements) {
                    Sql.execute(database.dataSource(), statement);
                }
            }
        }
    }

    /** Changes a statement as the page says. */
    private static String onDatabase(TestDatabase kind, String statement) {
        return kind.name().startsWith("M") ? statement.replace("to_timestamp", "FROM_UNIXTIME") : statement;
    }

    private static boolean isFor(TestDatabase kind, String statement) {
        if (statement.contains("INNODB_LOCK_WAITS")) {
            return kind.name().startsWith("MARIADB");
        }
        if (statement.contains("sys.innodb_lock_waits")) {
            return kind.name().startsWith("MYSQL");
        }
        return kind == TestDatabase.POSTGRESQL || !statement.matches("(?s)ALTER.*|.*(to_timestamp|pg_).*");
    }

    @Test
    void theGrantsAreEnoughForAUserWhoOnlyMakesIds() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(database.dataSource(), "DROP ROLE IF EXISTS shop");
            Sql.execute(database.dataSource(), "CREATE ROLE shop LOGIN PASSWORD 'shop'");
            try {
                JdbcWorkerIds store = new JdbcWorkerIds(
                        Wrapped.dataSource(() -> DriverManager.getConnection(database.plainUrl(), "shop", "shop")));
                try (Snowflake snowflake = Snowflake.builder().leasedFrom(store).build()) {
                    assertThat(assertThrows(IdGenerationException.class, snowflake::nextId)
                                    .code())
                            .isEqualTo(ErrorCode.STATEMENT_REFUSED);
                }
                Sql.execute(
                        database.dataSource(),
                        statements("databases.md").stream()
                                .filter(statement -> statement.startsWith("GRANT"))
                                .findFirst()
                                .orElseThrow());
                try (Snowflake snowflake = Snowflake.builder().leasedFrom(store).build()) {
                    assertThat(snowflake.nextId()).isPositive();
                }
            } finally {
                dropUser(database);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aReachThatIsRaisedAsThePageSaysCountsFromTheNextTenMinutesOn(TestDatabase kind) throws Exception {
        String raise = statements("databases.md").stream()
                .filter(statement -> statement.startsWith("UPDATE idgen_counter")
                        && statement.contains("TIMESTAMPDIFF") == (kind == TestDatabase.MARIADB))
                .findFirst()
                .orElseThrow();
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            Counters segments =
                    new Counters(database.dataSource()).withReach(1_000).startingAt(1);
            segments.allocate("orders", 900);
            segments.allocate("items", 900);

            Sql.execute(database.dataSource(), raise);
            Sql.execute(database.dataSource(), "UPDATE idgen_counter SET reach = 4000000000 WHERE name = 'items'");

            assertThat(segments.allocate("orders", 5_000).count())
                    .as("what was left of the old reach")
                    .isEqualTo(100);
            assertThat(assertThrows(AllocationException.class, () -> segments.allocate("orders", 1))
                            .code())
                    .isEqualTo(ErrorCode.REACH_USED_UP);
            assertThat(segments.allocate("items", 5_000).count())
                    .as("control: with the column alone the new reach counts at once")
                    .isEqualTo(5_000);
            Sql.execute(database.dataSource(), "UPDATE idgen_counter SET win = 0"); // ten minutes later
            assertThat(segments.allocate("orders", 1_000_000).count()).isEqualTo(1_000_000);
        }
    }

    private static void dropUser(Database database) throws SQLException {
        Sql.execute(database.dataSource(), "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM shop");
        Sql.execute(database.dataSource(), "DROP ROLE shop");
    }
}
