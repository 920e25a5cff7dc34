package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.doctor.KnownTables;
import java.util.List;
import picocli.CommandLine.Option;

/** The option for columns with ids of sources: a mixin. */
final class ColumnOption {
    @Option(
            names = "--column",
            paramLabel = "<source>=<table.column>",
            description = "A column with ids of a source. The doctor compares the source's counter with the column's"
                    + " range and with the ids in it. A repair raises the counter above them; it needs this for each"
                    + " counter without --backup-time, and for each without a reach.")
    private List<String> columns = List.of();

    /** Returns tables that know the columns too. */
    KnownTables addedTo(KnownTables tables) {
        KnownTables known = tables;
        for (String each : columns) {
            int equals = each.lastIndexOf('=');
            if (equals < 1) {
                throw new BadInputException(
                        "--column is <source>=<table.column>, for example orders=orders.id, got '" + each + "'");
            }
            known = known.withColumn(each.substring(0, equals), each.substring(equals + 1));
        }
        return known;
    }
}
