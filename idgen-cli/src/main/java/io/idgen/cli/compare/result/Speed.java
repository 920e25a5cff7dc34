package io.idgen.cli.compare.result;

import io.idgen.cli.measure.Estimate;
import java.util.List;

/** Keys or rows per second: the median of the rounds with its interval of 95 %. */
public record Speed(double median, double low, double high) {

    /** Returns the speed of rounds. */
    public static Speed of(List<Double> rounds) {
        Estimate estimate =
                Estimate.of(rounds.stream().mapToDouble(Double::doubleValue).toArray());
        return new Speed(estimate.median(), estimate.low(), estimate.high());
    }

    /** Keys per second of a number of threads. */
    public record Scale(int threads, double perSecond) {}
}
