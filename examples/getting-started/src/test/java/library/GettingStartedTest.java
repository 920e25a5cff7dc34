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

    @Test
    void theirPomsHaveTheVersionsOfThisBuild() throws IOException {
        String parent = Files.readString(Path.of("..", "..", "parent", "pom.xml"));
        for (String project : new String[] {"hibernate", "spring-boot", "without-hibernate"}) {
            Map<String, String> used = versions(Files.readString(Path.of(project, "pom.xml")));
            used.keySet().removeIf(artifact -> artifact.startsWith("idgen-") || artifact.equals("library"));

            assertThat(used.values())
                    .as(project)
                    .isNotEmpty()
                    .allSatisfy(version -> assertThat(parent).contains(">" + version + "<"));
        }
    }

    private static Map<String, String> versions(String pom) {
        return Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(pom)
                .results()
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2), (first, second) -> first));
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
