package io.idgen.cli;

import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command itself; what it does is in its subcommands. */
@Command(
        name = "idgen",
        description = "Makes, reads and compares ids.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Done, and nothing is wrong.",
            "1:Done, and what was looked at is wrong: a duplicate, a missing table.",
            "2:Bad input: an option, an id, a file, a database that does not answer.",
            "3:The tool itself failed, which is a bug."
        },
        subcommands = {HelpCommand.class, AutoComplete.GenerateCompletion.class})
public final class Idgen {

    // java.util.logging forgets the levels of loggers that nobody holds
    private static final Logger LIBRARY = Logger.getLogger("io.idgen");

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of an error, and what idgen logs.")
    private boolean verbose;

    private Idgen() {}

    /**
     * The command, ready to be executed with arguments; each time a new one.
     *
     * @return prints to standard output and standard error unless told otherwise
     */
    public static CommandLine commandLine() {
        Idgen idgen = new Idgen();
        Errors errors = new Errors(idgen);
        return new CommandLine(idgen)
                .setExecutionStrategy(parsed -> {
                    LIBRARY.setLevel(idgen.verbose ? Level.INFO : Level.WARNING);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    /** Whether the user wants to see more than one line of an error. */
    boolean isVerbose() {
        return verbose;
    }

    /**
     * Runs the command and ends the process with its exit code.
     *
     * @param args as {@code idgen help} explains them
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
