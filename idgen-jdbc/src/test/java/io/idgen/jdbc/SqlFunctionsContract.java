package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SQL functions and Java processes take ids from the same rows, by the same rules. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SqlFunctionsContract {
    private static final Pattern CODE = Pattern.compile("IDGEN-\\d+");

    ReplicatedPair servers;
    DataSource database;

    /** Starts a pair of servers. */
    abstract ReplicatedPair start() throws SQLException;

    /** Allows the creation of functions on a server. */
    void prepare(String url) throws SQLException {}

    /** The statements that a client runs for this script. */
    abstract List<String> statements(String script);

    /** The statements that create the user {@code clerk}, who may only execute {@code idgen_next}. */
    abstract List<String> clerk();

    @BeforeAll
    void startServers() throws Exception {
        servers = start();
        database = new UrlDataSource(servers.url(), "", "", Duration.ofMinutes(1));
        prepare(servers.url());
        prepare(servers.replicaUrl());
        new IdgenSchema(database).create();
        createFunctions(IdgenSchema.DEFAULT_PREFIX);
        Sql.execute(database, "CREATE TABLE orders (id bigint PRIMARY KEY, item varchar(40) UNIQUE)");
    }

    private void createFunctions(String prefix) throws SQLException {
        String script = new IdgenSchema(database).withPrefix(prefix).functionsScript();
        for (String statement : statements(script)) {
            Sql.execute(database, statement);
        }
    }

    @AfterAll
    void stopServers() {
        servers.close();
    }

    private void row(String name, String values) throws SQLException {
        Sql.execute(database, "DELETE FROM idgen_counter WHERE name = '" + name + "'");
        Sql.execute(
                database,
                "INSERT INTO idgen_counter (name, step, next_id, server_id, reach, win, used) VALUES ('" + name
                        + "', 10, " + values + ")");
    }

    private static LongStream numbers(Connection connection, String query) throws SQLException {
        return Sql.rows(connection, query).stream().mapToLong(Long::parseLong);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a new row                  | 1, NULL, NULL, 0, 0",
                "a reach without a server   | 1, NULL, 5000, 0, 0",
                "another server             | 500, 'another', 5000, 0, 0",
                "a window that goes on      | 500, 'another', 5000, SOON, 4000",
                "a reach that is used up    | 500, 'another', 5000, SOON, 5000",
                "a clock that came back     | 500, 'another', 5000, 9000000000000, 5000",
                "a window that is over      | 500, 'another', 5000, 1, 5000",
                "a number below 1           | 0, NULL, NULL, 0, 0",
                "the last number            | 9223372036854775807, NULL, NULL, 0, 0"
            })
    void aFunctionTakesTheIdsThatJavaTakesFromEqualRows(String name, String values) throws SQLException {
        for (String each : List.of("java", "sql")) {
            row(each, values.replace("SOON", String.valueOf(System.currentTimeMillis() + 300_000)));
        }
        Counters table = new Counters(database);
        String outcome = "";
        for (int count : new int[] {10, 20}) {
            outcome = sql(count);
            assertThat(outcome).isEqualTo(java(table, count));
        }
        if (!CODE.matcher(outcome).matches()) { // Java also commits a takeover whose allocation then fails
            assertThat(state("sql")).isEqualTo(state("java"));
        }
    }

    @Test
    void aNameWithoutARowIsRefused() {
        assertThatThrownBy(() -> Sql.rows(database, "SELECT idgen_next('nothing')"))
                .hasMessageContaining("IDGEN-404");
    }

    private static String java(Counters table, int count) {
        try {
            Segment segment = table.allocate("java", count);
            return segment.first() + " to " + segment.last();
        } catch (AllocationException e) {
            return e.code().code();
        }
    }

    private String sql(int count) {
        try {
            long first = Sql.number(database, "SELECT idgen_next_range('sql', " + count + ")");
            return first + " to " + (first + count - 1);
        } catch (SQLException e) {
            Matcher code = CODE.matcher(String.valueOf(e.getMessage()));
            return code.find() ? code.group() : e.toString();
        }
    }

    private List<String> state(String name) throws SQLException {
        return Sql.rows(
                database,
                "SELECT next_id, COALESCE(server_id, ''), COALESCE(reach, 0), used FROM idgen_counter WHERE name = '"
                        + name + "'");
    }

    @Test
    void aTransactionThatRollsBackReturnsItsIdsButNotThoseOfACommittedRange() throws SQLException {
        row("rollback", "1, NULL, NULL, 0, 0");
        try (Connection connection = database.getConnection()) {
            long range = only(connection, "SELECT idgen_next_range('rollback', 10)");
            connection.setAutoCommit(false);
            long rolledBack = only(connection, "SELECT idgen_next('rollback')");
            connection.rollback();
            long next = only(connection, "SELECT idgen_next('rollback')");
            connection.commit();

            assertThat(new long[] {range, rolledBack, next}).containsExactly(1, 11, 11);
        }
    }

    @Test
    void aRollbackToASavepointKeepsTheIdsOfATransactionDistinct() throws SQLException {
        row("savepoint", "1, NULL, NULL, 0, 0");
        List<Long> kept = new ArrayList<>();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 50; i++) {
                kept.add(only(connection, "SELECT idgen_next('savepoint')"));
                Savepoint savepoint = connection.setSavepoint();
                for (int j = 0; j < i; j++) {
                    only(connection, "SELECT idgen_next('savepoint')");
                }
                connection.rollback(savepoint);
            }
            connection.commit();
        }
        kept.add(new Counters(database).allocate("savepoint", 1).first());

        assertThat(kept).doesNotHaveDuplicates();
    }

    @Test
    void aTransactionWithAnOldSnapshotRepeatsNoId() throws SQLException {
        row("snapshot", "1, NULL, NULL, 0, 0");
        try (Connection connection = database.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            Sql.rows(connection, "SELECT next_id FROM idgen_counter WHERE name = 'snapshot'");
            long other = Sql.number(database, "SELECT idgen_next('snapshot')");
            try {
                assertThat(only(connection, "SELECT idgen_next('snapshot')")).isGreaterThan(other);
            } catch (SQLException e) {
                assertThat(e.getMessage()).matches("(?s).*(concurrent update|changed since last read).*");
            }
            connection.rollback();
        }
    }

    @Test
    void aReplicaReturnsNoIdAlsoNotToAUserWithAllRights() throws SQLException {
        row("replica", "1, NULL, NULL, 0, 0");
        servers.awaitReplica();
        try (Connection connection = DriverManager.getConnection(servers.replicaUrl())) {
            assertThatThrownBy(() -> Sql.rows(connection, "SELECT idgen_next('replica')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageMatching("(?s).*(recovery|read-only|read_only).*");
        }
    }

    @Test
    void aUserNeedsNoRightButToExecuteTheFunction() throws SQLException {
        row("clerk", "1, NULL, NULL, 0, 0");
        for (String statement : clerk()) {
            Sql.execute(database, statement);
        }
        String url = servers.url()
                .replaceFirst("user=\\w+", "user=clerk")
                .replaceFirst("password=[\\w-]+", "password=clerk-secret");
        try (Connection connection = DriverManager.getConnection(url)) {
            assertThat(only(connection, "SELECT idgen_next('clerk')")).isEqualTo(1);
            for (String statement :
                    List.of("SELECT idgen_next_range('clerk', 10)", "UPDATE idgen_counter SET next_id = 1")) {
                assertThatThrownBy(() -> Sql.execute(connection, statement)).hasMessageMatching("(?s).*(denied).*");
            }
        }
    }

    @Test
    void theFunctionsHaveThePrefixOfTheTables() throws SQLException {
        new IdgenSchema(database).withPrefix("app_").create();
        createFunctions("app_");
        Sql.execute(database, "INSERT INTO app_counter (name, next_id, step) VALUES ('orders', 7000, 1)");

        assertThat(Sql.number(database, "SELECT app_next('orders')")).isEqualTo(7000);
    }

    @Test
    void theFunctionsCompareTheIdentityThatJavaWrites() throws SQLException {
        try (Connection connection = database.getConnection()) {
            Dialect dialect = Dialects.of(connection);
            row("identity", "1, NULL, NULL, 0, 0");
            only(connection, "SELECT idgen_next('identity')");

            assertThat(Sql.rows(connection, "SELECT server_id FROM idgen_counter WHERE name = 'identity'"))
                    .isEqualTo(Sql.rows(
                            connection,
                            "SELECT " + dialect.counterServer(connection).id()));
        }
    }

    @Test
    void theStatementsOfThePageRun() throws Exception {
        Sql.execute(database, "DELETE FROM idgen_counter WHERE name = 'orders'");
        Sql.execute(database, "CREATE TABLE staging (item varchar(40))");
        Sql.execute(database, "INSERT INTO staging VALUES ('ink'), ('paper')");
        for (String statement : statementsOfThePage()) {
            Sql.execute(database, statement);
        }

        assertThat(Sql.rows(database, "SELECT item FROM orders ORDER BY item")).containsExactly("ink", "paper", "pen");
        assertThat(Sql.number(database, "SELECT next_id FROM idgen_counter WHERE name = 'orders'"))
                .isGreaterThan(1000);
    }

    /** The statements of {@code docs/sql-functions.md} for this database. */
    List<String> statementsOfThePage() throws Exception {
        return Pattern.compile("(?s)```sql\n(.*?)```")
                .matcher(Files.readString(Path.of("..", "docs", "sql-functions.md")))
                .results()
                .flatMap(block -> Stream.of(block.group(1).split(";")))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private static long only(Connection connection, String query) throws SQLException {
        return numbers(connection, query).findFirst().orElseThrow();
    }
}
