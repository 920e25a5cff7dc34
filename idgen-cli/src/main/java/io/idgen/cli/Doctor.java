package io.idgen.cli;

import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.jdbc.schema.IdgenDoctor;
import io.idgen.jdbc.schema.IdgenDoctor.Finding;
import io.idgen.jdbc.schema.IdgenSchema;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Examines idgen's tables on a database. */
@Command(
        name = "doctor",
        description = "Examines idgen's tables on a database: leases, horizons, clocks, segments, connections. Changes"
                + " nothing. Exit code 1 if something is wrong.")
final class Doctor implements Callable<Integer> {

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--prefix",
            paramLabel = "<prefix>",
            defaultValue = IdgenSchema.DEFAULT_PREFIX,
            description = "The prefix of the table names, optionally preceded by a schema and a dot. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String prefix = IdgenSchema.DEFAULT_PREFIX;

    /** The JSON form of an examination. */
    private record Examination(String database, boolean good, List<Finding> findings) {}

    @Override
    public Integer call() {
        List<Finding> findings = new IdgenDoctor(database.dataSource(), idgen.clock())
                .withPrefix(prefix)
                .examine();
        boolean good = findings.stream().allMatch(Finding::good);
        if (output.isJson()) {
            output.json(new Examination(database.shownUrl(), good, findings));
        } else {
            output.print(database.shownUrl());
            findings.forEach(finding -> output.print(
                    finding.good() ? "@|green ok   |@" : "@|bold,red wrong|@",
                    String.format("  %-12s %s", finding.subject(), finding.text())));
        }
        return good ? ExitCodes.OK : ExitCodes.FOUND;
    }
}
