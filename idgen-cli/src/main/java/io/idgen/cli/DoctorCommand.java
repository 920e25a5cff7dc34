package io.idgen.cli;

import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.cli.doctor.KnownTables;
import io.idgen.cli.leases.LeaseOptions;
import io.idgen.cli.leases.OpenStore;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Examines idgen's tables on a database, or worker ids in Redis or ZooKeeper. */
@Command(
        name = "doctor",
        description =
                "Examines idgen's tables on a database, or the worker ids in Redis or ZooKeeper: whether a process can get"
                        + " ids now (server, rights, locks, the next lease), leases, horizons, layouts, clocks, counters,"
                        + " durability, connections. Changes nothing. Each finding is ok, warn (nothing is wrong yet) or wrong (processes get no"
                        + " ids, or ids can be wrong). Exit code 1 if something is wrong.")
final class DoctorCommand implements Callable<Integer> {
    /** The JSON form of all findings of a store. */
    private record Examination(String store, Level level, List<Finding> findings) {}

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private LeaseOptions store = new LeaseOptions();

    @Mixin
    private ColumnOption columns = new ColumnOption();

    @Option(
            names = "--server-identity",
            paramLabel = "<name>",
            description = "The name of the database server, as in idgen.jdbc.server-identity, if processes have that"
                    + " setting.")
    private @Nullable String identity;

    @Option(names = "--strict", description = "Exit code 1 also if there are warnings.")
    private boolean strict;

    @Override
    public Integer call() {
        try (OpenStore open = store.open(this::known)) {
            List<Finding> findings = open.doctor().apply(idgen.clock());
            Level worst = Finding.worst(findings);
            output.show(
                    new Examination(open.name(), worst, findings),
                    open.name() + findings.stream().map(DoctorCommand::line).collect(Collectors.joining()));
            return worst.compareTo(strict ? Level.WARN : Level.WRONG) < 0 ? ExitCodes.OK : ExitCodes.FOUND;
        }
    }

    private static String line(Finding finding) {
        return String.format(
                "%n%-5s  %-12s %s", finding.level().name().toLowerCase(Locale.ROOT), finding.subject(), finding.text());
    }

    private KnownTables known(KnownTables tables) {
        return columns.addedTo(identity == null ? tables : tables.identifiedAs(identity));
    }
}
