package io.idgen.framework.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * Runs {@code spring-boot:process-aot} as a build does, without a database, and then starts the processed application.
 */
class AheadOfTimeTest {
    @TempDir
    Path folder;

    @Test
    void anApplicationIsProcessedWithoutADatabaseAndThenStartsWithOne() throws Exception {
        Path sources = folder.resolve("sources");
        Path classes = folder.resolve("classes");
        try (ChildJvm processor = ChildJvm.start(
                SpringApplicationAotProcessor.class,
                List.of("-Dspring.datasource.url=jdbc:postgresql://localhost:1/none", "-Dspring.flyway.enabled=false"),
                List.of(
                        Application.class.getName(),
                        sources.toString(),
                        classes.toString(),
                        classes.toString(),
                        "io.idgen",
                        "framework-tests"))) {
            processor.awaitsEnd();
        }
        compile(sources, classes);
        assertThat(Files.exists(classes.resolve("META-INF"))).isTrue();

        try (Database database = TestDatabase.POSTGRESQL.create();
                ChildJvm application = ChildJvm.start(
                        Application.class,
                        List.of(
                                "-cp",
                                classes + File.pathSeparator + System.getProperty("java.class.path"),
                                "-Dspring.aot.enabled=true",
                                "-Dspring.jpa.properties.idgen.acquire-timeout=1m"),
                        List.of(
                                "--spring.main.banner-mode=off",
                                "--spring.datasource.url=" + database.plainUrl(),
                                "--spring.datasource.username=" + database.user(),
                                "--spring.datasource.password=" + database.password(),
                                "--spring.flyway.enabled=false",
                                "--spring.jpa.hibernate.ddl-auto=update"))) {
            assertThat(application.awaitsEnd())
                    .anyMatch(line -> line.contains("Starting AOT-processed Application"))
                    .anyMatch(line -> line.matches("saved \\d{18}"));
        }
    }

    private static void compile(Path sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (Stream<Path> files = Files.walk(sources)) {
            List<String> arguments = Stream.concat(
                            Stream.of(
                                    "-proc:none",
                                    "-nowarn",
                                    "-d",
                                    classes.toString(),
                                    "-cp",
                                    classes + File.pathSeparator + System.getProperty("java.class.path")),
                            files.map(Path::toString).filter(file -> file.endsWith(".java")))
                    .toList();
            assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new)))
                    .isZero();
        }
    }
}
