package io.idgen.cli.compare.result;

import java.util.List;

/**
 * The latencies of the calls.
 *
 * @param askedPerSecond the requested rate
 * @param calls the number of calls
 * @param stalls the number of calls that took longer than a millisecond
 * @param firstMicros the latency of the first call, which is not part of the other figures
 */
public record Latency(
        int askedPerSecond,
        long calls,
        double firstMicros,
        double p50,
        double p99,
        double p999,
        double slowest,
        long stalls,
        List<Percentile> percentiles,
        List<Stretch> timeline,
        List<Mark> marks) {

    /** The latency that {@code percent} of all calls did not exceed. */
    public record Percentile(double percent, double micros) {}

    /** The slowest call in a period of time. */
    public record Stretch(double atMillis, double slowestMicros) {}

    /** An event of a source. */
    public record Mark(double atMillis, String kind, String text) {}
}
