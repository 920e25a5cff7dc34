package library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Runs the programs of {@code docs/getting-started.md}, and compares their pom.xml files with this build. */
class GettingStartedTest {

    /** The main method of a program. */
    interface Main {
        void run(String... args) throws Exception;
    }

    @Test
    void theHibernateProgramPrintsAnId() throws Exception {
        assertThat(printedBy(HibernateLibrary::main)).containsPattern("before the INSERT: \\d{18}");
    }

    @Test
    void theSpringBootProgramPrintsAnId() throws Exception {
        assertThat(printedBy(SpringLibrary::main)).containsPattern("saved book \\d{18}");
    }

    @Test
    void itsMigrationIsThatOfThePage() throws IOException {
        String migration =
                Files.readString(Path.of("spring-boot", "src", "main", "resources", "db", "migration", "V1__book.sql"));

        assertThat(Files.readString(Path.of("..", "..", "docs", "getting-started.md")))
                .contains("```sql\n" + migration + "```");
    }

    @Test
    void theProgramWithoutHibernatePrintsIds() throws Exception {
        assertThat(printedBy(JdbcLibrary::main))
                .containsPattern("inserted book \\d{18} with chapters \\d{18} to \\d{18}");
    }

    /** Those of {@code examples/frameworks} have their frameworks' versions, too. */
    @Test
    void theirPomsHaveTheVersionsOfThisBuild() throws IOException {
        Map<String, String> versions = versionsOfThisBuild();
        for (String project : new String[] {
            "hibernate",
            "spring-boot",
            "without-hibernate",
            "../frameworks/micronaut",
            "../frameworks/helidon",
            "../frameworks/exposed",
            "../frameworks/r2dbc",
            "../frameworks/shardingsphere",
            "../frameworks/rest",
            "../frameworks/reactive",
            "../frameworks/jpa",
            "../frameworks/quarkus"
        }) {
            Map<String, String> used = versions(Files.readString(Path.of(project, "pom.xml")));
            used.remove("library");
            used.values().removeIf(version -> version.startsWith("${"));

            assertThat(used)
                    .as(project)
                    .isNotEmpty()
                    .allSatisfy((artifact, version) -> assertThat(version)
                            .as(artifact)
                            .isEqualTo(versions.get(artifact.startsWith("idgen-") ? "idgen-parent" : artifact)));
        }
    }

    /** Returns the versions in the poms of this build, by artifact. */
    private static Map<String, String> versionsOfThisBuild() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String module : new String[] {
            "parent",
            "idgen-test-databases",
            "integrations/framework-tests",
            "integrations/idgen-shardingsphere",
            "integrations/idgen-spring-boot"
        }) {
            all.append(Files.readString(Path.of("..", "..", module, "pom.xml")));
        }
        String poms = all.toString();
        Map<String, String> versions = versions(poms);
        versions.replaceAll((artifact, version) -> resolved(poms, version));
        versions.put("hibernate-core", property(poms, "hibernate.version"));
        versions.put("spring-boot-starter-parent", property(poms, "spring-boot-4.version"));
        versions.put("springdoc-openapi-starter-webmvc-api", property(poms, "spring-boot-4.springdoc.version"));
        return versions;
    }

    private static String resolved(String poms, String version) {
        return version.startsWith("${") ? property(poms, version.substring(2, version.length() - 1)) : version;
    }

    private static Map<String, String> versions(String pom) {
        return Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(pom)
                .results()
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2), (first, second) -> first));
    }

    private static String property(String poms, String name) {
        return Pattern.compile("<" + name + ">([^<]+)</" + name + ">")
                .matcher(poms)
                .results()
                .findFirst()
                .map(match -> match.group(1))
                .orElse("no property " + name);
    }

    private static String printedBy(Main main) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            main.run();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
