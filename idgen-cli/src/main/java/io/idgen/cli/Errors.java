package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.time.Characters;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints every error as one line on standard error; with {@code --verbose} also its stack trace. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final Pattern OPTION = Pattern.compile("--[^=:]+|-[A-Za-z]");
    private static final Pattern COMMAND = Pattern.compile("[a-z-]+");

    private final Idgen idgen;

    Errors(Idgen idgen) {
        this.idgen = idgen;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String what = e instanceof UnmatchedArgumentException unmatched
                ? unknown(unmatched)
                : String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
        if (what.contains("'--password'")) { // picocli would repeat the password
            what = "--password prompts for the password and takes no value; or put the password into "
                    + DatabaseOptions.PASSWORD_VARIABLE + " or a --password-file";
        }
        BadInputException shown = new BadInputException(what + nearest(e) + "; see " + name + " --help");
        shown.setStackTrace(e.getStackTrace());
        return print(shown, command, String.valueOf(shown.getMessage()), ExitCodes.BAD_INPUT);
    }

    /** Names unknown options without their values, and no other arguments: they may be passwords. */
    private static String unknown(UnmatchedArgumentException e) {
        List<String> options = e.getUnmatched().stream()
                .map(OPTION::matcher)
                .filter(Matcher::lookingAt)
                .map(option -> "'" + option.group() + "'")
                .toList();
        if (!options.isEmpty()) {
            return "Unknown option" + (options.size() == 1 ? ": " : "s: ") + String.join(", ", options);
        }
        CommandLine command = e.getCommandLine();
        String first = e.getUnmatched().get(0);
        return !command.getSubcommands().isEmpty() && COMMAND.matcher(first).matches()
                ? "Unknown command: '" + first + "'"
                : command.getCommandSpec().qualifiedName()
                        + " takes fewer arguments; those that it does not know are not shown, because they may contain"
                        + " a password";
    }

    /** Returns the commands or options that are most similar to an unknown one. */
    private static String nearest(ParameterException e) {
        List<String> nearest = e instanceof UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions().stream().limit(2).toList()
                : List.of();
        return nearest.isEmpty() ? "" : "; did you mean " + String.join(" or ", nearest) + "?";
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof IdGenerationException missing && missing.code() == ErrorCode.TABLE_MISSING) {
            // the rest is for an application's log, such as DDL of several lines
            String what = String.valueOf(e.getMessage())
                    .replaceFirst("(?s)( does not exist) \\(.*; create it with .*|; create (it|them) with .*", "$1");
            return print(
                    e,
                    command,
                    what + "; create the tables with the script that idgen schema prints",
                    ExitCodes.BAD_INPUT);
        }
        if (e instanceof IdGenerationException failed && failed.code() == ErrorCode.DATABASE_FAILED) {
            return print(e, command, e.getMessage() + "; " + howToReach(command), ExitCodes.BAD_INPUT);
        }
        if (e instanceof BadInputException
                || e instanceof IdGenerationException
                || e instanceof IllegalArgumentException) {
            return print(e, command, String.valueOf(e.getMessage()), ExitCodes.BAD_INPUT);
        }
        return print(e, command, "this is a bug; report it with the output of --verbose: " + e, ExitCodes.FAILED);
    }

    private static String howToReach(CommandLine command) {
        for (String store : List.of("--redis", "--zookeeper")) {
            if (command.getParseResult().hasMatchedOption(store)) {
                return "check that it runs, and the address and the credentials in " + store;
            }
        }
        return "check that the database runs, and check --url, --user and the password in "
                + DatabaseOptions.PASSWORD_VARIABLE;
    }

    private int print(Exception e, CommandLine command, String message, int exitCode) {
        String line = Characters.line("idgen: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
        command.getErr().println(command.getColorScheme().errorText(line));
        if (idgen.isVerbose()) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            command.getErr().print(Characters.lines(trace.toString()));
        }
        command.getErr().flush();
        return exitCode;
    }
}
