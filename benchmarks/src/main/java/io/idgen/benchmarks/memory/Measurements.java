package io.idgen.benchmarks.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One value of each subject, number of threads and round; taken round by round, each in a JVM of its own. */
final class Measurements {
    private static final int ITERATIONS = 4;

    private final Map<Key, double[]> values = new HashMap<>();

    private record Key(Subject subject, int threads) {}

    /** Measures one subject in a JVM of its own. */
    @FunctionalInterface
    interface Fork {
        double run(Subject subject, int threads, Forks forks);
    }

    private Measurements() {}

    static Measurements take(Forks forks, Set<Subject> subjects, Fork fork) {
        Measurements all = new Measurements();
        for (int round = 0; round < forks.rounds; round++) {
            for (int threads : forks.threads) {
                for (Subject subject : subjects) {
                    double value = fork.run(subject, threads, forks);
                    all.values.computeIfAbsent(new Key(subject, threads), key -> new double[forks.rounds])[round] =
                            value;
                    System.err.printf(
                            "round %d of %d, %d threads, %s: %.3g%n", round + 1, forks.rounds, threads, subject, value);
                }
            }
        }
        return all;
    }

    double[] of(Subject subject, int threads) {
        double[] found = values.get(new Key(subject, threads));
        if (found == null) {
            throw new IllegalArgumentException(subject + " was not measured with " + threads + " threads");
        }
        return found;
    }

    Set<Subject> subjects() {
        Set<Subject> subjects = new TreeSet<>();
        values.keySet().forEach(key -> subjects.add(key.subject));
        return subjects;
    }

    static double idsPerSecond(Subject subject, int threads, Forks forks) {
        return run(options(subject, subject.givesObjects() ? "object" : "number", threads, forks))
                .getPrimaryResult()
                .getScore();
    }

    static double batchedIdsPerSecond(Subject subject, int threads, Forks forks) {
        return run(options(subject, "batch", threads, forks)).getPrimaryResult().getScore();
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
                .jvmArgs("-Xms1g", "-Xmx1g")
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
