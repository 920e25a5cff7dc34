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
     * Prints a result and a line end: the value as JSON on one line with {@code --json}, otherwise the text. Escapes
     * control characters of quoted values, so that the terminal does not interpret them.
     *
     * @param value the JSON form: records, maps, lists, strings and numbers
     * @param text one or more lines, without colours
     */
    public void show(Object value, String text) {
        PrintWriter out = command.commandLine().getOut();
        out.println(Characters.lines(json ? Json.MAPPER.writeValueAsString(value) : text));
        out.flush();
    }

    /**
     * Prints a line to standard error, escaped as by {@link #show}.
     *
     * @param line the line, without colours
     */
    public void hint(String line) {
        PrintWriter err = command.commandLine().getErr();
        err.println(Characters.line(line));
        err.flush();
    }
}
