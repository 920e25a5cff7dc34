package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.text.Characters;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints every error as one line on standard error; with {@code --verbose} also its stack trace. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final int MOST_SUGGESTIONS = 2;

    private final Idgen idgen;

    Errors(Idgen idgen) {
        this.idgen = idgen;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String what = String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
        if (what.contains("'--password'")) { // picocli would repeat the password
            what = "--password prompts for the password and takes no value; or put the password into "
                    + DatabaseOptions.PASSWORD_VARIABLE + " or a --password-file";
        }
        return print(e, command, what + nearest(e) + "; see " + name + " --help", ExitCodes.BAD_INPUT);
    }

    /** Returns the commands or options that are most similar to an unknown one. */
    private static String nearest(ParameterException e) {
        List<String> nearest = e instanceof UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions().stream().limit(MOST_SUGGESTIONS).toList()
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
