package io.idgen.cli;

import io.idgen.cli.compare.Compare;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code idgen} command, with its subcommands. */
@Command(
        name = "idgen",
        description = "Generates, decodes and compares ids.",
        mixinStandardHelpOptions = true,
        versionProvider = Idgen.Version.class,
        scope = ScopeType.INHERIT,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Success, and nothing is wrong.",
            "1:Success, but the command found a problem, such as a duplicate or a missing table.",
            "2:Bad input: an option, an id, a file, or a database that does not answer.",
            "3:Internal error: a bug in idgen."
        },
        subcommands = {
            Compare.class,
            Inspect.class,
            Generate.class,
            Layout.class,
            Analyze.class,
            Schema.class,
            DoctorCommand.class,
            RepairCommand.class,
            HelpCommand.class,
            AutoComplete.GenerateCompletion.class
        })
public final class Idgen {

    // java.util.logging holds loggers weakly; without this reference the level would be lost
    private static final Logger LIBRARY = Logger.getLogger("io.idgen");

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of an error, and idgen's log.")
    private boolean verbose;

    private final InstantSource clock;
    private final InputStream in;

    /** The version from the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Idgen.class.getPackage().getImplementationVersion();
            return new String[] {"idgen " + (version == null ? "(not from its jar)" : version)};
        }
    }

    /** Creates the command with the system clock. */
    Idgen() {
        this(InstantSource.system(), System.in);
    }

    private Idgen(InstantSource clock, InputStream in) {
        this.clock = clock;
        this.in = in;
    }

    /**
     * Returns a new command, ready to be executed with arguments.
     *
     * @return a command that prints to standard output and standard error by default
     */
    public static CommandLine commandLine() {
        return commandLine(InstantSource.system(), System.in);
    }

    /** Returns a command with the clock and the standard input of a test. */
    static CommandLine commandLine(InstantSource clock, InputStream in) {
        Idgen idgen = new Idgen(clock, in);
        Errors errors = new Errors(idgen);
        CommandLine command = new CommandLine(idgen);
        // -5 is an invalid id, not an unknown option
        Objects.requireNonNull(command.getSubcommands().get("inspect")).setUnmatchedOptionsArePositionalParams(true);
        command.setCaseInsensitiveEnumValuesAllowed(true);
        return command.setExecutionStrategy(parsed -> {
                    LIBRARY.setLevel(idgen.verbose ? Level.INFO : Level.WARNING);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    /** Returns the source of the current time. Ids more than a day later lie in the future. */
    InstantSource clock() {
        return clock;
    }

    /** Returns standard input. */
    InputStream in() {
        return in;
    }

    /** Returns whether to print stack traces. */
    boolean isVerbose() {
        return verbose;
    }

    /**
     * Runs the command and ends the process with its exit code.
     *
     * @param args the arguments; {@code idgen help} describes them
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
