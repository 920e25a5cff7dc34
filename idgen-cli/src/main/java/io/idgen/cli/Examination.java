package io.idgen.cli;

import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was examined, without secrets, and the findings.
 *
 * @param store what was examined
 * @param findings the findings, in order
 */
record Examination(String store, List<Finding> findings) {
    private static final Map<Level, String> MARKS =
            Map.of(Level.OK, "@|green ok   |@", Level.WARN, "@|bold,yellow warn |@", Level.WRONG, "@|bold,red wrong|@");

    /** The JSON form of a finding. */
    private record FindingJson(String level, String subject, String text) {
        static FindingJson of(Finding finding) {
            return new FindingJson(name(finding.level()), finding.subject(), finding.text());
        }
    }

    /** The JSON form of an examination. */
    private record ExaminationJson(String store, String level, List<FindingJson> findings) {}

    /** Prints the findings. Returns the exit code: whether one is as urgent as {@code least}. */
    int print(Output output, Level least) {
        Level worst = Finding.worst(findings);
        if (output.isJson()) {
            output.json(new ExaminationJson(
                    store, name(worst), findings.stream().map(FindingJson::of).toList()));
        } else {
            output.print(store);
            findings.forEach(finding -> output.print(
                    MARKS.getOrDefault(finding.level(), ""),
                    String.format("  %-12s %s", finding.subject(), finding.text())));
        }
        return worst.compareTo(least) < 0 ? ExitCodes.OK : ExitCodes.FOUND;
    }

    private static String name(Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
