package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                        statements("operations.md", "maintenance.md", "internals/statements.md", "databases.md")
                                .stream()
                                .filter(statement -> !statement.matches("(GRANT|UPDATE idgen_counter SET used)[^~]*"))
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

    /** MySQL has those of MariaDB, without the sequence, and a role as the page says. */
    @ParameterizedTest
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void theGrantsAreEnoughForAUserWhoOnlyMakesIds(TestDatabase kind) throws Exception {
        boolean hasSequences = kind != TestDatabase.MYSQL;
        List<String> grants = statements("databases.md").stream()
                .filter(block -> block.startsWith("GRANT")
                        && block.contains("idgen_counter, idgen_worker") == (kind == TestDatabase.POSTGRESQL))
                .flatMap(block -> block.lines())
                .filter(grant -> hasSequences || !grant.contains("orders_seq"))
                .map(grant -> hasSequences ? grant : grant.replace("TO shop", "TO idgen_role"))
                .toList();
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            List<String> users = new ArrayList<>(List.of(
                    kind == TestDatabase.POSTGRESQL
                            ? "CREATE ROLE shop LOGIN PASSWORD 'shop'"
                            : "CREATE USER shop IDENTIFIED BY 'shop'"));
            users.add(hasSequences ? "CREATE SEQUENCE orders_seq INCREMENT BY 50" : "CREATE ROLE idgen_role");
            drop(database);
            for (String each : users) {
                Sql.execute(database.dataSource(), each);
            }
            try (IdSources sources = IdSources.builder()
                    .set("idgen.jdbc.url", database.plainUrl())
                    .set("idgen.jdbc.user", "shop")
                    .set("idgen.jdbc.password", "shop")
                    .set("idgen.sources.orders.strategy", "native-sequence")
                    .set("idgen.sources.orders.increment", "50")
                    .set("idgen.sources.orders.value-is", "first")
                    .set("idgen.sources.items.strategy", "segment")
                    .set("idgen.sources.items.start", "1")
                    .source("lines")
                    .build()) {
                List<String> names = hasSequences ? List.of("orders", "items", "lines") : List.of("items", "lines");
                for (String name : names) {
                    assertThrows(
                            IdGenerationException.class, () -> sources.get(name).nextId(), "control: no rights");
                }
                for (String grant : grants) {
                    Sql.execute(database.dataSource(), grant);
                }
                if (!hasSequences) {
                    Sql.execute(database.dataSource(), "GRANT idgen_role TO shop");
                    Sql.execute(database.dataSource(), "SET DEFAULT ROLE idgen_role TO shop");
                }
                for (String name : names) {
                    Await.until("an id of " + name, () -> {
                        try {
                            return sources.get(name).nextId() > 0;
                        } catch (IdGenerationException e) {
                            return false; // a connection without the role, or before the next attempt
                        }
                    });
                }
            } finally {
                drop(database);
            }
        }
    }

    @Test
    void theStatementsThatChangeTheStrategyContinueAboveAllIds() throws Exception {
        List<String> statements = statements("changing-strategy.md");
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            new IdgenSchema(database.dataSource()).create();
            long last;
            try (Snowflake snowflake = Snowflake.builder()
                    .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                    .build()) {
                last = snowflake.nextId();
            }
            Sql.execute(database.dataSource(), statements.get(0));
            Counters counters = new Counters(database.dataSource());
            long first = counters.allocate("orders", 1).first();
            assertThat(first).isBetween(last + 1, last + (1L << 34));

            Sql.execute(database.dataSource(), statements.get(1));
            long value = Sql.number(database.dataSource(), "SELECT nextval('orders_seq')");
            assertThat(value)
                    .isEqualTo(Sql.number(
                            database.dataSource(), "SELECT next_id FROM idgen_counter WHERE name = 'orders'"));

            Sql.execute(database.dataSource(), "DELETE FROM idgen_counter");
            Sql.execute(database.dataSource(), statements.get(2));
            assertThat(counters.allocate("orders", 1).first()).isGreaterThan(value + 49);
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

    private static void drop(Database database) throws SQLException {
        if (database.kind() != TestDatabase.POSTGRESQL) {
            Sql.execute(database.dataSource(), "DROP USER IF EXISTS shop");
            Sql.execute(database.dataSource(), "DROP ROLE IF EXISTS idgen_role");
        } else if (!Sql.rows(database.dataSource(), "SELECT 1 FROM pg_roles WHERE rolname = 'shop'")
                .isEmpty()) {
            Sql.execute(database.dataSource(), "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM shop");
            Sql.execute(database.dataSource(), "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM shop");
            Sql.execute(database.dataSource(), "DROP ROLE shop");
        }
    }
}
