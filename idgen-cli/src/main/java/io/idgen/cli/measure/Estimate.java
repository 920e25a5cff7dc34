package io.idgen.cli.measure;

import java.util.Arrays;
import java.util.Locale;

/**
 * The median of several runs, with a confidence interval of at least 95 %. The bounds are values of runs, chosen by
 * rank, so no distribution is assumed. With fewer than six runs the bounds are the smallest and the largest value, and
 * the confidence is lower.
 *
 * @param low the lower bound
 * @param median the median
 * @param high the upper bound
 * @see <a href="https://www.itl.nist.gov/div898/software/dataplot/refman1/auxillar/mediancl.htm">confidence limits of a
 *     median by order statistics</a>
 */
public record Estimate(double low, double median, double high) {
    /** The smallest number of runs for a confidence of 95 %. */
    public static final int ENOUGH = 6;

    private static final double WANTED = 0.95;

    /**
     * Estimates the median.
     *
     * @param runs one value per run
     * @return the median and its interval
     */
    public static Estimate of(double... runs) {
        double[] sorted = runs.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        int rank = 0;
        while (rank + 1 < (n + 1) / 2 && certainty(n, rank + 1) >= WANTED) {
            rank++;
        }
        return new Estimate(sorted[rank], (sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[n - 1 - rank]);
    }

    /**
     * Estimates the ratio of two subjects that were measured in the same rounds. Other load in a round affects both, so
     * the ratios of the rounds vary less than their values.
     *
     * @param ours one value per round
     * @param others the other subject's values, of the same rounds
     * @return the median of the rounds' ratios, and its interval
     */
    public static Estimate ofRatio(double[] ours, double[] others) {
        double[] ratios = new double[ours.length];
        Arrays.setAll(ratios, round -> ours[round] / others[round]);
        return of(ratios);
    }

    /**
     * Returns the confidence of the interval between the values of this rank from below and from above, counted from 0.
     */
    private static double certainty(int runs, int rank) {
        double outside = 0;
        double ways = 1; // the ways to choose i of the runs
        for (int i = 0; i <= rank; i++) {
            outside += ways;
            ways = ways * (runs - i) / (i + 1);
        }
        return 1 - 2 * outside / Math.pow(2, runs);
    }

    /**
     * Formats the median and the interval.
     *
     * @param digits the number of decimal places
     * @return for example {@code 1.52 (1.43 to 1.60)}
     */
    public String text(int digits) {
        String number = "%." + digits + "f";
        return String.format(Locale.ROOT, number + " (" + number + " to " + number + ")", median, low, high);
    }
}
