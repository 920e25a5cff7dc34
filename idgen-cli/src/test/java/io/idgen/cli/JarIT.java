package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests idgen.jar, the only file that users need. */
class JarIT {
    private static final Path JAR = Path.of("target", "idgen.jar");

    private static String run(String... args) throws IOException {
        return run(List.of(), args);
    }

    private static String run(List<String> options, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-jar", JAR.toString()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String read(JarFile jar, String name) throws IOException {
        try (InputStream in = jar.getInputStream(Objects.requireNonNull(jar.getEntry(name), name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void itRuns() throws IOException {
        assertThat(run("--version")).matches("idgen \\d+\\.\\d+\\.\\d+.*\\s*");
        assertThat(run("inspect", "175928847299117063", "--layout", "discord", "--json"))
                .contains("\"instant\":\"2016-04-30T11:18:25.796Z\"");
    }

    @Test
    void aCommandThatPrintsTextLoadsNeitherJacksonNorDriversNorPools() throws IOException {
        List<String> logged = List.of("-Xlog:class+load");

        assertThat(run(logged, "inspect", "175928847299117063", "--layout", "discord"))
                .contains("picocli.CommandLine ", "2016-04-30")
                .doesNotContain("tools.jackson.", "org.postgresql.", "org.h2.", "com.zaxxer.")
                .doesNotContain("io.lettuce.", "io.netty.", "org.apache.");
        assertThat(run(logged, "--version")).doesNotContain("tools.jackson.", "io.lettuce.", "org.apache.");
        assertThat(run(logged, "inspect", "175928847299117063", "--layout", "discord", "--json"))
                .contains("tools.jackson.");
    }

    @ParameterizedTest
    @Tag("matrix")
    @ValueSource(strings = {"jdbc:postgresql://localhost:1/x", "jdbc:mariadb://localhost:1/x"})
    void itHasTheDriversOfServers(String url) throws IOException {
        assertThat(run("doctor", "--url", url))
                .contains("check that the database runs")
                .doesNotContain("no JDBC driver");
    }

    @ParameterizedTest
    @Tag("matrix")
    @ValueSource(strings = {"--redis=redis://localhost:1", "--redis=rediss://localhost:1", "--zookeeper=localhost:1"})
    void itHasTheClientsOfRedisAndZooKeeper(String store) throws IOException {
        assertThat(run("doctor", store)).contains("check that it runs");
    }

    /** ZooKeeper's client uses Netty for TLS. The jar has the version of Netty that Redis's client needs. */
    @Test
    @Tag("matrix")
    void itsClientOfZooKeeperSpeaksTls() throws IOException {
        List<String> tls = List.of(
                "-Dzookeeper.client.secure=true",
                "-Dzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty",
                "-Xlog:class+load");

        assertThat(run(tls, "doctor", "--zookeeper", "localhost:1"))
                .contains("org.apache.zookeeper.ClientCnxnSocketNetty ", "io.netty.bootstrap.Bootstrap ")
                .contains("io.netty.channel.nio.NioEventLoopGroup ", "check that it runs");
    }

    @Test
    void itHasTheDriverAndTheTablesOfH2() throws IOException {
        assertThat(run("doctor", "--url", "jdbc:h2:mem:x")).contains("none of idgen's tables exists");
        assertThat(run("schema", "--db", "h2")).contains("CREATE TABLE IF NOT EXISTS idgen_counter");
    }

    @Test
    void itKeepsTheLicencesOfWhatItContains() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            String named = read(jar, "META-INF/THIRD-PARTY.txt");
            assertThat(jar.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.matches("META-INF/maven/[^/]+/[^/]+/pom.xml"))
                            .map(name -> name.split("/", -1)[2])
                            .filter(group -> !group.equals("io.idgen"))
                            .distinct())
                    .isNotEmpty()
                    .allSatisfy(group -> assertThat(named).contains(group));
            assertThat(read(jar, "META-INF/LICENSE")).contains("Apache License", "PostgreSQL Global Development Group");
            assertThat(read(jar, "META-INF/LICENSE.txt")).contains("Checker Framework");
            assertThat(read(jar, "META-INF/NOTICE")).contains("Jackson");
            assertThat(read(jar, "META-INF/licenses/LGPL-2.1.txt")).contains("LESSER GENERAL PUBLIC LICENSE");
            assertThat(read(jar, "META-INF/licenses/MPL-2.0.txt")).contains("Mozilla Public License");
        }
    }
}
