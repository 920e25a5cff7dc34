package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.internal.sql.SchemaScript;
import io.idgen.jdbc.schema.IdgenSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the texts of all scripts, including those for databases without tests. Each must create the same tables,
 * keys and rows.
 */
class SchemaScriptsTest {
    private static final Pattern TABLE =
            Pattern.compile("CREATE TABLE (?:IF NOT EXISTS )?(\\w+) \\((.*)\\)(?: ENGINE = InnoDB)?", Pattern.DOTALL);
    private static final Pattern TEXT_OPTIONS = Pattern.compile(" (CHARACTER SET|COLLATE) \\w+");
    private static final String NAMESPACE = "'default'";

    static List<String> databases() {
        return IdgenSchema.databases();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void theChangelogOfLiquibaseRunsTheMigration(String database) throws IOException {
        try (InputStream changelog = IdgenSchema.class.getResourceAsStream("/" + IdgenSchema.LIQUIBASE_CHANGELOG)) {
            assertThat(new String(Objects.requireNonNull(changelog).readAllBytes(), StandardCharsets.UTF_8))
                    .containsOnlyOnce("id=\"idgen-tables-" + database + "\"")
                    .containsOnlyOnce("path=\"db/idgen/" + database + "/R__idgen_tables.sql\"");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void tablesColumnsAndKeysAreThoseOfEveryOtherDatabase(String database) {
        Map<String, List<String>> tables = tables(database);

        assertThat(tables).isEqualTo(tables("h2")).hasSize(2);
        assertThat(tables.values())
                .allSatisfy(
                        columns -> assertThat(columns.get(columns.size() - 1)).matches("primary key \\(.+\\)"));
    }

    /** Returns the columns of each table with their types in standard SQL, and its key. */
    private static Map<String, List<String>> tables(String database) {
        Map<String, List<String>> tables = new TreeMap<>();
        for (String statement : SchemaScript.create(Dialects.named(database)).statements()) {
            Matcher table = TABLE.matcher(statement);
            if (table.matches()) {
                tables.put(
                        table.group(1),
                        Stream.of(table.group(2).split(",\\s*\n"))
                                .map(SchemaScriptsTest::standard)
                                .toList());
            }
        }
        return tables;
    }

    private static String standard(String column) {
        return TEXT_OPTIONS
                .matcher(column.strip().replaceAll("\\s+", " "))
                .replaceAll("")
                .toLowerCase(Locale.ROOT)
                .replace("nvarchar(", "varchar(")
                .replace("varchar2(", "varchar(")
                .replace("number(19)", "bigint")
                .replace("number(10)", "integer")
                .replaceAll(" int\\b", " integer");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void theFirstRowsAreOfTheDefaultLayoutAndOfTheServerThatRunsTheScript(String database) {
        assertThat(insert(database))
                .startsWith("INSERT INTO idgen_worker (namespace, worker_id, layout, fence, lease_until, horizon,"
                        + " server_id)\n")
                .contains(
                        "SELECT " + NAMESPACE + ", ",
                        ", '" + LeaseTerms.layoutAndTimes(SnowflakeLayout.IDGEN) + "', 0, 0, 0, "
                                + Dialects.named(database).serverIdentity() + "\n",
                        "\nWHERE NOT EXISTS (SELECT 1 FROM idgen_worker WHERE namespace = " + NAMESPACE + ")");
    }

    private static String insert(String database) {
        List<String> inserts = SchemaScript.create(Dialects.named(database)).statements().stream()
                .filter(statement -> statement.startsWith("INSERT"))
                .toList();
        assertThat(inserts).hasSize(1);
        return inserts.get(0);
    }

    @Test
    void theFirstRowsOnMySqlAreThoseOnMariaDb() {
        assertThat(withoutIdentity("mysql")).isEqualTo(withoutIdentity("mariadb"));
    }

    private static String withoutIdentity(String database) {
        return insert(database).replace(Dialects.named(database).serverIdentity(), "identity");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void allThatIsCreatedIsDropped(String database) {
        List<String> drops = Stream.of(IdgenSchema.dropScript(database, IdgenSchema.DEFAULT_PREFIX)
                        .split("\n"))
                .map(line -> line.replaceAll("DROP TABLE (IF EXISTS )?", "").replace(";", ""))
                .toList();

        assertThat(drops).containsAll(tables(database).keySet());
    }

    @Test
    void theFunctionsOfPostgreSqlCompareTheIdentityThatJavaCompares() {
        assertThat(functions("postgresql"))
                .contains("server text := " + Dialects.named("postgresql").serverIdentity() + ";");
    }

    @Test
    void theFunctionsOfMySqlAreThoseOfMariaDbExceptForTheServer() {
        assertThat(withoutServer("mysql")).isEqualTo(withoutServer("mariadb"));
    }

    private static String functions(String database) {
        return IdgenSchema.functionsScript(database, IdgenSchema.DEFAULT_PREFIX);
    }

    private static List<String> withoutServer(String database) {
        return functions(database)
                .replace("CREATE OR REPLACE", "CREATE")
                .lines()
                .filter(line ->
                        !line.matches("-- .*|DROP .*|.*DECLARE (by_start|by_history|server) .*|.*@@global.read_only.*"))
                .toList();
    }
}
