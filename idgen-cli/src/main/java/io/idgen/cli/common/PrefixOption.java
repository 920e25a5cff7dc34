package io.idgen.cli.common;

import io.idgen.jdbc.schema.IdgenSchema;
import picocli.CommandLine.Option;

/** The option for the names of idgen's tables: a mixin. */
public final class PrefixOption {
    @Option(
            names = "--prefix",
            paramLabel = "<prefix>",
            defaultValue = IdgenSchema.DEFAULT_PREFIX,
            description = "The prefix of the table names, optionally preceded by a schema and a dot. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String prefix = IdgenSchema.DEFAULT_PREFIX;

    /** For picocli. */
    public PrefixOption() {}

    /** Returns the prefix. */
    public String get() {
        return prefix;
    }
}
