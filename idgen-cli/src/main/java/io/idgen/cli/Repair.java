package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.Output;
import io.idgen.jdbc.schema.IdgenRepair;
import io.idgen.jdbc.schema.IdgenSchema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sets idgen's tables above the existing ids. */
@Command(
        name = "repair",
        description = "Sets idgen's tables above the existing ids, after a backup was restored or a table truncated, or"
                + " when a wrong clock has left horizons far ahead. Running it twice does no harm.",
        subcommands = {Repair.WorkerIds.class, Repair.Segment.class, Repair.Sequence.class})
final class Repair implements Runnable {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "choose what to repair: worker-ids, segment or sequence");
    }

    /** The options of all repairs. */
    static final class Options {
        @Mixin
        private Output output = new Output();

        @Mixin
        private DatabaseOptions database = new DatabaseOptions();

        @Option(
                names = "--prefix",
                paramLabel = "<prefix>",
                defaultValue = IdgenSchema.DEFAULT_PREFIX,
                description = "The prefix of the table names. Default: ${DEFAULT-VALUE}.")
        private String prefix = IdgenSchema.DEFAULT_PREFIX;

        @Option(names = "--yes", description = "Confirms that you have stopped every process that generates ids.")
        private boolean yes;

        IdgenRepair repair() {
            if (!yes) {
                throw new BadInputException(
                        "a repair changes rows that running processes rely on; stop every process that generates"
                                + " ids, then confirm with --yes");
            }
            return new IdgenRepair(database.dataSource()).withPrefix(prefix);
        }

        void print(String json, Object value, String text) {
            if (output.isJson()) {
                output.json(Map.of(json, value.toString()));
            } else {
                output.print(text);
            }
        }
    }

    /** Repairs the horizons of a namespace. */
    @Command(
            name = "worker-ids",
            description =
                    "Sets the horizons of all worker ids of a namespace above all reserved time, and above the largest id"
                            + " in the columns. Fails while a lease is alive.")
    static final class WorkerIds implements Runnable {
        @Mixin
        private Options options = new Options();

        @Mixin
        private LayoutOptions layout = new LayoutOptions();

        @Option(
                names = "--namespace",
                paramLabel = "<name>",
                defaultValue = "default",
                description = "The namespace of the worker ids. Default: ${DEFAULT-VALUE}.")
        private String namespace = "default";

        @Option(
                names = "--column",
                paramLabel = "<table.column>",
                description = "A column with ids of the namespace. To lower horizons, name every such column.")
        private List<String> columns = List.of();

        @Option(
                names = "--server-identity",
                paramLabel = "<name>",
                description = "The value of idgen.jdbc.server-identity, if your processes set it.")
        private @Nullable String serverIdentity;

        @Override
        public void run() {
            IdgenRepair repair = options.repair();
            if (serverIdentity != null) {
                repair = repair.identifiedAs(serverIdentity);
            }
            Instant begin = repair.workerIds(namespace, layout.orDefault(), columns.toArray(String[]::new));
            options.print("idsBeginAt", begin, "ids of namespace " + namespace + " start at " + begin);
        }
    }

    /** Repairs the row of a source. */
    abstract static class Row implements Runnable {
        @Mixin
        Options options = new Options();

        @Parameters(paramLabel = "<name>", description = "The name of the source.")
        String name = "";

        @Option(
                names = "--column",
                paramLabel = "<table.column>",
                required = true,
                description = "The column with the ids, for example orders.id.")
        String column = "";

        abstract long raise(IdgenRepair repair);

        @Override
        public void run() {
            long next = raise(options.repair());
            options.print("nextId", next, "the next id of " + name + " is " + next);
        }
    }

    /** Repairs a row of the segment table. */
    @Command(
            name = "segment",
            description = "Raises the row of a source in the segment table above the largest value of a column.")
    static final class Segment extends Row {
        @Override
        long raise(IdgenRepair repair) {
            return repair.segments(name, column);
        }
    }

    /** Repairs a row of the sequence table. */
    @Command(
            name = "sequence",
            description = "Raises the row of a source in the sequence table above the largest value of a column.")
    static final class Sequence extends Row {
        @Override
        long raise(IdgenRepair repair) {
            return repair.sequence(name, column);
        }
    }
}
