package io.idgen.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.Idgen;
import io.idgen.cli.Run;
import io.idgen.cli.common.ExitCodes;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code idgen compare} as a user does, with short measurements. */
@Tag("matrix")
class CompareTest {
    private static final List<String> SHORT = List.of("compare", "--duration", "20ms");

    @TempDir
    Path folder;

    private static Run compare(String... args) {
        return Run.of(Stream.concat(SHORT.stream(), Arrays.stream(args)).toArray(String[]::new));
    }

    private static Map<String, JsonNode> kinds(JsonNode comparison) {
        return comparison
                .path("kinds")
                .valueStream()
                .collect(Collectors.toMap(kind -> kind.path("name").asString(), Function.identity()));
    }

    @Test
    void theTableThePageAndTheJsonHaveEveryKind() throws IOException {
        Path page = folder.resolve("report.html");

        Run run = compare("--out", page.toString());

        assertThat(run.exitCode()).as(run.err() + run.out()).isEqualTo(ExitCodes.OK);
        JsonNode json = JsonMapper.builder().build().readTree(Files.readString(folder.resolve("report.json")));
        Map<String, JsonNode> kinds = kinds(json);
        assertThat(kinds.keySet())
                .containsExactlyInAnyOrder(
                        "snowflake",
                        "snowflake-fixed",
                        "segment",
                        "sequence-table",
                        "stepped",
                        "native-sequence",
                        "identity",
                        "hibernate-sequence",
                        "hibernate-table",
                        "hypersistence-tsid",
                        "cosid-segment",
                        "uuid-v4",
                        "uuid-v7");
        assertThat(kinds.values()).allSatisfy(CompareTest::assertWhole);
        assertThat(kinds.keySet()).allSatisfy(kind -> assertThat(run.out()).contains("\n" + kind + " "));
        assertThat(run.out())
                .containsSubsequence(
                        "Your application alone inserts", "idgen.strategy=snowflake", "network: 500 us added")
                .contains("redis-shards: name a Redis")
                .matches("[ -~\r\n]*");
        String html = Files.readString(page);
        assertThat(html).doesNotContain("/*{");
        String data = html.replaceFirst("(?s).*<script type=\"application/json\" id=\"data\">", "");
        assertThat(JsonMapper.builder().build().readTree(data.substring(0, data.indexOf("</script>"))))
                .isEqualTo(json);
        assertSense(kinds);
    }

    private static void assertWhole(JsonNode kind) {
        String name = kind.path("name").asString();
        assertThat(kind.path("problem").isNull()).as(name).isTrue();
        assertThat(kind.path("example").asString()).as(name).isNotEmpty();
        assertThat(kind.path("speed").path("low").asDouble()).as(name).isPositive();
        assertThat(kind.path("latency").path("calls").asLong()).as(name).isPositive();
        assertThat(kind.path("latency").path("p999").asDouble())
                .as(name)
                .isBetween(
                        kind.path("latency").path("p50").asDouble(),
                        kind.path("latency").path("max").asDouble());
        assertThat(kind.path("duplicates").path("count").asLong(-1)).as(name).isZero();
        assertThat(kind.path("duplicates").path("checked").asLong()).as(name).isPositive();
        assertThat(kind.path("rows").path("jdbc").path("median").asDouble())
                .as(name)
                .isPositive();
        assertThat(kind.path("rows").path("hibernate").path("median").asDouble())
                .as(name)
                .isPositive();
        assertThat(kind.path("rows").path("indexBytes").asLong()).as(name).isPositive();
        assertThat(kind.path("outage").path("wanted").asLong()).as(name).isPositive();
        assertThat(kind.path("crash").isObject()).as(name).isTrue();
    }

