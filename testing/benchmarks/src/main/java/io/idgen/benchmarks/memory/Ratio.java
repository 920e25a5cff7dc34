package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.Table;
import io.idgen.cli.measure.Estimate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A comparison of a generator of idgen with a peer, with target ratios by numbers of threads.
 *
 * @param ours the generator of idgen
 * @param peer the best of its class, or the one with the same approach
 * @param targets the target ratio with 1, 2 and 8 threads
 */
record Ratio(Subject ours, Subject peer, double... targets) {
    private static final List<Integer> THREADS = List.of(1, 2, 8);

    /** The tolerance of the interval's lower bound below the target. */
    private static final double NEARLY = 0.95;

    /** Returns a table of the ratios whose two subjects were measured. */
    static List<String> table(Collection<Ratio> ratios, Forks forks, Measurements measured) {
        List<Ratio> known = ratios.stream()
                .filter(ratio -> measured.subjects().containsAll(List.of(ratio.ours, ratio.peer)))
                .toList();
        if (known.isEmpty()) {
            return List.of();
        }
        Table table = new Table("Times as fast, and the target", forks.columns());
        for (Ratio ratio : known) {
            table.row(
                    ratio.ours.title + " / " + ratio.peer.title,
                    IntStream.of(forks.threads).mapToObj(threads -> ratio.text(measured, threads)));
        }
        return table.lines();
    }

    private String text(Measurements measured, int threads) {
        Estimate ratio = measured.ratio(ours, peer, threads, JmhFork.MILLIONS);
        int column = THREADS.indexOf(threads);
        if (column < 0) {
            return ratio.text(2);
        }
        double target = targets[Math.min(column, targets.length - 1)];
        return ratio.text(2)
                + String.format(
                        Locale.ROOT, "; %s %s", target, ratio.low() >= NEARLY * target ? "reached" : "**missed**");
    }
}
