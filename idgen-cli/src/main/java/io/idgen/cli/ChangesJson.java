package io.idgen.cli;

import io.idgen.ops.RepairReport.Change;
import java.util.List;

/** Changes of rows as JSON. */
record ChangesJson(List<Change> changes, boolean dryRun) {}
