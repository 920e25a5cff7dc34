package io.idgen.cli;

import io.idgen.cli.compare.Compare;
import java.time.InstantSource;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command itself; what it does is in its subcommands. */
@Command(
        name = "idgen",
        description = "Makes, reads and compares ids.",
        mixinStandardHelpOptions = true,
        versionProvider = Idgen.Version.class,
        scope = ScopeType.INHERIT,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Done, and nothing is wrong.",
            "1:Done, and what was looked at is wrong: a duplicate, a missing table.",
            "2:Bad input: an option, an id, a file, a database that does not answer.",
            "3:The tool itself failed, which is a bug."
        },
        subcommands = {
            Compare.class,
            Inspect.class,
            Generate.class,
            Convert.class,
            Layout.class,
            Analyze.class,
            Schema.class,
            Doctor.class,
            Repair.class,
            Serve.class,
            HelpCommand.class,
            AutoComplete.GenerateCompletion.class
        })
public final class Idgen {

    // java.util.logging forgets the levels of loggers that nobody holds
    private static final Logger LIBRARY = Logger.getLogger("io.idgen");

    private static final Set<String> TAKE_NUMBERS = Set.of("inspect", "convert");

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of an error, and what idgen logs.")
    private boolean verbose;

    private final InstantSource clock;

    /** What the jar says of itself. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Idgen.class.getPackage().getImplementationVersion();
            return new String[] {"idgen " + (version == null ? "(not from its jar)" : version)};
        }
    }

    /** By the system's clock. */
    Idgen() {
        this(InstantSource.system());
    }

    private Idgen(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * The command, ready to be executed with arguments; each time a new one.
     *
     * @return prints to standard output and standard error unless told otherwise
     */
    public static CommandLine commandLine() {
        return commandLine(InstantSource.system());
    }

    /** The same at a time that a test chooses. */
    static CommandLine commandLine(InstantSource clock) {
        Idgen idgen = new Idgen(clock);
        Errors errors = new Errors(idgen);
        CommandLine command = new CommandLine(idgen);
        command.getSubcommands()
                .forEach((name, subcommand) ->
                        // -5 is a bad id, not an unknown option
                        subcommand.setUnmatchedOptionsArePositionalParams(TAKE_NUMBERS.contains(name)));
        return command.setExecutionStrategy(parsed -> {
                    LIBRARY.setLevel(idgen.verbose ? Level.INFO : Level.WARNING);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    /** Tells now, beyond which by a day ids are not believed. */
    InstantSource clock() {
        return clock;
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
