package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.IdLog;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SQL functions and Java processes take ids from the same rows, by the same rules. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
abstract class SqlFunctionsContract {
    private static final int TAKEOVERS = 2;
    private static final int MORE_THAN_FETCHED = 50;
    private static final int BULK = 100_000;
    private static final String PYTHON = "/usr/bin/python3";
    private static final Duration BACK_OFF = Duration.ofMillis(50);
    private static final Pattern LOGIN = Pattern.compile("localhost:(\\d+)/.*user=(\\w+)&password=([\\w-]+)");
    private static final Pattern CODE = Pattern.compile("IDGEN-\\d+");

    ReplicatedPair servers;
    DataSource database;
    private int bulks;

    /** Starts a pair of servers. */
    abstract ReplicatedPair start() throws SQLException;

    /** Allows the creation of functions on a server. */
    void prepare(String url) throws SQLException {}

    /** The statements that a client runs for this script. */
    abstract List<String> statements(String script);

    /** A function {@code plain_next} without the rules, and a trigger that sets the id of {@code orders}. */
    abstract List<String> controlAndTrigger();

    /** The command of the database's client, which prints the values alone. The environment has the password. */
    abstract List<String> client(String port, String user);

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
        Sql.execute(database, "CREATE TABLE archive (id bigint PRIMARY KEY, run int)");
        Sql.execute(database, "CREATE TABLE digit (n int PRIMARY KEY)");
        Sql.execute(database, "INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
        for (String statement : controlAndTrigger()) {
            Sql.execute(database, statement);
        }
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

    /** Takes ids of a row until it is ended. After a failure, it continues on a new connection. */
    private final class Writer {
        private final Queue<Long> ids = new ConcurrentLinkedQueue<>();
        private final Thread thread;
        private volatile boolean ending;
        private volatile String failure = "none";

        Writer(String name, Work work) {
            thread = new Thread(
                    () -> {
                        while (!ending) {
                            try (Connection connection = DriverManager.getConnection(servers.url())) {
                                while (!ending) {
                                    work.take(connection).forEach(ids::add);
                                }
                            } catch (SQLException e) {
                                failure = e.toString();
                                LockSupport.parkNanos(BACK_OFF.toNanos());
                            }
                        }
                    },
                    name);
            thread.start();
        }

        void awaitMore() throws Exception {
            int enough = ids.size() + MORE_THAN_FETCHED;
            Await.until("more ids of " + thread.getName(), Duration.ofMinutes(3), () -> ids.size() >= enough);
        }

        LongStream ids() {
            return ids.stream().mapToLong(Long::longValue);
        }

        void end() throws InterruptedException {
            ending = true;
            thread.join();
            System.out.println(thread.getName() + ": " + ids.size() + " ids, last failure: " + failure);
        }
    }

    /** Commits ids and returns them. */
    private interface Work {
        LongStream take(Connection connection) throws SQLException;
    }

    private static LongStream numbers(Connection connection, String query) throws SQLException {
        return Sql.rows(connection, query).stream().mapToLong(Long::parseLong);
    }

    private static LongStream loop(Connection connection) throws SQLException {
        return numbers(connection, "SELECT idgen_next('orders')");
    }

    private static LongStream range(Connection connection) throws SQLException {
        long first = numbers(connection, "SELECT idgen_next_range('orders', 20)")
                .findFirst()
                .orElseThrow();
        return LongStream.range(first, first + 20);
    }

    private static LongStream control(Connection connection) throws SQLException {
        return numbers(connection, "SELECT plain_next('control')");
    }

    /** Inserts two orders in a transaction, and rolls back every third one. */
    private static LongStream trigger(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        String item = "item " + System.nanoTime();
        Sql.execute(connection, "INSERT INTO orders (item) VALUES ('" + item + "'), ('" + item + " again')");
        long[] ids = numbers(connection, "SELECT id FROM orders WHERE item LIKE '" + item + "%'")
                .toArray();
        if (ids[0] % 3 == 0) {
            connection.rollback();
            return LongStream.empty();
        }
        connection.commit();
        return Arrays.stream(ids);
    }

    /** Whether a command ends without an error. {@code .ci/run} installs all programs, and requires them. */
    private static boolean works(String... command) throws Exception {
        boolean works;
        try {
            works = new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            works = false;
        }
        assertThat(works || System.getenv("IDGEN_PROGRAMS") == null)
                .as("this machine has %s", String.join(" ", command))
                .isTrue();
        return works;
    }

    private Process python() throws Exception {
        Matcher login = LOGIN.matcher(servers.url());
        assertThat(login.find()).isTrue();
        Path script = Path.of(SqlFunctionsContract.class.getResource("/ids.py").toURI());
        return new ProcessBuilder(
                        PYTHON,
                        script.toString(),
                        servers.url().split(":")[1],
                        login.group(1),
                        login.group(2),
                        login.group(3))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Returns the next id that a process has printed. */
    private static LongStream printed(BufferedReader ids) throws SQLException {
        try {
            return LongStream.of(Long.parseLong(ids.readLine()));
        } catch (IOException e) {
            throw new SQLException(e);
        }
    }

    /** Runs the database's client, which prints ten ids that it has committed. */
    private LongStream byClient(Connection unused) throws SQLException {
        Matcher login = LOGIN.matcher(servers.url());
        assertThat(login.find()).isTrue();
        ProcessBuilder client = new ProcessBuilder(client(login.group(1), login.group(2))).redirectErrorStream(true);
        client.environment().putAll(Map.of("PGPASSWORD", login.group(3), "MYSQL_PWD", login.group(3)));
        try {
            Process process = client.start();
            process.outputWriter()
                    .append("SELECT idgen_next('orders') FROM digit;\n")
                    .close();
            List<String> lines = process.inputReader().lines().toList();
            if (process.waitFor() != 0) {
                throw new SQLException(String.join(" ", lines));
            }
            return lines.stream().mapToLong(Long::parseLong);
        } catch (IOException | InterruptedException e) {
            throw new SQLException(e);
        }
    }

    private long[] bulk() throws SQLException {
        bulks++;
        Sql.execute(
                database,
                "INSERT INTO archive (id, run) SELECT idgen_next('orders'), " + bulks
                        + " FROM digit a, digit b, digit c, digit d, digit e");
        try (Connection connection = database.getConnection()) {
            long[] ids = numbers(connection, "SELECT id FROM archive WHERE run = " + bulks)
                    .toArray();
            assertThat(ids).hasSize(BULK);
            return ids;
        }
    }

    private static long repeated(LongStream ids) {
        long[] all = ids.toArray();
        return all.length - Arrays.stream(all).distinct().count();
    }

    @Test
    @Tag("nightly")
    void javaAndSqlRepeatNoIdUnderKillAndTakeoverAndTheControlRepeats(@TempDir Path folder) throws Exception {
        emptyTables();
        row("orders", "1, NULL, NULL, 0, 0");
        row("control", "1, NULL, NULL, 0, 0");
        List<long[]> bulk = new ArrayList<>();
        List<IdLog> logs = new ArrayList<>();
        List<Writer> writers = new ArrayList<>(List.of(
                new Writer("loop", SqlFunctionsContract::loop),
                new Writer("range", SqlFunctionsContract::range),
                new Writer("trigger", SqlFunctionsContract::trigger)));
        if (works(client("", "").get(0), "--version")) {
            writers.add(new Writer("client", this::byClient));
        }
        Process python = null;
        if (works(PYTHON, "-c", "import psycopg2, pymysql")) {
            python = python();
            BufferedReader printed = python.inputReader();
            writers.add(new Writer("Python", unused -> printed(printed)));
        }
        Writer control = new Writer("control", SqlFunctionsContract::control);
        ChildJvm java = process(folder, logs);
        ChildJvm killed = process(folder, logs);
        try {
            for (int i = 0; i < TAKEOVERS; i++) {
                bulk.add(bulk());
                awaitMore(writers, control, logs);
                servers.cut();
                bulk.add(bulk());
                awaitMore(writers, control, logs);
                killed.kill();
                servers.takeOver();
                killed = process(folder, logs);
                awaitMore(writers, control, logs);
            }
            bulk.add(bulk());
        } finally {
            java.close();
            killed.close();
            for (Writer writer : writers) {
                writer.end();
            }
            control.end();
            if (python != null) {
                python.destroy();
            }
        }
        LongStream ofJava = logs.stream().flatMapToLong(log -> log.from(0));
        LongStream ofSql = LongStream.concat(
                bulk.stream().flatMapToLong(Arrays::stream), writers.stream().flatMapToLong(Writer::ids));

        assertThat(repeated(LongStream.concat(ofJava, ofSql))).isZero();
        assertThat(repeated(control.ids())).as("the control").isPositive();
    }

    private ChildJvm process(Path folder, List<IdLog> logs) throws IOException {
        Path file = folder.resolve("java-" + logs.size());
        logs.add(IdLog.open(file));
        return ChildJvm.start(SegmentProcess.class, List.of(servers.url(), "orders", file.toString()));
    }

    private static void awaitMore(List<Writer> writers, Writer control, List<IdLog> logs) throws Exception {
        IdLog log = logs.get(logs.size() - 1);
        int enough = log.count() + MORE_THAN_FETCHED;
        Await.until("more ids of Java", Duration.ofMinutes(3), () -> log.count() >= enough);
        for (Writer writer : writers) {
            writer.awaitMore();
        }
        control.awaitMore();
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
        emptyTables();
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

    private void emptyTables() throws SQLException {
        Sql.execute(database, "DELETE FROM orders");
        Sql.execute(database, "DELETE FROM archive");
    }

    private static long only(Connection connection, String query) throws SQLException {
        return numbers(connection, query).findFirst().orElseThrow();
    }
}
