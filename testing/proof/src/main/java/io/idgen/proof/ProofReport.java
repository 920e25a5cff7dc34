package io.idgen.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What all stores of a run showed. */
final class ProofReport {
    private static final String ROW = "%-28s %-18s %12s %10s %8s %14s%n";

    private final StringBuilder table =
            new StringBuilder(ROW.formatted("store", "source", "ids", "repeated", "falling", "longest wait, s"));
    private final List<String> violations = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();

    /** Adds a store, whose processes have ended. */
    void add(Store store, Nemesis nemesis) throws Exception {
        String version = store.version().replaceFirst(" on .*", "");
        for (Source source : store.sources()) {
            Check check = nemesis.check(source);
            add(version, source, check, nemesis.longestWait(source));
            if (source.mustRepeat(nemesis.faults().keySet()) && check.duplicates() == 0) {
                gaps.add(version + ": " + source.text() + " repeated no id, so this run does not count");
            }
        }
        table.append(summary(nemesis));
    }

    /** Adds a source; the wait is in milliseconds. */
    void add(String version, Source source, Check check, long longestWait) {
        table.append(ROW.formatted(
                version,
                source.text(),
                number(check.ids()),
                number(check.duplicates()),
                number(check.falls()),
                String.format(Locale.ROOT, "%.1f", longestWait / 1_000.0)));
        if (source.control) {
            return;
        }
        if (check.duplicates() + check.falls() > 0) {
            violations.add(version + ": ids of " + source.text() + " repeat or fall");
        }
        if (longestWait > Terms.LIVENESS.toMillis()) {
            violations.add(version + ": a process without a fault had no id of " + source.text() + " for "
                    + longestWait / 1_000 + " s");
        }
    }

    private static String summary(Nemesis nemesis) throws Exception {
        Map<Fault, Integer> faults = nemesis.faults();
        StringBuilder text = new StringBuilder(
                "    %d processes, %d decks, %s answers swallowed, %d leases lost to another process%n"
                        .formatted(
                                nemesis.all().size(),
                                nemesis.decks(),
                                number(nemesis.swallowed()),
                                nemesis.rowsTaken()));
        text.append("    %d faults:"
                .formatted(faults.values().stream().mapToInt(Integer::intValue).sum()));
        faults.forEach((fault, times) -> text.append(" %s %d;".formatted(fault.text(), times)));
        return text.append(System.lineSeparator()).toString();
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    String table() {
        return table.toString();
    }

    /** Returns what is wrong with idgen; empty if nothing is. */
    List<String> violations() {
        return violations;
    }

    /** Returns why a run proves nothing: a control did not repeat although its fault occurred. */
    List<String> gaps() {
        return gaps;
    }

    int exitCode() {
        return !violations.isEmpty() ? 1 : gaps.isEmpty() ? 0 : 2;
    }
}
