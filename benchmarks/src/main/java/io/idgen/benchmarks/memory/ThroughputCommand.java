package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.Estimate;
import io.idgen.benchmarks.Page;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ids per second, flat out. */
@Command(name = "throughput", description = "Ids per second with 1, 2 and 8 threads that do nothing else.")
public final class ThroughputCommand implements Runnable {
    private static final List<Ratio> RATIOS = List.of(
            new Ratio(Subject.IDGEN, Subject.COSID, 0.99, 0.99, 0.99),
            new Ratio(Subject.IDGEN_WIDE, Subject.TSID_CREATOR, 1.2, 1.5, 1.5),
            new Ratio(Subject.IDGEN_SEGMENT, Subject.COSID_CHAIN, 1, 1, 1));

    @Mixin
    private Forks forks = new Forks();

    @Mixin
    private Page page = new Page();

    /** For picocli. */
    public ThroughputCommand() {}

    @Override
    public void run() {
        Set<Subject> subjects = EnumSet.copyOf(Arrays.asList(forks.only));
        Measurements measured = Measurements.take(forks, subjects, Measurements::idsPerSecond);
        List<String> lines = new ArrayList<>();
        lines.add("Millions of ids per second: the median of " + forks.rounds + " runs, and its 95 % interval.");
        for (Subject.Kind kind : Subject.Kind.values()) {
            table(lines, kind, subjects, measured);
        }
        ratios(lines, RATIOS, forks, measured);
        lines.add("");
        lines.addAll(Uniqueness.check(subjects, forks.ids));
        page.print("throughput", lines);
    }

    private void table(List<String> lines, Subject.Kind kind, Set<Subject> subjects, Measurements measured) {
        List<Subject> rows =
                Subject.of(kind).stream().filter(subjects::contains).toList();
        if (rows.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(head(kind.title, forks));
        lines.add("|---|" + "--:|".repeat(forks.threads.length));
        for (Subject subject : rows) {
            StringBuilder line = new StringBuilder("| " + subject.title + " |");
            for (int threads : forks.threads) {
                double[] millions = Arrays.stream(measured.of(subject, threads))
                        .map(ids -> ids / 1e6)
                        .toArray();
                line.append(String.format(
                        Locale.ROOT, " %s |", Estimate.of(millions).text(1)));
            }
            lines.add(line.toString());
        }
    }

    private static String head(String title, Forks forks) {
        StringBuilder head = new StringBuilder("| " + title + " |");
        for (int threads : forks.threads) {
            head.append(" ").append(threads).append(threads == 1 ? " thread |" : " threads |");
        }
        return head.toString();
    }

    /** Ours beside the peers, round by round. */
    static void ratios(List<String> lines, List<Ratio> ratios, Forks forks, Measurements measured) {
        Set<Subject> subjects = measured.subjects();
        List<Ratio> rows = ratios.stream()
                .filter(ratio -> subjects.contains(ratio.ours()) && subjects.contains(ratio.peer()))
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(head("Times as fast, and the target", forks));
        lines.add("|---|" + "--:|".repeat(forks.threads.length));
        for (Ratio ratio : rows) {
            StringBuilder line = new StringBuilder("| " + ratio.ours().title + " / " + ratio.peer().title + " |");
            for (int threads : forks.threads) {
                Estimate estimate =
                        Ratio.estimate(measured.of(ratio.ours(), threads), measured.of(ratio.peer(), threads));
                line.append(" ").append(ratio.text(estimate, threads)).append(" |");
            }
            lines.add(line.toString());
        }
    }
}
