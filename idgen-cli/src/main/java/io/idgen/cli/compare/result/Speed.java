package io.idgen.cli.compare.result;

import io.idgen.cli.measure.Estimate;
import java.util.List;

/**
 * A speed with its 95 % interval.
 *
 * @param runs the result of each round
 */
public record Speed(double median, double low, double high, List<Double> runs) {
    public static Speed of(List<Double> runs) {
        Estimate estimate =
                Estimate.of(runs.stream().mapToDouble(Double::doubleValue).toArray());
        return new Speed(estimate.median(), estimate.low(), estimate.high(), List.copyOf(runs));
    }

    /** Returns the ratio to another speed of the same rounds. */
    public Estimate ratio(Speed other) {
        return Estimate.ofRatio(
                runs.stream().mapToDouble(Double::doubleValue).toArray(),
                other.runs.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
