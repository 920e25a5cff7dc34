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
        String parent = Files.readString(Path.of("..", "..", "pom.xml"));
        Map<String, String> versions = Map.of(
                "idgen-hibernate", version(parent, "idgen-parent"),
                "idgen-spring-boot-starter", version(parent, "idgen-parent"),
                "idgen-jdbc", version(parent, "idgen-parent"),
                "hibernate-core", property(parent, "hibernate.version"),
                "h2", property(parent, "h2.version"),
                "spring-boot-starter-parent", property(parent, "spring-boot-4.version"),
                "maven-compiler-plugin", version(parent, "maven-compiler-plugin"),
                "exec-maven-plugin", version(parent, "exec-maven-plugin"));
        for (String project : new String[] {
            "hibernate",
            "spring-boot",
            "without-hibernate",
            "../frameworks/micronaut",
            "../frameworks/helidon",
            "../frameworks/exposed"
        }) {
            Map<String, String> used = versions(Files.readString(Path.of(project, "pom.xml")));
            used.remove("library");
            used.values().removeIf(version -> version.startsWith("${"));

            assertThat(used).as(project).isNotEmpty();
            assertThat(versions).as(project).containsAllEntriesOf(used);
        }
    }

    private static Map<String, String> versions(String pom) {
        return Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(pom)
                .results()
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2), (first, second) -> first));
    }

    private static String version(String pom, String artifact) {
        return versions(pom).get(artifact);
    }

    private static String property(String pom, String name) {
        return pom.replaceFirst("(?s).*<" + name + ">([^<]+)</" + name + ">.*", "$1");
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
