package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.Output;
import io.idgen.jdbc.schema.IdgenSchema;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The DDL of idgen's tables, for a DBA to read and run. */
@Command(
        name = "schema",
        description =
                "Prints the statements that make idgen's tables, for the kind of database that is named, or for the"
                        + " one behind --url. Runs nothing.")
final class Schema implements Runnable {

    @Mixin
    private Output output = new Output();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--db",
            paramLabel = "<kind>",
            completionCandidates = Kinds.class,
            description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable String kind;

    @Option(
            names = "--prefix",
            paramLabel = "<prefix>",
            defaultValue = IdgenSchema.DEFAULT_PREFIX,
            description =
                    "What the names of the tables begin with, with a schema and a dot before it if need be. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String prefix = IdgenSchema.DEFAULT_PREFIX;

    @Option(
            names = "--drop",
            description = "The statements that drop the tables; what they know of ids is lost with them.")
    private boolean drop;

    /** What {@code --db} takes. */
    static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return IdgenSchema.databases().iterator();
        }
    }

    @Override
    public void run() {
        String script = kind == null ? ofTheDatabase() : ofTheKind(kind);
        if (output.isJson()) {
            output.json(Map.of("script", script));
        } else {
            output.print(script.stripTrailing());
        }
    }

    private String ofTheKind(String name) {
        return drop ? IdgenSchema.dropScript(name, prefix) : IdgenSchema.createScript(name, prefix);
    }

    private String ofTheDatabase() {
        if (!database.isGiven()) {
            throw new BadInputException("for which database? say --db " + String.join("|", IdgenSchema.databases())
                    + ", or --url for one that answers");
        }
        IdgenSchema schema = new IdgenSchema(database.dataSource()).withPrefix(prefix);
        return drop ? schema.dropScript() : schema.createScript();
    }
}
