package io.idgen.benchmarks.memory;

import java.util.Arrays;
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

    private static final int BURSTS = 400;
    private static final long PAUSE_NANOS = 5_000_000;

    private Burst() {}

    /** Runs in a fork. The argument is the subject. */
    public static void main(String[] args) {
        Made made = Subject.valueOf(args[0]).make();
        OwnJvm.report(Map.of(
                CALLS,
                micros(() -> calls(made)),
                BATCH,
                micros(() -> made.batches().apply(IDS))));
    }

    private static Object calls(Made made) {
        long sum = 0;
        for (int i = 0; i < IDS; i++) {
            sum += Objects.requireNonNull(made.longs()).getAsLong();
        }
        return sum;
    }

    private static double micros(Supplier<?> burst) {
        double[] micros = new double[BURSTS];
        int hash = 0;
        for (int i = 0; i < BURSTS; i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            long before = System.nanoTime();
            hash ^= System.identityHashCode(burst.get());
            micros[i] = (System.nanoTime() - before) / 1e3;
        }
        Arrays.sort(micros, BURSTS / 2, BURSTS); // the first half warms up the JIT compiler
        return hash == 1 ? 0 : micros[BURSTS * 3 / 4];
    }
}
