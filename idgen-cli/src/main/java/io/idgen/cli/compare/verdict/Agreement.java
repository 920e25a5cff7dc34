package io.idgen.cli.compare.verdict;

import io.idgen.cli.compare.verdict.Baseline.Change;
import io.idgen.cli.compare.verdict.Baseline.Result;
import io.idgen.cli.compare.verdict.Comparison.Advice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Whether two comparisons agree. A speed agrees if the intervals of both runs overlap. A figure without an interval
 * agrees if it differs by at most a tenth.
 *
 * @param verdicts the number of verdicts of both comparisons together; equal ones count once
 * @param differing the verdicts that differ, with both answers
 * @param figures the number of figures that can be compared
 * @param agreeing the number of those that agree
 * @param notCompared the number of figures that cannot be compared
 * @param whyNot why some figures cannot be compared; empty if all can
 */
public record Agreement(
        int verdicts, List<String> differing, int figures, int agreeing, int notCompared, String whyNot) {
    private static final String NONE = "no verdict";

    static Agreement of(Comparison before, Comparison after, List<Change> changes) {
        Map<String, String> old = answers(before);
        Map<String, String> now = answers(after);
        Map<String, String> all = new LinkedHashMap<>(now);
        old.forEach(all::putIfAbsent);
        List<String> differing = new ArrayList<>();
        all.keySet().forEach(need -> {
            String first = old.getOrDefault(need, NONE);
            String second = now.getOrDefault(need, NONE);
            if (!first.equals(second)) {
                differing.add(need + ": " + first + " before, " + second + " now");
            }
        });
        List<Change> comparable = changes.stream()
                .filter(change -> change.result() != Result.NOT_COMPARABLE)
                .toList();
        return new Agreement(
                all.size(),
                differing,
                comparable.size(),
                (int) comparable.stream().filter(Change::agrees).count(),
                changes.size() - comparable.size(),
                changes.stream()
                        .filter(change -> change.result() == Result.NOT_COMPARABLE)
                        .map(Change::text)
                        .distinct()
                        .collect(Collectors.joining("; ")));
    }

    private static Map<String, String> answers(Comparison comparison) {
        Map<String, String> answers = new LinkedHashMap<>();
        for (Advice advice : comparison.advice()) {
            answers.put(advice.need(), advice.take());
        }
        return answers;
    }

    /** Returns the agreement as lines for people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("verdicts: "
                + (differing.isEmpty()
                        ? "all " + verdicts + " are the same"
                        : differing.size() + " of " + verdicts + " differ"));
        differing.forEach(difference -> lines.add("verdict differs: " + difference));
        lines.add(
                figures == 0
                        ? "figures: none can be compared"
                        : String.format(
                                Locale.ROOT,
                                "figures: %d of %d agree (%.1f %%): intervals overlap, or values differ by at most a tenth",
                                agreeing,
                                figures,
                                100.0 * agreeing / figures));
        if (notCompared > 0) {
            lines.add("figures: " + notCompared + " " + whyNot);
        }
        return lines;
    }
}
