package io.idgen.cli.compare.result;

import java.util.List;

/**
 * Keys or rows per second: the median of six rounds or more, with the smallest and the largest of them. For six rounds,
 * that is an interval of the median of 97 %, whatever the distribution.
 *
 * @see <a href="https://www.itl.nist.gov/div898/software/dataplot/refman1/auxillar/mediancl.htm">confidence limits of a
 *     median by order statistics</a>
 */
public record Speed(double median, double low, double high) {

    /** Returns the speed of rounds. */
    public static Speed of(List<Double> rounds) {
        List<Double> sorted = rounds.stream().sorted().toList();
        int last = sorted.size() - 1;
        return new Speed((sorted.get(last / 2) + sorted.get((last + 1) / 2)) / 2, sorted.get(0), sorted.get(last));
    }
}
