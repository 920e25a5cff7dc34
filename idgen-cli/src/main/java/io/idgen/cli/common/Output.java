package io.idgen.cli.common;

import io.idgen.core.internal.time.Characters;
import java.io.PrintWriter;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints the output of a command, as text or JSON: a mixin of all commands. */
public final class Output {
    /** Loaded for the first JSON only: loading Jackson takes a quarter of the time of a command that prints text. */
    private static final class Json {
        private static final JsonMapper MAPPER = JsonMapper.builder()
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .build();

        private Json() {}
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--json",
            description =
                    "Print one line of JSON, for programs. Ids are strings, because JavaScript rounds large integers.")
    private boolean json;

    public Output() {}

    /**
     * Returns whether to print JSON.
     *
     * @return true for {@code --json}
     */
    public boolean isJson() {
        return json;
    }

    /**
     * Prints a value as JSON on one line.
     *
     * @param value records, maps, lists, strings and numbers
     */
    public void json(Object value) {
        print(Json.MAPPER.writeValueAsString(value));
    }

    /**
     * Prints text and a line end. Escapes control characters of quoted values, so that the terminal does not interpret
     * them.
     *
     * @param text one or more lines, without colours
     */
    public void print(String text) {
        out().println(Characters.lines(text));
        out().flush();
    }

    /**
     * Prints a coloured mark, text and a line end.
     *
     * @param markup markup of this tool, for example <code>{@literal @}|green ok|{@literal @}</code>
     * @param text escaped as by {@link #print(String)}
     */
    public void print(String markup, String text) {
        out().print(command.commandLine().getColorScheme().ansi().string(markup));
        print(text);
    }

    /**
     * Prints a line to standard error, escaped as by {@link #print(String)}.
     *
     * @param line the line, without colours
     */
    public void hint(String line) {
        err().println(Characters.line(line));
        err().flush();
    }

    /**
     * Prints a line in red to standard error, escaped as by {@link #print(String)}.
     *
     * @param line the line, without colours
     */
    public void warn(String line) {
        err().println(command.commandLine().getColorScheme().errorText(Characters.line(line)));
        err().flush();
    }

    /**
     * Returns standard output, for the results.
     *
     * @return a writer; the caller flushes it
     */
    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    /**
     * Returns standard error, for progress and hints.
     *
     * @return a writer; the caller flushes it
     */
    public PrintWriter err() {
        return command.commandLine().getErr();
    }

    /**
     * Returns whether to print colours; depends on the terminal and on {@code NO_COLOR}.
     *
     * @return with or without escape codes
     */
    public Ansi ansi() {
        return command.commandLine().getColorScheme().ansi();
    }
}
