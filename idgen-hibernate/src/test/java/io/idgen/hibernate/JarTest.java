package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.Optimizer;
import org.junit.jupiter.api.Test;

/** Tests the files of the jar other than classes, and what the jar requires of an application. */
class JarTest {
    private static final Path CLASSES = classes();

    @Test
    void nativeImagesGetHintsForReflection() throws Exception {
        Map<String, List<String>> reflective = new TreeMap<>();
        try (Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = CLASSES.relativize(file)
                        .toString()
                        .replace(".class", "")
                        .replace('/', '.')
                        .replace('\\', '.');
                if (!name.endsWith("package-info")) {
                    reflective.put(name, calledByReflection(Class.forName(name)));
                }
            }
        }
        reflective.values().removeIf(List::isEmpty);
        reflective.put(AccessCallback.class.getName(), List.of("getNextValue")); // its type differs between versions
        String metadata = resource("META-INF/native-image/io.idgen/idgen-hibernate/reachability-metadata.json");
        Map<String, List<String>> told = new TreeMap<>();
        for (String entry : metadata.split("(?=\"type\": )")) {
            all("\"type\": \"([^\"]+)\"", entry)
                    .forEach(type -> told.put(
                            type,
                            all("\"name\": \"([^\"]+)\"", entry).stream()
                                    .sorted()
                                    .toList()));
        }
        assertThat(told).isEqualTo(reflective);
        assertThat(all("\"glob\": \"([^\"]+)\"", metadata)).containsExactlyInAnyOrderElementsOf(services());
    }

    /**
     * Returns what Hibernate calls by reflection: the attributes of an annotation, or the public constructor of an
     * optimizer or without parameters.
     */
    private static List<String> calledByReflection(Class<?> type) {
        if (type.isAnnotation()) {
            return Arrays.stream(type.getDeclaredMethods())
                    .map(Method::getName)
                    .sorted()
                    .toList();
        }
        boolean isMade = Modifier.isPublic(type.getModifiers())
                && (Optimizer.class.isAssignableFrom(type)
                        || Arrays.stream(type.getConstructors())
                                .anyMatch(constructor -> constructor.getParameterCount() == 0));
        return isMade ? List.of("<init>") : List.of();
    }

    private static List<String> services() throws IOException {
        try (Stream<Path> files = Files.list(CLASSES.resolve("META-INF/services"))) {
            return files.map(file -> "META-INF/services/" + file.getFileName()).toList();
        }
    }

    @Test
    void whatServicesNameIsThere() throws Exception {
        for (String service : services()) {
            Constructor<?> constructor =
                    Class.forName(resource(service).strip()).getConstructor();
            assertThat(constructor.newInstance())
                    .isInstanceOf(Class.forName(service.substring(service.lastIndexOf('/') + 1)));
        }
    }

    @Test
    void hibernateAndItsApiAreTheApplications() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        for (String artifact : List.of("hibernate-core", "jakarta.persistence-api")) {
            assertThat(all(
                            "<artifactId>" + Pattern.quote(artifact) + "</artifactId>\\s*<scope>(\\w+)</scope>",
                            pom.substring(0, pom.indexOf("<build>"))))
                    .as(artifact)
                    .containsExactly("provided");
        }
    }

    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static String resource(String name) throws IOException {
        return Files.readString(CLASSES.resolve(name));
    }

    private static Path classes() {
        try {
            URL place = SnowflakeId.class.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(place.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
