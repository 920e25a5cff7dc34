package io.idgen.benchmarks.insert;

import java.util.Arrays;
import java.util.Locale;

/**
 * The median of what was measured round by round, and between which two of the measured values the true one lies with at least
 * 95 %, whatever the distribution: the k-th smallest and the k-th largest, since each round is below the true median with one
 * half. Fewer than six rounds cannot say so much; their whole range then stands here.
 *
 * @param median of all rounds
 * @param low the lower end
 * @param high the upper end
 */
record MedianInterval(double median, double low, double high) {
    private static final double OUTSIDE = 0.05;

    static MedianInterval of(double[] rounds) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        int k = rank(n);
        return new MedianInterval(median, sorted[k], sorted[n - 1 - k]);
    }

    /** How many values may be left out at either end: both tails of the binomial distribution stay below 5 %. */
    private static int rank(int n) {
        double term = Math.pow(0.5, n);
        double tail = term;
        int k = 0;
        while (2 * (tail + term * (n - k) / (k + 1)) <= OUTSIDE) {
            term = term * (n - k) / (k + 1);
            tail += term;
            k++;
        }
        return k;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, low, high);
    }
}
