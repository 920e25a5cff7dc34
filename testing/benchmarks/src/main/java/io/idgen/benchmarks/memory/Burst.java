package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.OwnJvm;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Measures the duration of a burst of ids after a pause, with single calls and with one call; the median of many
 * bursts.
 */
final class Burst {
    static final int IDS = 10_000;
    static final String CALLS = "calls";
    static final String BATCH = "batch";

    /** The suffix of a measurement's name for the 90th percentile instead of the median. */
    static final String P90 = "90";

    private static final int BURSTS = 400;
    private static final long PAUSE_NANOS = 5_000_000;

    private Burst() {}

    /** Runs in a fork. The argument is the subject. */
    public static void main(String[] args) {
        Made made = Subject.valueOf(args[0]).make();
        Map<String, Double> report = new HashMap<>();
        measure(report, CALLS, () -> calls(made));
        measure(report, BATCH, () -> made.batches().apply(IDS));
        OwnJvm.report(report);
    }

    private static Object calls(Made made) {
        long sum = 0;
        for (int i = 0; i < IDS; i++) {
            sum += Objects.requireNonNull(made.longs()).getAsLong();
        }
        return sum;
    }

    private static void measure(Map<String, Double> report, String name, Supplier<?> burst) {
        double[] micros = new double[BURSTS];
        int hash = 0;
        for (int i = 0; i < BURSTS; i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            long before = System.nanoTime();
            hash ^= System.identityHashCode(burst.get());
            micros[i] = (System.nanoTime() - before) / 1e3;
        }
        Arrays.sort(micros, BURSTS / 2, BURSTS); // the first half warms up the JIT compiler
        report.put(name, hash == 1 ? 0 : micros[BURSTS * 3 / 4]);
        report.put(name + P90, micros[BURSTS * 19 / 20]);
    }
}
