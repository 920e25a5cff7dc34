package io.idgen.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/**
 * The median of runs, and between which of them the true median lies with at least 95 % certainty. The bounds are runs
 * themselves, by their rank, so nothing is assumed about how runs are distributed; with fewer than six runs they are the least
 * and the greatest, and the certainty is less.
 *
 * @param low the lower bound
 * @param median half of the runs are below
 * @param high the upper bound
 * @see <a href="https://www.itl.nist.gov/div898/software/dataplot/refman1/auxillar/mediancl.htm">confidence limits of a
 *     median by order statistics</a>
 */
public record Estimate(double low, double median, double high) {
    /** How many runs it takes for an interval that is certain to 95 %. */
    public static final int ENOUGH = 6;

    private static final double WANTED = 0.95;

    /**
     * The estimate from some runs.
     *
     * @param runs one value of each
     * @return their median and its interval
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

    /** How certain it is that the median lies between the values of this rank from below and from above, counted from 0. */
    private static double certainty(int runs, int rank) {
        double outside = 0;
        double ways = 1; // of choosing i out of the runs
        for (int i = 0; i <= rank; i++) {
            outside += ways;
            ways = ways * (runs - i) / (i + 1);
        }
        return 1 - 2 * outside / Math.pow(2, runs);
    }

    /**
     * The median and the interval.
     *
     * @param digits after the point
     * @return for example {@code 1.52 (1.43 to 1.60)}
     */
    public String text(int digits) {
        String number = "%." + digits + "f";
        return String.format(Locale.ROOT, number + " (" + number + " to " + number + ")", median, low, high);
    }
}