    /** Checks what follows from how the kinds work, however busy the machine is. */
    private static void assertSense(Map<String, JsonNode> kinds) {
        for (String name : List.of("snowflake", "segment", "uuid-v7")) {
            assertThat(kinds.get(name).path("outage").path("failed").asLong(-1))
                    .as(name)
                    .isZero();
        }
        for (String name : List.of("sequence-table", "identity")) {
            JsonNode outage = kinds.get(name).path("outage");
            assertThat(outage.path("given").asLong(-1)).as(name).isLessThanOrEqualTo(1);
            assertThat(outage.path("recoveredMillis").asDouble()).as(name).isPositive();
        }
        assertThat(trips(kinds, "snowflake-fixed")).isZero();
        assertThat(trips(kinds, "identity")).isEqualTo(1_000);
        assertThat(kinds.get("identity").path("latency").path("p50").asDouble())
                .as("the network takes half a millisecond")
                .isGreaterThan(500);
        assertThat(kinds.get("sequence-table").path("crash").path("lost").asLong(-1))
                .isZero();
        assertThat(kinds.get("native-sequence").path("crash").path("lost").asLong())
                .isBetween(1L, 100L);
        assertThat(kinds.get("cosid-segment").path("crash").path("lost").asLong())
                .isPositive();
    }

    private static double trips(Map<String, JsonNode> kinds, String name) {
        return kinds.get(name).path("latency").path("roundTripsPerThousand").asDouble(-1);
    }

    @Test
    void withoutADelayTheDatabaseInMemoryAnswersAtOnce() {
        Run run = compare("--json", "--strategies", "identity", "--url", "jdbc:h2:mem:at-once", "--delay", "0");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
        JsonNode json = JsonMapper.builder().build().readTree(run.out());
        assertThat(json.path("conditions").path("network").asString()).startsWith("no delay added");
        assertThat(kinds(json).get("identity").path("latency").path("p50").asDouble())
                .isLessThan(500);
    }

    /** Generates each id twice. */
    public static final class Twice implements IdStrategy {
        @Override
        public String name() {
            return "twice";
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            AtomicLong calls = new AtomicLong(2);
            return new SourcePlan(Long.MAX_VALUE, () -> new IdSource() {
                @Override
                public long nextId() {
                    return calls.getAndIncrement() / 2;
                }

                @Override
                public void close() {}
            });
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

            Run run = compare("--strategies", "twice,snowflake-fixed");

            assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
            assertThat(run.err())
                    .contains("idgen: twice generated ", "duplicates, such as ")
                    .doesNotContain("snowflake-fixed generated");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --strategies | snowflak                       | unknown strategy snowflak
            --duration   | 90s                            | --duration in ms must be 20 to 60000, got 90000
            --delay      | 5                              | a duration such as 0.5ms or 3s is expected, got '5'
            --out        | missing/report.html            | --out missing/report.html cannot be written
            --url        | jdbc:h2:file:./none            | add --yes to allow it
            """)
    void wrongOptionsAreRefusedInOneLine(String option, String value, String message) {
        assertThat(Run.of("compare", option, value).refusal()).contains(message);
    }

    @Test
    void onAServerItDropsItsOwnTablesAndTouchesNoOther() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            new IdgenSchema(database.dataSource()).create();
            List<String> before = tables(database);
            assertThat(before).isNotEmpty();
            String[] login = login(database, "--yes", "--strategies", "snowflake,segment,hibernate,identity,uuid");

            Run run = compare(login);

            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
            assertThat(run.out()).contains("network: no delay added").doesNotContain(database.password());
            assertThat(tables(database)).isEqualTo(before);
            Sql.execute(database.dataSource(), "CREATE TABLE idgen_compare_mine (id int)");
            assertThat(compare(login).refusal()).contains("idgen_compare_mine", "exist already");
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
                    "--duration",
                    "10s"));
            command.addAll(Arrays.asList(login(database, "--yes")));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            try {
                long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
                while (!tables(database).contains("idgen_compare_crash_identity") && process.isAlive()) {
                    assertThat(System.nanoTime()).isLessThan(deadline);
                    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                }
                process.destroy(); // SIGTERM, which the JVM handles like Ctrl+C

                assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(tables(database))
                    .as(Files.readString(folder.resolve("log")))
                    .isEmpty();
        }
    }

    private String[] login(Database database, String... more) throws IOException {
        Path password = Files.writeString(folder.resolve("password"), database.password());
        List<String> args = new ArrayList<>(List.of(
                "--url", database.plainUrl(), "--user", database.user(), "--password-file", password.toString()));
        args.addAll(Arrays.asList(more));
        return args.toArray(String[]::new);
    }

    private static List<String> tables(Database database) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                ResultSet rows = connection.getMetaData().getTables(connection.getCatalog(), null, "idgen%", null)) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
            }
        }
        return tables;
    }
}
