package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.text.Characters;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Every error is one line on standard error; its stack trace is shown to who asks with {@code --verbose}. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
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
            what = "--password asks for the password and takes none; or put it into "
                    + DatabaseOptions.PASSWORD_VARIABLE + " or a --password-file";
        }
        return print(e, command, what + "; see " + name + " --help", ExitCodes.BAD_INPUT);
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof IdGenerationException missing && missing.code() == ErrorCode.TABLE_MISSING) {
            // what follows is for an application's log: statements on many lines
            String what = String.valueOf(e.getMessage())
                    .replaceFirst("(?s)( does not exist) \\(.*; create it by .*|; create it by .*", "$1");
            return print(e, command, what + "; make the tables by what idgen schema prints", ExitCodes.BAD_INPUT);
        }
        if (e instanceof IdGenerationException failed && failed.code() == ErrorCode.DATABASE_FAILED) {
            return print(
                    e,
                    command,
                    e.getMessage() + "; check that it runs, --url, --user and the password in "
                            + DatabaseOptions.PASSWORD_VARIABLE,
                    ExitCodes.BAD_INPUT);
        }
        if (e instanceof BadInputException
                || e instanceof IdGenerationException
                || e instanceof IllegalArgumentException) {
            return print(e, command, String.valueOf(e.getMessage()), ExitCodes.BAD_INPUT);
        }
        return print(e, command, "this is a bug; report it with what --verbose shows of it: " + e, ExitCodes.FAILED);
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
