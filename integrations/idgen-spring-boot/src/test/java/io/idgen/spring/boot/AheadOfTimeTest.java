package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.spring.boot.processed.Processed;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** Processes an application with the starter ahead of time, without a database, and then starts it. */
@Tag("matrix")
class AheadOfTimeTest {
    private static final List<String> SETTINGS = List.of(
            "-Didgen.sources.parcels.strategy=segment",
            "-Didgen.sources.parcels.start=100",
            "-Dspring.main.web-application-type=none",
            "-Dlogging.level.io.idgen=info",
            "-Dspring.flyway.enabled=false",
            "-Dspring.liquibase.enabled=false");

    @TempDir
    private Path folder;

    @Test
    void anApplicationIsProcessedWithoutADatabaseAndThenStartsWithOne() throws Exception {
        Path sources = folder.resolve("sources");
        Path classes = folder.resolve("classes");
        try (ChildJvm processor = ChildJvm.start(
                SpringApplicationAotProcessor.class,
                with("-Dspring.datasource.url=jdbc:postgresql://localhost:1/none"),
                List.of(
                        Processed.class.getName(),
                        sources.toString(),
                        classes.toString(),
                        classes.toString(),
                        "io.idgen",
                        "spring-boot"))) {
            processor.awaitsEnd();
        }
        compile(sources, classes);

        try (ChildJvm application = ChildJvm.start(
                Processed.class,
                with(
                        "-cp",
                        classes + File.pathSeparator + System.getProperty("java.class.path"),
                        "-Dspring.aot.enabled=true",
                        "-Didgen.acquire-timeout=1m"),
                List.of("--spring.datasource.url=jdbc:h2:mem:processed", "--spring.jpa.hibernate.ddl-auto=update"))) {
            assertThat(application.awaitsEnd())
                    .anyMatch(line -> line.contains("Starting AOT-processed Processed"))
                    .anyMatch(line -> line.matches("saved \\d{18}, parcel 100"));
        }
    }

    private static List<String> with(String... options) {
        return Stream.concat(SETTINGS.stream(), Stream.of(options)).toList();
    }

    private static void compile(Path sources, Path classes) throws IOException {
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
            assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                    .isZero();
        }
    }
}
