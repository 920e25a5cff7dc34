package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.FreePort;
import io.idgen.jdbc.testing.Sql;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the commands that connect to a database, with a database in the memory of this process. */
class DatabaseTest {
    private static final String URL = "jdbc:h2:mem:cli;DB_CLOSE_DELAY=-1";

    @TempDir
    private Path folder;

    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(URL, "sa", "h2-secret");
    }

    @AfterEach
    void drop() throws SQLException {
        execute("SHUTDOWN");
        connection.close();
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(connection, sql);
    }

    private void createTables() throws SQLException {
        execute(Run.of("schema", "--db", "h2").printed());
    }

    private Run run(String command, String... args) throws IOException {
        Path password = Files.writeString(folder.resolve("password"), "h2-secret\n");
        String[] all = (command + " --url " + URL + " --user sa --password-file " + password).split(" ");
        String[] both = Arrays.copyOf(all, all.length + args.length);
        System.arraycopy(args, 0, both, all.length, args.length);
        return Run.of(both);
    }

    @Test
    void theSchemaIsThatOfTheKind() throws Exception {
        String script = Run.of("schema", "--db", "h2").printed();

        assertThat(script).contains("CREATE TABLE IF NOT EXISTS idgen_counter");
        assertThat(Run.of("schema", "--db", "postgresql", "--prefix", "ids.app_")
                        .printed())
                .contains("ids.app_worker")
                .doesNotContain("idgen_");
        assertThat(Run.of("schema", "--db", "h2", "--drop").printed()).contains("DROP TABLE");
        assertThat(Run.of("schema", "--db", "mariadb", "--functions", "--prefix", "app_")
                        .printed())
                .contains("FUNCTION app_next(", "FROM app_counter");
        assertThat(Run.of("schema", "--db", "h2", "--functions").refusal()).contains("no SQL functions for h2");
        assertThat(Run.of("schema", "--db", "mysql", "--functions", "--drop").refusal())
                .contains("exclude each other");
        assertThat(Run.of("schema", "--db", "h2", "--json").printed()).startsWith("{\"script\":\"");
        assertThat(Run.of("schema", "--db", "db2").refusal()).contains("postgresql, mariadb", "got 'db2'");
        assertThat(Run.of("schema").refusal()).contains("--db");
        assertThat(Run.of("schema", "--db", "h2", "--prefix", "x; DROP").refusal())
                .contains("a name must be");
    }

    private void insertBooks(long... ids) throws SQLException {
        execute("CREATE TABLE book (id BIGINT PRIMARY KEY)");
        for (long id : ids) {
            execute("INSERT INTO book VALUES (" + id + ")");
        }
    }

    @Test
    void theColumnOfAnotherGeneratorShowsItsLayoutItsWorkersAndThatNewIdsAreNotAbove() throws Exception {
        long old = SnowflakeLayout.TWITTER.firstIdAt(Instant.parse("2020-01-01T00:00:00Z"));
        long newest = SnowflakeLayout.TWITTER.firstIdAt(Instant.now().truncatedTo(ChronoUnit.SECONDS)) | 5 << 12;
        insertBooks(old, newest, 48_211);

        Run text = run("inspect --column book.id");
        Run json = run("inspect --column book.id --json");

        assertThat(text.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(text.out())
                .contains("book.id: ids read: 3, the largest " + newest, ", 2 workers: ")
                .containsPattern("(?m)^book.*\\n  twitter +2 ids, 2020-01-01T00:00:00Z to ")
                .contains("(0,0) 1", "(0,5) 1", "The first is the most likely", "not above", "start-above=book.id");
        assertThat(json.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(json.out()).contains("\"layouts\":[{\"layout\":\"twitter\",\"ids\":2,", "\"above\":false");
        assertThat(run("inspect --column book.id --layout twitter --epoch 2010-11-03T00:00:00Z")
                        .printed())
                .contains("above the largest.")
                .doesNotContain("not above");
    }

    @Test
    void aColumnThatShowsNothingIsRefused() throws Exception {
        insertBooks();

        assertThat(run("inspect --column book.id").refusal()).contains("book.id contains no ids");
        assertThat(run("inspect --column book.id", "4711").refusal()).contains("leave out the ids");
        assertThat(run("inspect --column nowhere.id").refusal()).contains("reading ids of nowhere.id");
        assertThat(Run.of("inspect", "--column", "book.id").refusal()).contains("no database is given");
    }

    @Test
    void idsAreGeneratedUnderALeaseWhichEndsWithTheCommand() throws Exception {
        assertThat(run("generate").refusal()).contains("idgen_worker");
        createTables();
        execute("UPDATE idgen_worker SET owner_token = 'another', lease_until = 4000000000000 WHERE worker_id <> 7");

        List<String> ids = Stream.concat(
                        run("generate --count 2").printed().lines(),
                        run("generate --namespace default").printed().lines())
                .toList();

        assertThat(ids).hasSize(3).doesNotHaveDuplicates().isSorted();
        assertThat(Run.of("inspect", ids.get(0), "--json").printed()).contains("\"worker\":7");
    }

    @Test
    void theDoctorFindsAHealthyDatabaseAndKeepsItsSecrets() throws Exception {
        createTables();
        execute("INSERT INTO idgen_counter (name, next_id) VALUES ('orders', 1073741824)");

        String printed = run("doctor").printed();

        assertThat(printed)
                .startsWith("jdbc:h2:mem:cli\n")
                .contains("tables       idgen_worker, idgen_counter exist")
                .contains("0 of 1024 leased, 1024 free")
                .contains("this host's clock is ")
                .contains("orders: next id 1073741824, 50.00 % of what an int column holds")
                .doesNotContain("secret")
                .doesNotContain("wrong");
        assertThat(run("doctor", "--json").printed())
                .startsWith(
                        "{\"store\":\"jdbc:h2:mem:cli\",\"level\":\"OK\",\"findings\":[{\"level\":\"OK\",\"subject\":");
    }

    @Test
    void theDoctorSaysWhatIsWrongAndExitsWithOne() throws Exception {
        createTables();
        execute("DROP TABLE idgen_counter");
        execute("UPDATE idgen_worker SET horizon = 4000000000000 WHERE worker_id = 7");

        Run run = run("doctor");

        assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run.out())
                .containsPattern("wrong  horizons .* s ahead, until 2096-10-02T07:06:40Z \\(4000000000000\\), but a"
                        + " correct clock grants at most 190 s");
    }

    @Test
    void aWarningExitsWithZeroUnlessTheUserIsStrict() throws Exception {
        createTables();
        execute("CREATE TABLE orders (id INT)");
        execute("INSERT INTO idgen_counter (name, next_id) VALUES ('orders', 2000000000)");

        assertThat(run("doctor --column orders=orders.id").printed())
                .containsPattern("warn   counter +orders: next id 2000000000, 93.13 % of what the column orders.id");
        assertThat(run("doctor --column orders=orders.id --strict").exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run("doctor --json").printed()).contains("\"level\":\"WARN\"");
    }

    @Test
    void aFileThatDoesNotExistIsNotCreatedAndAFreshOneIsNotWrong() throws Exception {
        String url = "jdbc:h2:" + folder.resolve("shop");
        for (String command : List.of("doctor", "repair --yes")) {
            assertThat(Run.of((command + " --user sa --url " + url).split(" ")).refusal())
                    .contains("not found", "check --url");
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }

        try (Connection file = DriverManager.getConnection(url, "sa", "")) {
            Sql.execute(file, Run.of("schema", "--db", "h2").printed());
        }
        assertThat(Run.of("doctor", "--url", url, "--user", "sa").printed())
                .containsPattern("warn   durability +WRITE_DELAY=500: a crash can lose the last commits")
                .doesNotContain("wrong ");
    }

    @Test
    void missingTablesAreReportedInALineWithTheRemedy() throws Exception {
        execute("CREATE TABLE orders (id BIGINT)");

        Run doctor = run("doctor");
        assertThat(doctor.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(doctor.out()).containsPattern("wrong  tables +none of idgen's tables exists .*idgen schema");
        assertThat(run("repair --yes").refusal())
                .contains("none of idgen's tables exists with the prefix idgen_", "idgen schema");
    }

    private String only(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private void restoredShop() throws SQLException {
        createTables();
        execute("CREATE TABLE orders (id BIGINT)");
        execute("INSERT INTO orders VALUES (48211)");
        execute("INSERT INTO idgen_counter (name, next_id, reach) VALUES ('orders', 1, 5000)");
    }

    @Test
    void oneRepairSetsLeasesAndCountersAboveTheIdsAndPrintsTheValuesBeforeAndAfter() throws Exception {
        restoredShop();
        assertThat(run("repair --dry-run --column orders=orders.id", "--json").printed())
                .contains("\"dryRun\":true")
                .contains("{\"place\":\"idgen_counter\",\"row\":\"orders\",\"before\":\"1\",\"after\":\"48212\"}");
        assertThat(only("SELECT next_id FROM idgen_counter")).isEqualTo("1");

        String printed = run("repair --column orders=orders.id --yes").printed();

        assertThat(printed.strip())
                .startsWith(
                        "repaired idgen_worker default, 1024 worker ids: horizons up to 1970-01-01T00:00:00Z (0) -> ")
                .endsWith("; idgen_counter orders: 1 -> 48212");
        assertThat(only("SELECT COUNT(*) FROM idgen_worker WHERE worker_id >= 0 AND server_id IS NULL"))
                .isEqualTo("1024");
        assertThat(only("SELECT next_id FROM idgen_counter")).isEqualTo("48212");
    }

    @Test
    void aRepairSaysWhatItLacksAndWhoHoldsALease() throws Exception {
        restoredShop();

        assertThat(run("repair").refusal()).contains("stop every process", "--yes");
        assertThat(run("repair --yes").refusal())
                .contains("'orders' in idgen_counter", "--column orders=table.column", "--backup-time");
        assertThat(run("repair --yes --backup-time yesterday").refusal()).contains("--backup-time", "yesterday");
        assertThat(run("repair --yes --column orders.id").refusal()).contains("orders=orders.id", "got 'orders.id'");
        assertThat(run("repair --yes --column orders=order.id").refusal())
                .contains("cannot read the largest value of order.id");
        execute("UPDATE idgen_worker SET lease_until = 4000000000000, owner_token = 'x', owner_info = '17@web-3'"
                + " WHERE worker_id = 7");
        assertThat(run("repair --yes --column orders=orders.id").refusal())
                .contains(
                        "worker id 7 of namespace 'default' by 17@web-3 until 2096-10-02T07:06:40Z (4000000000000)",
                        "stop these");
        assertThat(only("SELECT next_id FROM idgen_counter")).isEqualTo("1");
    }

    @Test
    void horizonsAreLowered() throws Exception {
        restoredShop();
        execute("UPDATE idgen_worker SET horizon = 4000000000000 WHERE worker_id = 7");

        assertThat(run("repair horizons --column orders.id --yes").printed())
                .contains(
                        "idgen_worker default, 1 worker ids: horizons up to 2096-10-02T07:06:40Z",
                        " -> horizons at 2024-01-01T00:00:00.001Z");
        assertThat(run("repair horizons --column orders.id --yes").printed())
                .isEqualToIgnoringNewLines("repaired nothing");
        assertThat(run("repair horizons --yes").refusal()).contains("--column");
        execute("INSERT INTO orders VALUES (9000000000000000000)");
        assertThat(run("repair horizons --column orders.id --yes").refusal())
                .contains("the largest id in orders.id, 9000000000000000000, has the time 2091-12-30");
    }

    @Test
    void aPromotedServerForgetsItsServersWithoutAConfirmation() throws Exception {
        restoredShop();
        execute("UPDATE idgen_counter SET server_id = '-'");

        assertThat(run("repair after-promotion --dry-run").printed())
                .contains("dry run, would repair idgen_worker default, 1024 worker ids")
                .contains("; idgen_counter orders: 1 -> 1 without a server; the next ids begin at 10001");
        assertThat(run("repair after-promotion").printed()).contains("repaired idgen_worker default, 1024 worker ids");
        assertThat(only("SELECT server_id FROM idgen_counter")).isNull();
        assertThat(run("repair after-promotion").printed()).isEqualToIgnoringNewLines("repaired nothing");
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsReportedInALineWithoutItsPassword() throws Exception {
        int port = FreePort.find();
        assertThat(Run.of("doctor", "--url", "jdbc:postgresql://localhost:" + port + "/x?password=hidden")
                        .refusal())
                .contains("refused", "check that the database runs", "--user")
                .doesNotContain("hidden");
        assertThat(Run.of("doctor", "--url", URL, "--user", "sa").refusal()).contains("Wrong user name or password");
        assertThat(Run.of("doctor", "--url", "jdbc:oracle:thin:shop/hidden@db:1521")
                        .refusal())
                .contains("no JDBC driver accepts jdbc:oracle:thin:***@db:1521", "java -cp")
                .doesNotContain("hidden");
        assertThat(Run.of("doctor").refusal()).contains("--url jdbc:postgresql://");
    }

    @Test
    void aServerThatAcceptsAndSaysNothingIsGivenUp() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            String url = "jdbc:postgresql://localhost:" + silent.getLocalPort() + "/x";
            assertThat(Run.of("doctor", "--url", url).refusal()).contains("check that the database runs");
        }
    }
}
