package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DurationOption;
import io.idgen.cli.common.LoginOptions;
import io.idgen.cli.common.Output;
import io.idgen.cli.common.PrefixOption;
import io.idgen.ops.Growth;
import io.idgen.ops.IdgenTables;
import io.idgen.ops.RepairReport.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Adds a database to the strategy stepped. */
@Command(
        name = "grow",
        description =
                "Adds a database to the strategy stepped, while processes generate ids. Sets a limit in the rows of the"
                        + " old databases, and writes rows for the new list above it. Processes with the old list continue up to"
                        + " the limit, then fail. Start processes with the new list after the command has ended. If it fails or"
                        + " is killed, repeat it: it continues. Prints each change after it is made.")
final class Grow implements Runnable {

    @Mixin
    private Output output = new Output();

    @Option(
            names = "--url",
            paramLabel = "<jdbc-url>",
            required = true,
            description =
                    "The JDBC URL of a database. Name all: the old ones in the order of the processes, the new one"
                            + " last. Its idgen_stepped must exist.")
    private List<String> urls = List.of();

    @Mixin
    private LoginOptions login = new LoginOptions();

    @Mixin
    private PrefixOption prefix = new PrefixOption();

    @Option(
            names = "--room",
            paramLabel = "<ids>",
            description =
                    "How many ids each old database may still grant to processes with the old list. The ids of the"
                            + " new list begin above them. Default: twice the reach of the row, which lasts for ten minutes at"
                            + " least.")
    private @Nullable Long room;

    @Option(
            names = "--replica-lag",
            paramLabel = "<duration>",
            description = "The longest lag of a replica that can take over. The command waits that long before ids of"
                    + " the new list begin, because a replica without the limits would repeat ids. Default: 5min, or 0s if"
                    + " no database can have replicas.")
    private @Nullable String replicaLag;

    @Option(
            names = "--yes",
            description =
                    "Confirms that the old databases are in the order of the processes, and that no process has the"
                            + " new list yet.")
    private boolean yes;

    @Option(names = "--dry-run", description = "Print what would change, and change nothing.")
    private boolean dryRun;

    @Override
    public void run() {
        if (!yes && !dryRun) {
            throw new BadInputException("the limits that this command sets stay; see the changes with --dry-run, check"
                    + " that the old databases are in the order of the processes and that no process has the new list"
                    + " yet, then confirm with --yes");
        }
        List<Change> changes = new ArrayList<>();
        Consumer<Change> collect = changes::add;
        growth().grow(output.isJson() ? collect : collect.andThen(each -> Changes.print(output, each)));
        if (output.isJson()) {
            output.json(new Changes(changes, dryRun));
        } else if (dryRun) {
            output.print("dry run, would make " + changes.size() + " changes");
        } else {
            output.print("all sources have " + urls.size() + " databases, after " + changes.size()
                    + " changes; start processes with the new list now");
        }
    }

    private Growth growth() {
        Growth growth = Growth.to(urls.stream()
                .map(url -> new IdgenTables(login.dataSource("--url", url)).withPrefix(prefix.get()))
                .toList());
        if (room != null) {
            growth = growth.withRoom(room);
        }
        if (replicaLag != null) {
            growth = growth.withReplicaLag(
                    DurationOption.parse("--replica-lag", replicaLag, Duration.ZERO, Duration.ofDays(1)));
        }
        return dryRun ? growth.dryRun() : growth;
    }
}
