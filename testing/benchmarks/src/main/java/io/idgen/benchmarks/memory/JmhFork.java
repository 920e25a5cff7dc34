package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.OwnJvm;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs one fork of {@link IdBenchmark}. */
final class JmhFork {
    static final String MILLIONS = "millionsPerSecond";
    static final String BYTES = "bytesPerId";

    private static final int ITERATIONS = 4;

    private JmhFork() {}

    /** Measures ids from single calls. */
    static Map<String, Double> calls(Subject subject, int threads, Forks forks) {
        return millions(options(subject, call(subject), threads, forks));
    }

    /** Measures ids from calls for a thousand. */
    static Map<String, Double> batches(Subject subject, int threads, Forks forks) {
        return millions(options(subject, "batch", threads, forks));
    }

    /** Measures the memory that a single call allocates. */
    static Map<String, Double> bytes(Subject subject, int threads, Forks forks) {
        ChainedOptionsBuilder options =
                options(subject, call(subject), threads, forks).addProfiler(GCProfiler.class);
        return Map.of(
                BYTES,
                Objects.requireNonNull(run(options).getSecondaryResults().get("gc.alloc.rate.norm"))
                        .getScore());
    }

    private static String call(Subject subject) {
        return subject.givesObjects() ? "object" : "number";
    }

    private static Map<String, Double> millions(ChainedOptionsBuilder options) {
        return Map.of(MILLIONS, run(options).getPrimaryResult().getScore() / 1e6);
    }

    private static ChainedOptionsBuilder options(Subject subject, String method, int threads, Forks forks) {
        TimeValue time = TimeValue.milliseconds(Math.max(1, forks.millis / ITERATIONS));
        return new OptionsBuilder()
                .include("\\." + IdBenchmark.class.getSimpleName() + "\\." + method + "$")
                .param("subject", subject.name())
                .threads(threads)
                .forks(1)
                .warmupIterations(ITERATIONS)
                .warmupTime(time)
                .measurementIterations(ITERATIONS)
                .measurementTime(time)
                .jvmArgs(OwnJvm.HEAP.toArray(String[]::new))
                .verbosity(VerboseMode.SILENT);
    }

    private static RunResult run(ChainedOptionsBuilder options) {
        try {
            return new Runner(options.build()).runSingle();
        } catch (RunnerException e) {
            throw new IllegalStateException(e);
        }
    }
}
