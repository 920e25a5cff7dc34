package io.idgen.proof;

import io.idgen.core.internal.lease.TraceFiles;
import io.idgen.proof.page.Results;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result of a run.
 *
 * @param command the command that repeats the run
 * @param server the product and its version
 * @param processes how many processes there were, one after another
 * @param faults how often each fault occurred
 * @param swallowed how many answers were swallowed
 * @param decks how often all faults ended, and each process had to generate ids again
 * @param checks the ids of each source
 * @param waits the longest time of a process without an id and without a fault, for each source, in milliseconds
 * @param traces the traces of all leases
 * @param changes how many changes of rows the history has; negative without a history
 * @param forbidden the first step or change that the protocol does not allow
 */
record Report(
        String command,
        String server,
        int processes,
        Map<Fault, Integer> faults,
        long swallowed,
        int decks,
        Map<Source, Check> checks,
        Map<Source, Long> waits,
        TraceFiles traces,
        long changes,
        Optional<String> forbidden) {

    Report {
        faults = new EnumMap<>(faults);
    }

    /** Returns what is wrong with idgen; empty if nothing is. */
    List<String> violations() {
        return Stream.of(
                        checks.entrySet().stream()
                                .filter(each -> !each.getKey().control)
                                .filter(each -> each.getValue().duplicates()
                                                + each.getValue().falls()
                                        > 0)
                                .map(each -> "ids of " + each.getKey().text() + " repeat or fall"),
                        waits.entrySet().stream()
                                .filter(each -> !each.getKey().control)
                                .filter(each -> each.getValue() > Terms.LIVENESS.toMillis())
                                .map(each -> "a process without a fault had no id of "
                                        + each.getKey().text() + " for " + seconds(each.getValue()) + " s"),
                        forbidden.stream())
                .flatMap(all -> all)
                .toList();
    }

    /** Returns why the run proves nothing: a control did not repeat although its fault occurred. */
    List<String> gaps() {
        return checks.entrySet().stream()
                .filter(each -> each.getKey().mustRepeat(faults.keySet()))
                .filter(each -> each.getValue().duplicates() == 0)
                .map(each -> each.getKey().text() + " repeated no id, so this run does not count")
                .toList();
    }

    String markdown() {
        StringBuilder page = Results.page("Faults on " + server.replaceFirst(" on .*", ""), command, "");
        page.append("| source | ids | repeated ids | falling ids | longest time without an id of a process, s: median"
                + " | most | without a fault, most |\n|---|---:|---:|---:|---:|---:|---:|\n");
        checks.forEach((source, check) -> {
            long[] silences = check.silences();
            page.append("| `%s` | %s | %s | %s | %s | %s | %s |\n"
                    .formatted(
                            source.text(),
                            number(check.ids()),
                            number(check.duplicates()),
                            number(check.falls()),
                            silences.length == 0 ? "" : seconds(silences[silences.length / 2]),
                            silences.length == 0 ? "" : seconds(silences[silences.length - 1]),
                            seconds(Objects.requireNonNull(waits.get(source)))));
        });
        page.append(("\n%d processes generated these ids, during %d decks of faults. After each deck, all faults end"
                        + " until each process generates ids again. A process without an id for %d s, although no"
                        + " fault lasts, fails the run. Other work ran on the machine.\n\n")
                .formatted(processes, decks, Terms.LIVENESS.toSeconds()));
        page.append("| fault | times |\n|---|---:|\n");
        faults.forEach((fault, times) ->
                page.append("| %s: %s | %s |\n".formatted(fault.text(), fault.meaning, number(times))));
        page.append("\n| leases | |\n|---|---:|\n");
        row(page, "answers that were swallowed", swallowed);
        row(page, "leases that were lost because another process took the row", traces.rowsTaken());
        row(page, "leases that were lost because another server answered", traces.otherServers());
        row(page, "leases given up because an extension took effect unseen", traces.extendedUnseen());
        row(page, "processes that stopped because a copy seemed to run", traces.copied());
        row(page, "traces, replayed by the protocol", traces.count());
        row(page, "entries in them", traces.entries());
        if (changes >= 0) {
            row(page, "changes in the history of the rows, compared with the statements in the traces", changes);
        }
        Stream.concat(violations().stream(), gaps().stream())
                .forEach(each -> page.append("\n**").append(each).append("**\n"));
        return page.toString();
    }

    private static void row(StringBuilder page, String what, long count) {
        page.append("| %s | %s |\n".formatted(what, number(count)));
    }

    static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f", millis / 1_000.0);
    }
}
