package io.idgen.benchmarks.insert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.Version;

/** Where and when the tables were made. */
final class Environment {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Environment() {}

    static List<String> lines() {
        return List.of(
                LocalDate.now(ZoneOffset.UTC) + ", " + Runtime.getRuntime().availableProcessors() + " × " + processor()
                        + ", " + System.getProperty("os.name") + " " + System.getProperty("os.version"),
                "JDK " + Runtime.version() + " (" + System.getProperty("java.vm.name") + "), Hibernate "
                        + Version.getVersionString());
    }

    private static String processor() {
        if (!Files.exists(PROCESSORS)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
