package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.schema.IdgenSchema;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the jar's configuration for native images with the jar's contents; does not build an image. */
class NativeImageTest {
    private static Path classes;
    private static String metadata;

    @BeforeAll
    static void read() throws Exception {
        classes = Path.of(IdgenSchema.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        metadata = Files.readString(
                classes.resolve("META-INF/native-image/io.idgen/idgen-jdbc/reachability-metadata.json"));
    }

    @Test
    void allThatServicesNameIsMadeByReflection() throws IOException {
        List<String> services = new ArrayList<>();
        for (Path file : files("META-INF/services")) {
            services.addAll(Files.readAllLines(file));
        }
        services.add(Connection.class.getName()); // BorrowedConnection calls all of its methods
        assertThat(told("type")).isNotEmpty().containsExactlyInAnyOrderElementsOf(services);
    }

    @Test
    void allResourcesAreNamedAndNothingIsNamedThatIsNotThere() throws IOException {
        List<Path> resources = files("").stream()
                .filter(file -> !file.toString().endsWith(".class"))
                .map(classes::relativize)
                .filter(file -> !file.startsWith("META-INF/native-image"))
                .toList();
        assertThat(resources)
                .allMatch(file -> told("glob").stream().anyMatch(glob -> matches(file, glob)), "is named by a glob");
        assertThat(told("glob"))
                .isNotEmpty()
                .allMatch(glob -> resources.stream().anyMatch(file -> matches(file, glob)), "names a file");
    }

    private static boolean matches(Path file, String glob) {
        return FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(file);
    }

    private static List<String> told(String key) {
        return Pattern.compile("\"" + key + "\": \"([^\"]+)\"")
                .matcher(metadata)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static List<Path> files(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(classes.resolve(folder))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
