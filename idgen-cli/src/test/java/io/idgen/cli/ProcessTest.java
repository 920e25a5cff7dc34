package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the command as a process: standard input, exit codes, and the environment. */
@Tag("matrix")
class ProcessTest {

    private static ProcessBuilder idgen(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Idgen.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command);
    }

    private static String read(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    @Test
    void badInputEndsWithTwoAndALineWithoutColour() throws Exception {
        ProcessBuilder builder = idgen("inspect", "-5");
        builder.environment().put("NO_COLOR", "1");
        Process process = builder.start();

        assertThat(read(process.getErrorStream()))
                .startsWith("idgen: an id is never negative")
                .doesNotContain("\033");
        assertThat(exitCode(process)).isEqualTo(ExitCodes.BAD_INPUT);
    }

    @Test
    void aPasswordIsTakenFromTheEnvironment() throws Exception {
        ProcessBuilder builder = idgen("doctor", "--url", "jdbc:h2:mem:x", "--user", "sa");
        builder.environment().put(DatabaseOptions.PASSWORD_VARIABLE, "h2-secret");
        Process process = builder.start();

        assertThat(read(process.getInputStream())).contains("none of idgen's tables exists");
        assertThat(exitCode(process)).isEqualTo(ExitCodes.FOUND);
    }
}
