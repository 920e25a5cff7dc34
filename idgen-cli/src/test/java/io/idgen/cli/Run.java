package io.idgen.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * What a user sees of one run of the command.
 *
 * @param exitCode one of {@link ExitCodes}
 * @param out standard output
 * @param err standard error
 */
public record Run(int exitCode, String out, String err) {

    /** Runs the command in this process. */
    public static Run of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Idgen.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = command.execute(args);
        return new Run(exitCode, out.toString(), err.toString());
    }
}
