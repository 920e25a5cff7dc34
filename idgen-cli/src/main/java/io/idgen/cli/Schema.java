package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.Output;
import io.idgen.cli.common.PrefixOption;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.schema.IdgenSchema;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the DDL of idgen's tables. */
@Command(
        name = "schema",
        description = "Prints the DDL of idgen's tables for a kind of database, or for the database of --url. Executes"
                + " nothing.")
final class Schema implements Runnable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Mixin
    private Output output = new Output();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--db",
            paramLabel = "<kind>",
            completionCandidates = Kinds.class,
            description = "The kind of database: ${COMPLETION-CANDIDATES}.")
    private @Nullable String kind;

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
        if (kind == null && !database.isGiven()) {
            throw new BadInputException("no database is given; set --db " + String.join("|", IdgenSchema.databases())
                    + ", or --url of a running database");
        }
        String name = kind != null
                ? kind
                : new Transactions(database.dataSource(), TIMEOUT)
                        .commit("reading the database's metadata", (connection, dialect) -> dialect.name());
        String script = functions
                ? IdgenSchema.functionsScript(name, prefix.get())
                : drop ? IdgenSchema.dropScript(name, prefix.get()) : IdgenSchema.createScript(name, prefix.get());
        output.show(Map.of("script", script), script.stripTrailing());
    }
}
