package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.Output;
import io.idgen.cli.doctor.KnownTables;
import io.idgen.cli.doctor.Repair;
import io.idgen.cli.doctor.RepairReport;
import io.idgen.cli.leases.LeaseOptions;
import io.idgen.cli.leases.OpenStore;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets idgen's tables, or worker ids in Redis or ZooKeeper, above all ids that were generated. */
@Command(
        name = "repair",
        description = "After a backup was restored or a table truncated: sets leases and counters above all ids"
                + " that were generated, in one transaction. After Redis or ZooKeeper lost data: the same for the worker"
                + " ids in it; in Redis this writes the incarnation marker, also before the first start. Stop all"
                + " processes first, start them afterwards. Fails while a worker id is leased. Prints the values"
                + " before and after on one line, for a log.")
final class RepairCommand implements Runnable {

    @Mixin
    private Options options = new Options();

    @Option(
            names = "--backup-time",
            paramLabel = "<instant>",
            description =
                    "The time of the last commit in the restored data, for example 2026-11-22T03:00:00Z; if in doubt,"
                            + " an earlier time. Each counter skips three times its reach for every ten minutes since.")
    private @Nullable Instant backupTime;

    @Mixin
    private ColumnOption columns = new ColumnOption();

    @Override
    public void run() {
        options.repair(this::known, repair -> repair.afterRestore(options.namespace()));
    }

    private KnownTables known(KnownTables tables) {
        return columns.addedTo(backupTime == null ? tables : tables.restoredFrom(backupTime));
    }

    /** The options of all repairs. */
    static final class Options {
        @Mixin
        private Output output = new Output();

        @Mixin
        private LeaseOptions store = new LeaseOptions();

        @Option(names = "--yes", description = "Confirms that you have stopped every process that generates ids.")
        private boolean yes;

        @Option(names = "--dry-run", description = "Print what would change, and change nothing.")
        private boolean dryRun;

        String namespace() {
            return store.namespace();
        }

        /**
         * Repairs the store, and prints the changes. Needs a confirmation.
         *
         * @param known adds what the options say about a database
         */
        void repair(UnaryOperator<KnownTables> known, Function<Repair, RepairReport> work) {
            if (!yes && !dryRun) {
                throw new BadInputException("a repair changes rows that running processes rely on; stop every process"
                        + " that generates ids, check that all of them use this store, then confirm with --yes, or see"
                        + " the changes with --dry-run");
            }
            repairWhileProcessesRun(known, work);
        }

        /** Does the same without a confirmation. */
        void repairWhileProcessesRun(UnaryOperator<KnownTables> known, Function<Repair, RepairReport> work) {
            try (OpenStore open = store.open(known)) {
                RepairReport report = work.apply(dryRun ? open.repair().dryRun() : open.repair());
                output.show(report, report.toString());
            }
        }
    }

    @Command(
            name = "after-promotion",
            description =
                    "Right after a replica of a database was promoted, before the application connects to it: lets all"
                            + " rows count as granted by another server. The next ids then begin above all that this one may"
                            + " lack, even if it was the primary before. Put it into the script of every promotion on MySQL"
                            + " without GTIDs, where idgen cannot detect a former primary. Processes may run. A second call"
                            + " changes nothing. Fails on a server that is read-only or a standby.")
    void afterPromotion(@Mixin Options given) {
        given.repairWhileProcessesRun(tables -> tables, Repair::afterPromotion);
    }

    @Command(
            name = "horizons",
            description =
                    "After a wrong clock has left horizons far ahead: lowers these to just above the largest id in the"
                            + " columns. Correct the clock and stop all processes first. Fails while a worker id is leased, if"
                            + " the columns contain no id, and if the largest id has a time in the future.")
    void horizons(
            @Mixin Options given,
            @Mixin LayoutOptions layout,
            @Option(
                            names = "--column",
                            paramLabel = "<table.column>",
                            description = "With --url: a column with ids of the namespace. Name every such column.")
                    String @Nullable [] columnsOfIds,
            @Option(
                            names = "--largest-id",
                            paramLabel = "<id>",
                            defaultValue = "0",
                            description =
                                    "With --redis or --zookeeper: the largest id of the namespace in all columns.")
                    long largestId) {
        if (columnsOfIds == null && largestId == 0) {
            throw new BadInputException("the largest id of the namespace is needed; on a database, name every column"
                    + " with ids of the namespace, for example --column orders.id; otherwise set it with"
                    + " --largest-id, for example to the result of SELECT MAX(id) FROM orders");
        }
        String[] all = columnsOfIds == null ? new String[0] : columnsOfIds;
        given.repair(
                tables -> tables,
                repair -> repair.lowerHorizons(given.namespace(), layout.orDefault(), largestId, all));
    }

    @Command(
            name = "layout",
            description =
                    "Moves a namespace to another layout, in one step. Stop all its processes first, and wait until their"
                            + " windows have passed. Fails while a worker id is leased, while a horizon lies in the"
                            + " future, and if ids of the new layout would be lower than those of the present one. Set the new"
                            + " layout in all processes before you start them.")
    void layout(
            @Mixin Options given,
            @Mixin LayoutOptions present,
            @Option(
                            names = "--to",
                            paramLabel = "<preset|widths>",
                            required = true,
                            description = "The new layout, as --layout, which is the present one.")
                    String to,
            @Option(
                            names = "--to-epoch",
                            paramLabel = "<instant>",
                            description = "The epoch of the new layout, if it is not the layout's own, as --epoch.")
                    @Nullable
                    String toEpoch) {
        SnowflakeLayout target = Layouts.of(to, toEpoch);
        given.repair(tables -> tables, repair -> repair.changeLayout(given.namespace(), present.orDefault(), target));
    }

    @Command(
            name = "namespace",
            description =
                    "Removes a namespace with all its rows, for example one whose name was misspelt. Stop its processes"
                            + " first, and wait until their windows have passed. Fails while a worker id is leased,"
                            + " and while a horizon lies in the future. On a database, the user needs the right to DELETE.")
    void namespace(
            @Mixin Options given,
            @Parameters(
                            paramLabel = "<namespace>",
                            description = "The namespace to remove, as in idgen.worker.namespace.")
                    String name) {
        if (!given.namespace().equals("default")) {
            throw new BadInputException("name the namespace to remove as the argument, without --namespace");
        }
        given.repair(tables -> tables, repair -> repair.removeNamespace(name));
    }
}
