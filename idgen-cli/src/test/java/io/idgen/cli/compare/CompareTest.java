package io.idgen.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.Idgen;
import io.idgen.cli.Run;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.contender.CosIdContender;
import io.idgen.cli.compare.contender.IdgenContender;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code idgen compare} as a user does, with short measurements. */
@Tag("matrix")
class CompareTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String[] SHORT = {
        "--duration", "20", "--rows", "200", "--outage", "1200", "--set", "idgen.acquire-timeout=60s"
    };

    @TempDir
    Path folder;

    /** The result of a run. */
    private record Ended(int exitCode, String out, String err) {
        JsonNode json() {
            assertThat(out).as(err).startsWith("{");
            return JSON.readTree(out);
        }

        JsonNode strategy(String name) {
            return json().path("strategies")
                    .valueStream()
                    .filter(strategy -> strategy.path("name").asString().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        String refusal() {
            assertThat(exitCode).as(err).isEqualTo(ExitCodes.BAD_INPUT);
            assertThat(out).isEmpty();
            assertThat(err.lines()).hasSize(1);
            return err;
        }
    }

    private static Ended compare(String... args) {
        Run run =
                Run.of(Stream.concat(Stream.of("compare"), Arrays.stream(args)).toArray(String[]::new));
        return new Ended(run.exitCode(), run.out(), run.err());
    }

    private static Ended shortly(String... args) {
        return compare(Stream.concat(Arrays.stream(SHORT), Arrays.stream(args)).toArray(String[]::new));
    }

    @Test
    void measuresEveryStrategyOnAnEmbeddedDatabase() throws IOException {
        Path report = folder.resolve("report.html");

        Ended ended = shortly("--json", "--out", report.toString());

        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCodes.OK);
        JsonNode json = ended.json();
        assertThat(json.path("strategies").valueStream().map(s -> s.path("name").asString()))
                .containsExactly(
                        "snowflake-wait",
                        "snowflake-fail",
                        "snowflake-run-ahead",
                        "snowflake-reuse",
                        "snowflake-leased",
                        "segment",
                        "sequence-table",
                        "stepped",
                        "native-sequence",
                        "identity",
                        "hibernate-identity",
                        "hibernate-sequence",
                        "hibernate-table",
                        "hypersistence-tsid",
                        "cosid-segment",
                        "uuid-v4",
                        "uuid-v7",
                        "ulid");
        assertThat(json.path("strategies").valueStream()).allSatisfy(CompareTest::assertWhole);
        assertThat(json.path("advice")
                        .valueStream()
                        .map(advice -> advice.path("need").asString()))
                .contains("short numbers that rarely cost a round trip", "as few gaps as possible");
        assertThat(Files.readString(report)).contains("snowflake-leased").doesNotContain("/*{");
        assertThat(ended.err()).contains("the report is in " + report);
    }

    private static void assertWhole(JsonNode strategy) {
        String name = strategy.path("name").asString();
        assertThat(strategy.path("failure").isNull()).as(name).isTrue();
        assertThat(strategy.path("speed").path("low").asDouble()).as(name).isPositive();
        assertThat(strategy.path("scaling").size()).as(name).isGreaterThan(1);
        assertThat(strategy.path("latency").path("calls").asLong()).as(name).isPositive();
        assertThat(strategy.path("latency").path("p999").asDouble())
                .as(name)
                .isBetween(
                        strategy.path("latency").path("p50").asDouble(),
                        strategy.path("latency").path("slowest").asDouble());
        assertThat(strategy.path("duplicates").path("count").asLong(-1))
                .as(name)
                .isZero();
        assertThat(strategy.path("duplicates").path("checked").asLong())
                .as(name)
                .isPositive();
        assertThat(strategy.path("inserts").path("rows").asLong()).as(name).isBetween(6 * 4L, 200L);
        assertThat(strategy.path("inserts").path("indexBytes").asLong())
                .as(name)
                .isPositive();
        assertThat(strategy.path("outage").path("seconds").asDouble()).as(name).isGreaterThan(1);
        assertThat(strategy.path("restart").isNull()).as(name).isEqualTo(name.matches("uuid.*|ulid"));
    }

    @Test
    void whatNeedsTheDatabaseFailsWithoutItAndComesBack() {
        Ended ended = compare(
                "--json",
                "--strategies",
                "snowflake-leased,segment,sequence-table,identity",
                "--duration",
                "20",
                "--rows",
                "200",
                "--outage",
                "3000");

        assertThat(ended.strategy("snowflake-leased")
                        .path("outage")
                        .path("failed")
                        .asLong(-1))
                .isZero();
        assertThat(ended.strategy("segment").path("outage").path("failed").asLong(-1))
                .isZero();
        for (String name : List.of("sequence-table", "identity")) {
            JsonNode outage = ended.strategy(name).path("outage");
            assertThat(outage.path("failed").asLong())
                    .as(name + ": a call waits for half a second")
                    .isGreaterThan(1);
            assertThat(outage.path("given").asLong(-1)).as(name).isLessThanOrEqualTo(1);
            assertThat(outage.path("recoveredMillis").asDouble()).as(name).isPositive();
        }
    }

    @Test
    void reportsWhatHasChangedSinceAnEarlierRun() throws IOException {
        Path old = folder.resolve("old.json");
        Files.writeString(old, shortly("--json", "--strategies", "segment").out());
        Path report = folder.resolve("report.html");

        Ended ended = shortly(
                "--strategies", "segment", "--baseline", old.toString(), "--threads", "5", "--out", report.toString());

        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCodes.OK);
        assertThat(ended.out())
                .contains("Since 20", "threads: ", "no difference measured in ", "verdicts: ", "figures: ");
        assertThat(Files.readString(report)).contains("\"figure\":\"ids/s\"");
    }

    @Test
    void whatIdgensJarDoesNotContainIsNamedWithTheWayToAddIt() throws Exception {
        URL[] jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !path.matches(".*(hibernate|hypersistence|persistence|cosid).*"))
                .map(CompareTest::url)
                .toArray(URL[]::new);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader withoutPeers = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(withoutPeers);
            Class<?> contenders = Class.forName(Contenders.class.getName(), true, withoutPeers);
            Method missing = contenders.getDeclaredMethod("missing", Map.class);
            missing.setAccessible(true);
            Method all = contenders.getDeclaredMethod("all", Map.class);
            all.setAccessible(true);

            assertThat(missing.invoke(null, Map.of()).toString())
                    .contains("hibernate-identity, hibernate-sequence, hibernate-table, hypersistence-tsid")
                    .contains("idgen.jar does not contain hibernate-core", "java -cp 'idgen.jar:lib/*'")
                    .contains("cosid-segment: idgen.jar does not contain cosid-core");
            assertThat(all.invoke(null, Map.of()).toString())
                    .contains("segment")
                    .doesNotContain("Hibernate", "CosId");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThat(Contenders.missing(Map.of())).noneMatch(what -> what.matches("(hibernate|hypersistence|cosid).*"));
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    @Test
    void countsWhatEachStrategySays() {
        Ended ended = shortly("--json", "--strategies", "snowflake-wait,sequence-table,native-sequence");

        assertThat(ended.strategy("snowflake-wait")
                        .path("roundTripsPerThousand")
                        .asDouble(-1))
                .isZero();
        assertThat(ended.strategy("sequence-table")
                        .path("roundTripsPerThousand")
                        .asDouble())
                .as("one statement for each id, or for several threads that wait together")
                .isPositive()
                .isLessThanOrEqualTo(1_000);
        assertThat(ended.strategy("sequence-table")
                        .path("restart")
                        .path("lostIds")
                        .asLong(-1))
                .isZero();
        assertThat(ended.strategy("native-sequence")
                        .path("restart")
                        .path("lostIds")
                        .asLong())
                .isBetween(1L, 2L * IdgenContender.INCREMENT);
    }

    @Test
    void cosIdTakesSegmentsOfTenFromItsTable() {
        Ended ended = shortly("--json", "--strategies", "cosid-segment");

        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCodes.OK);
        JsonNode cosId = ended.strategy("cosid-segment");
        assertThat(cosId.path("restart").path("firstAfter").asLong() % CosIdContender.STEP)
                .as("the next process begins with a new segment")
                .isEqualTo(1);
        assertThat(cosId.path("restart").path("lostIds").asLong()).isPositive();
        assertThat(cosId.path("duplicates").path("count").asLong(-1)).isZero();
    }

    @Test
    void tellsItsConditionsBeforeItsNumbers() {
        Ended ended = shortly("--strategies", "snowflake-wait,uuid-v4");

        assertThat(ended.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(ended.out())
                .containsSubsequence(
                        "H2 ",
                        "processors",
                        "other processes used",
                        "6 interleaved rounds after a common warm-up",
                        "full speed: 20 ms a round",
                        "strategy",
                        "snowflake-wait",
                        "uuid-v4")
                .matches("[ -~\r\n]*");
    }

    /** Generates each id twice. */
    public static final class Twice implements IdStrategy {
        @Override
        public String name() {
            return "twice";
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            return new SourcePlan(Long.MAX_VALUE, () -> open(context));
        }

        private IdSource open(SourceContext context) {
            AtomicLong calls = new AtomicLong(2);
            return new IdSource() {
                @Override
                public long nextId() {
                    return calls.getAndIncrement() / 2;
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    void aStrategyOfOnesOwnThatRepeatsIdsIsNamedAndFailsTheRun() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(IdStrategy.class.getName()), Twice.class.getName());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader withTwice =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(withTwice);

            Ended ended = shortly("--strategies", "twice,snowflake-wait");

            assertThat(ended.exitCode()).isEqualTo(ExitCodes.FOUND);
            assertThat(ended.err())
                    .contains("idgen: twice generated ", "duplicates, such as ")
                    .doesNotContain("snowflake-wait generated");
            assertThat(ended.out()).contains("If you need unique ids: anything but twice");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void wrongOptionsAreRefusedInOneLine() {
        assertThat(compare("--strategies", "snowflak").refusal()).contains("unknown strategy snowflak", "segment");
        assertThat(compare("--rows", "2000000").refusal()).contains("--rows must be 1 to 1000000, got 2000000");
        assertThat(compare("--instances", "0").refusal()).contains("--instances must be 1 to 8, got 0");
        assertThat(compare("--prefix", "idgen_").refusal()).contains("--prefix", "live tables");
        assertThat(compare("--prefix", "a;drop_").refusal()).contains("--prefix must be");
        assertThat(compare("--set", "idgen.jdbc.table-prefix=idgen_").refusal()).contains("live tables");
        assertThat(compare("--set", "idgen.segment.table=leaf_alloc").refusal()).contains("live tables");
        assertThat(compare(
                                "--set",
                                "idgen.segment.stepp=1",
                                "--strategies",
                                "segment",
                                "--duration",
                                "20",
                                "--rows",
                                "4")
                        .err())
                .contains("idgen.segment.step");
    }

    @Test
    void aDatabaseInMemoryThatWouldBeDeletedIsRefused() {
        assertThat(compare("--url", "jdbc:h2:mem:x").refusal())
                .contains("H2 deletes the database jdbc:h2:mem:x when its last connection is closed")
                .contains("DB_CLOSE_DELAY=-1");
        assertThat(compare("--url", "jdbc:h2:mem:x;DB_CLOSE_DELAY=0").refusal()).contains("DB_CLOSE_DELAY=-1");
    }

    @Test
    void aDatabaseInMemoryThatStaysIsCompared() {
        Ended ended = shortly("--url", "jdbc:h2:mem:stays;DB_CLOSE_DELAY=-1", "--json", "--strategies", "segment");

        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCodes.OK);
        assertThat(ended.strategy("segment").path("restart").isNull()).isFalse();
    }

    @Test
    void aReportThatCannotBeWrittenIsRefusedBeforeTheComparison() {
        Path missing = folder.resolve("missing");

        assertThat(compare("--out", missing.resolve("report.html").toString()).refusal())
                .contains("there is no folder " + missing, "create it");
        assertThat(missing).doesNotExist();
        assertThat(compare("--out", folder.toString()).refusal()).contains("cannot be written");
    }

    @Test
    void whatDoesNotFitIntoAQuickRunIsLeftOutAndReported() {
        // an outage of 36 s leaves one second to measure the speeds
        Ended ended = compare(
                "--json", "--strategies", "uuid-v4", "--duration", "400", "--rows", "1000000", "--outage", "36500");

        assertThat(ended.json().path("leftOut").valueStream().map(JsonNode::asString))
                .anySatisfy(what -> assertThat(what).contains("full speed: ", " of 6 rounds", "--no-quick"))
                .anySatisfy(what -> assertThat(what).contains("inserts: ", " of 1,000,000 rows"));
        assertThat(ended.json()
                        .path("headline")
                        .path("tiles")
                        .path(0)
                        .path("answer")
                        .asString())
                .isEqualTo("not measurable");
    }

    @Test
    void manyStrategiesHaveShorterRunsInAQuickComparison() {
        assertThat(Compare.quickDuration(1)).hasMillis(100);
        assertThat(Compare.quickDuration(13)).hasMillis(100);
        assertThat(Compare.quickDuration(26)).hasMillis(50);
    }

    @Test
    void aServerThatDoesNotAnswerIsReportedWithoutSecrets() {
        assertThat(compare("--yes", "--url", "jdbc:postgresql://localhost:1/shop?user=u&password=hush")
                        .refusal())
                .contains("cannot connect to jdbc:postgresql://localhost:1/shop", "check that the server runs")
                .doesNotContain("hush");
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void worksOnAServerAndLeavesNothingBehind(TestDatabase kind) throws Exception {
        try (Database database = kind.create()) {
            IdgenSchema live = new IdgenSchema(database.dataSource());
            live.create();
            String leases = rows(database, "SELECT * FROM idgen_worker ORDER BY worker_id");
            Path report = folder.resolve("report.html");

            Ended ended = shortly(onServer(database, "--yes", "--json", "--out", report.toString()));

            assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCodes.OK);
            assertThat(ended.json().path("strategies").valueStream()).allSatisfy(CompareTest::assertWhole);
            assertThat(tables(database))
                    .containsExactlyInAnyOrder("idgen_segment", "idgen_sequence", "idgen_stepped", "idgen_worker");
            assertThat(rows(database, "SELECT * FROM idgen_worker ORDER BY worker_id"))
                    .isEqualTo(leases);
            assertThat(ended.out() + ended.err() + Files.readString(report)).doesNotContain(database.password());
        }
    }

    @Test
    void asksBeforeItWorksOnAServer() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            assertThat(compare(onServer(database)).refusal())
                    .contains("tables that begin with idgen_compare_", "--yes")
                    .doesNotContain(database.password());
            assertThat(tables(database)).isEmpty();
        }
    }

    @Test
    void refusesTablesThatAreThere() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            execute(database, "CREATE TABLE idgen_compare_mine (id int)");

            assertThat(compare(onServer(database, "--yes")).refusal())
                    .contains("idgen_compare_mine", "does not touch", "--prefix");
            assertThat(tables(database)).containsExactly("idgen_compare_mine");
        }
    }

    @Test
    void dropsItsTablesWhenItIsInterrupted() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Idgen.class.getName(),
                    "compare",
                    "--no-quick"));
            command.addAll(Arrays.asList(onServer(database, "--yes")));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            try {
                await(() -> !process.isAlive()
                        || (tables(database).contains("idgen_compare_worker")
                                && !rows(database, "SELECT * FROM idgen_compare_worker")
                                        .isEmpty()));
                assertThat(process.isAlive())
                        .as(Files.readString(folder.resolve("log")))
                        .isTrue();

                process.destroy(); // SIGTERM, which the JVM handles like Ctrl+C

                assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(tables(database))
                    .as(Files.readString(folder.resolve("log")))
                    .isEmpty();
        }
    }

    private interface Condition {
        boolean holds() throws SQLException;
    }

    private static void await(Condition condition) throws SQLException {
        long deadline = System.nanoTime() + Duration.ofMinutes(10).toNanos();
        while (!holds(condition)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** Returns false after an error: a table may be listed before its creation has ended. */
    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (SQLException e) {
            return false;
        }
    }

    private String[] onServer(Database database, String... more) throws IOException {
        Path password = Files.writeString(folder.resolve("password"), database.password());
        List<String> args = new ArrayList<>(List.of(
                "--url", database.plainUrl(), "--user", database.user(), "--password-file", password.toString()));
        args.addAll(Arrays.asList(more));
        return args.toArray(String[]::new);
    }

    private static List<String> tables(Database database) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                ResultSet rows = connection.getMetaData().getTables(connection.getCatalog(), null, "%", null)) {
            while (rows.next()) {
                String name = rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
                if (name.startsWith("idgen_") && !name.endsWith("_pkey")) {
                    tables.add(name);
                }
            }
        }
        return tables;
    }

    private static String rows(Database database, String sql) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    text.append(rows.getString(i)).append(' ');
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    private static void execute(Database database, String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }
}
