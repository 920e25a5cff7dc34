package io.idgen.cli.compare.result;

import java.util.List;

/**
 * Durations of calls at a fixed rate, in microseconds.
 *
 * @param perSecond the requested rate
 * @param roundTripsPerThousand round trips to the database per 1,000 keys, after the first key of each instance
 */
public record Latency(
        int perSecond,
        long calls,
        double p50,
        double p99,
        double p999,
        double max,
        List<Percentile> percentiles,
        double roundTripsPerThousand) {

    /** The duration that {@code percent} of all calls did not exceed. */
    public record Percentile(double percent, double micros) {}
}
