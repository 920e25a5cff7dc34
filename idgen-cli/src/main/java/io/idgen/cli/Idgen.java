package io.idgen.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command itself; what it does is in its subcommands. */
@Command(
        name = "idgen",
        description = "Makes, reads and compares ids.",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        subcommands = {})
public final class Idgen {

    private Idgen() {}

    /**
     * Runs the command and ends the process with its exit code.
     *
     * @param args as {@code idgen help} explains them
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Idgen()).execute(args));
    }
}
