package io.idgen.cli.common;

import io.idgen.core.internal.time.Characters;
import java.io.PrintWriter;
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
        PrintWriter out = command.commandLine().getOut();
        out.println(Characters.lines(text));
        out.flush();
    }

    /**
     * Prints a result: the value as JSON with {@code --json}, otherwise the text.
     *
     * @param value the JSON form
     * @param text escaped as by {@link #print(String)}
     */
    public void show(Object value, String text) {
        if (json) {
            json(value);
        } else {
            print(text);
        }
    }

    /**
     * Prints a line to standard error, escaped as by {@link #print(String)}.
     *
     * @param line the line, without colours
     */
    public void hint(String line) {
        PrintWriter err = command.commandLine().getErr();
        err.println(Characters.line(line));
        err.flush();
    }
}
