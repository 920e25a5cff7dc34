package io.idgen.cli;

import io.idgen.cli.common.Output;
import io.idgen.cli.doctor.RepairReport.Change;
import java.util.List;

/** Changes of rows: the JSON of all, and the text of each. */
record Changes(List<Change> changes, boolean dryRun) {

    static void print(Output output, Change change) {
        output.print(change.place() + "  " + change.row());
        output.print("  before  " + change.before());
        output.print("  after   " + change.after());
    }
}
