package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.Estimate;
import java.util.List;
import java.util.Locale;

/**
 * Which of ours is held against which peer, and how many times as fast it shall be, by numbers of threads.
 *
 * @param ours idgen's
 * @param peer the best of its class, or the one that works alike
 * @param targets the least ratio with 1, 2 and 8 threads
 */
record Ratio(Subject ours, Subject peer, double... targets) {
    private static final List<Integer> THREADS = List.of(1, 2, 8);

    /** What the lower end of the interval may be short of the target. */
    private static final double NEARLY = 0.95;

    double target(int threads) {
        return targets[Math.max(0, THREADS.indexOf(threads))];
    }

    /** Round by round, since what slows a round down slows both. */
    static Estimate estimate(double[] ours, double[] peers) {
        double[] ratios = new double[ours.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours[i] / peers[i];
        }
        return Estimate.of(ratios);
    }

    String text(Estimate ratio, int threads) {
        double target = target(threads);
        String verdict = ratio.low() >= NEARLY * target ? "reached" : "**missed**";
        return ratio.text(2) + String.format(Locale.ROOT, ", %.1f %s", target, verdict);
    }
}
