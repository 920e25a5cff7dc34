package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.Output;
import io.idgen.jdbc.schema.IdgenRepair;
import io.idgen.jdbc.schema.IdgenRepair.Report;
import io.idgen.jdbc.schema.IdgenSchema;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets idgen's tables above all ids that were generated. */
@Command(
        name = "repair",
        description =
                "After a backup was restored or a table truncated: sets leases, segments and sequences above all ids"
                        + " that were generated, in one transaction. Stop all processes first, start them afterwards. Fails while a"
                        + " worker id is leased. Prints the values before and after, then one line for a log.",
        subcommands = {Repair.Horizons.class, Repair.Unreserve.class})
final class Repair implements Runnable {

    @Mixin
    private Options options = new Options();

    @Option(
            names = "--backup-time",
            paramLabel = "<instant>",
            description =
                    "The time of the last commit in the restored data, for example 2026-11-22T03:00:00Z; if in doubt,"
                            + " an earlier time. Each counter skips its reach for every ten minutes since.")
    private @Nullable String backupTime;

    @Option(
            names = "--column",
            paramLabel = "<source>=<table.column>",
            description = "A column with ids of a source: its counter rises above the largest value. Required for each"
                    + " counter without --backup-time, and for each without a reach.")
    private List<String> columns = List.of();

    @Override
    public void run() {
        IdgenRepair repair = options.repair();
        if (backupTime != null) {
            repair = repair.restoredFrom(instant(backupTime));
        }
        for (String each : columns) {
            int equals = each.lastIndexOf('=');
            if (equals < 1) {
                throw new BadInputException(
                        "--column is <source>=<table.column>, for example orders=orders.id, got '" + each + "'");
            }
            repair = repair.above(each.substring(0, equals), each.substring(equals + 1));
        }
        options.print(repair.afterRestore());
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new BadInputException(
                    "--backup-time is a time in UTC, for example 2026-11-22T03:00:00Z, got '" + text + "'");
        }
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

        @Option(names = "--dry-run", description = "Print what would change, and change nothing.")
        private boolean dryRun;

        IdgenRepair repair() {
            if (!yes && !dryRun) {
                throw new BadInputException(
                        "a repair changes rows that running processes rely on; stop every process that generates"
                                + " ids, then confirm with --yes, or see the changes with --dry-run");
            }
            IdgenRepair repair = new IdgenRepair(database.dataSource()).withPrefix(prefix);
            return dryRun ? repair.dryRun() : repair;
        }

        void print(Report report) {
            if (output.isJson()) {
                output.json(Map.of("changes", report.changes(), "dryRun", report.dryRun()));
                return;
            }
            report.changes().forEach(each -> {
                output.print(each.table() + "  " + each.row());
                output.print("  before  " + each.before());
                output.print("  after   " + each.after());
            });
            output.print(report.toString());
        }
    }

    /** Lowers the horizons of a namespace. */
    @Command(
            name = "horizons",
            description = "After a wrong clock has left horizons far ahead: sets them just above the largest id in the"
                    + " columns. Correct the clock and stop all processes first. Fails while a worker id is leased.")
    static final class Horizons implements Runnable {
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
                required = true,
                description = "A column with ids of the namespace. Name every such column.")
        private List<String> columns = List.of();

        @Override
        public void run() {
            String[] more = columns.subList(1, columns.size()).toArray(String[]::new);
            options.print(options.repair().lowerHorizons(namespace, layout.orDefault(), columns.get(0), more));
        }
    }

    /** Ends reservations of worker ids. */
    @Command(
            name = "unreserve",
            description =
                    "Ends the reservation of worker ids, so that processes lease them again: raises their horizons above"
                            + " all ids that a process without a lease can have generated. Stop that process first, and remove the"
                            + " ids from idgen.worker.reserved. Fails while a process holds one of them.")
    static final class Unreserve implements Runnable {
        @Mixin
        private Options options = new Options();

        @Option(
                names = "--namespace",
                paramLabel = "<name>",
                defaultValue = "default",
                description = "The namespace of the worker ids. Default: ${DEFAULT-VALUE}.")
        private String namespace = "default";

        @Parameters(
                paramLabel = "<worker id>",
                arity = "1..*",
                description = "The worker id as in the table, with the datacenter id in the upper bits.")
        private int[] workerIds = {};

        @Override
        public void run() {
            options.print(options.repair().unreserve(namespace, workerIds));
        }
    }
}
