package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Output;
import io.idgen.cli.common.PrefixOption;
import io.idgen.jdbc.schema.IdgenSchema;
import java.util.Iterator;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the DDL of idgen's tables. */
@Command(name = "schema", description = "Prints the DDL of idgen's tables for a kind of database. Executes nothing.")
final class Schema implements Runnable {
    @Mixin
    private Output output = new Output();

    @Option(
            names = "--db",
            paramLabel = "<kind>",
            required = true,
            completionCandidates = Kinds.class,
            description = "The kind of database: ${COMPLETION-CANDIDATES}.")
    private String kind = "";

    @Mixin
    private PrefixOption prefix = new PrefixOption();

    @Option(
            names = "--drop",
            description = "Print the statements that drop the tables. The record of the ids in use is lost with them.")
    private boolean drop;

    @Option(
            names = "--functions",
            description = "Print the functions with which SQL takes ids of counters: PostgreSQL, MariaDB, MySQL.")
    private boolean functions;

    /** The values of {@code --db}. */
    static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return IdgenSchema.databases().iterator();
        }
    }

    @Override
    public void run() {
        if (drop && functions) {
            throw new BadInputException("--drop and --functions exclude each other; drop functions by DROP FUNCTION");
        }
        String script = functions
                ? IdgenSchema.functionsScript(kind, prefix.get())
                : drop ? IdgenSchema.dropScript(kind, prefix.get()) : IdgenSchema.createScript(kind, prefix.get());
        output.show(Map.of("script", script), script.stripTrailing());
    }
}
