package io.idgen.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The negative control of {@code idgen doctor --race}: on Apache Ignite 2.17 with the Calcite engine, {@code UPDATE …
 * WHERE next_id = ?} reports 1 to several connections.
 */
class IgniteRaceTest {

    /** The options that Ignite requires on JDK 17. They apply to a separate process. */
    private static final List<String> OPENED = List.of(
            "java.base/java.io",
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.math",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.text",
            "java.base/java.time",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/java.util.concurrent.locks",
            "java.base/jdk.internal.access",
            "java.base/jdk.internal.misc",
            "java.base/sun.nio.ch",
            "java.base/sun.reflect.generics.reflectiveObjects",
            "java.base/sun.util.calendar",
            "java.management/com.sun.jmx.mbeanserver",
            "java.management/sun.management",
            "java.sql/java.sql",
            "jdk.internal.jvmstat/sun.jvmstat.monitor",
            "jdk.management/com.sun.management.internal");

    @Test
    void aDatabaseThatTellsSeveralConnectionsThatTheyHaveWonIsFound(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-DIGNITE_QUIET=true",
                "-DIGNITE_NO_ASCII=true",
                "-DIGNITE_UPDATE_NOTIFIER=false"));
        OPENED.forEach(each -> command.addAll(List.of("--add-opens", each + "=ALL-UNNAMED")));
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), IgniteNode.class.getName(), folder.toString()));

        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }

        String printed = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(printed).isZero();
        assertThat(printed)
                .contains("OK database Apache Ignite 2.17.0")
                .containsPattern("WRONG compare-set in \\d+ of \\d+ rounds several connections changed the same row");
    }
}
