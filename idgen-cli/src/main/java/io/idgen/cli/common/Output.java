package io.idgen.cli.common;

import io.idgen.core.internal.text.Characters;
import java.io.PrintWriter;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/** Where a command prints, and in which form: a mixin of all commands. */
public final class Output {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--json",
            description = "Print JSON on one line, for programs. Ids are strings: they outgrow JavaScript's numbers.")
    private boolean json;

    public Output() {}

    /**
     * Whether a program reads what is printed.
     *
     * @return true for {@code --json}
     */
    public boolean isJson() {
        return json;
    }

    /**
     * Prints a value as JSON on one line.
     *
     * @param value of records, maps, lists, strings and numbers
     */
    public void json(Object value) {
        print(JSON.writeValueAsString(value));
    }

    /**
     * Prints text and ends the line. Control characters of quoted values are escaped, so that no terminal obeys them.
     *
     * @param text of one line or several, without colours
     */
    public void print(String text) {
        out().println(Characters.lines(text));
        out().flush();
    }

    /**
     * Prints a coloured mark with text after it, and ends the line.
     *
     * @param markup of this tool, for example <code>{@literal @}|green ok|{@literal @}</code>
     * @param text as {@link #print(String)} takes it
     */
    public void print(String markup, String text) {
        out().print(command.commandLine().getColorScheme().ansi().string(markup));
        print(text);
    }

    /**
     * Prints a line for a reader to standard error, escaped as {@link #print(String)} does it.
     *
     * @param line without colours
     */
    public void hint(String line) {
        err().println(Characters.line(line));
        err().flush();
    }

    /**
     * Standard output, for what a pipe carries on.
     *
     * @return flushed by who writes
     */
    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    /**
     * Standard error, for what only a reader wants: progress, hints.
     *
     * @return flushed by who writes
     */
    public PrintWriter err() {
        return command.commandLine().getErr();
    }

    /**
     * Whether to colour, as the terminal and {@code NO_COLOR} say.
     *
     * @return with or without escape codes
     */
    public Ansi ansi() {
        return command.commandLine().getColorScheme().ansi();
    }
}
