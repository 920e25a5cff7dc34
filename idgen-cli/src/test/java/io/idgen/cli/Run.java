package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import picocli.CommandLine;

/**
 * The result of one run of the command, as a user sees it.
 *
 * @param exitCode one of {@link ExitCodes}
 * @param out standard output
 * @param err standard error
 */
public record Run(int exitCode, String out, String err) {

    /** Runs the command in this process. */
    public static Run of(String... args) {
        return at(InstantSource.system(), InputStream.nullInputStream(), args);
    }

    /** Runs the command in this process, with a text on its standard input. */
    public static Run withInput(String text, String... args) {
        return at(InstantSource.system(), new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), args);
    }

    /** Runs the command in this process at a given time. */
    static Run at(String now, String... args) {
        return at(InstantSource.fixed(Instant.parse(now)), InputStream.nullInputStream(), args);
    }

    /** Runs the command in this process at a given time, with a text on its standard input. */
    static Run reading(String text, String now, String... args) {
        return at(
                InstantSource.fixed(Instant.parse(now)),
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                args);
    }

    private static Run at(InstantSource clock, InputStream in, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Idgen.commandLine(clock, in).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = command.execute(args);
        return new Run(exitCode, out.toString(), err.toString());
    }

    /**
     * Returns the only line of a refusal. Checks the exit code 2, and that nothing else was printed, such as a stack
     * trace.
     */
    public String refusal() {
        assertThat(exitCode).as(err).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(out).isEmpty();
        assertThat(err.lines()).hasSize(1);
        assertThat(err).startsWith("idgen: ").doesNotContain("\tat ");
        return err.strip();
    }

    /** Returns standard output, and checks that the run succeeded. */
    public String printed() {
        assertThat(err).isEmpty();
        assertThat(exitCode).isEqualTo(ExitCodes.OK);
        return out;
    }
}
