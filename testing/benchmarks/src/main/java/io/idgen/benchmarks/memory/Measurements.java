package io.idgen.benchmarks.memory;

import io.idgen.cli.measure.Estimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The results of each subject, for each number of threads and each round; each measured in its own JVM. */
final class Measurements {
    private final Map<Key, List<Map<String, Double>>> found = new HashMap<>();

    private record Key(Subject subject, int threads) {}

    /** Measures one subject in its own JVM, and returns values by their names. */
    @FunctionalInterface
    interface Fork {
        Map<String, Double> run(Subject subject, int threads);
    }

    private Measurements() {}

    /** Measures all subjects in turn, in each round. */
    static Measurements take(Forks forks, Collection<Subject> subjects, Fork fork) {
        Measurements all = new Measurements();
        for (int round = 1; round <= forks.rounds; round++) {
            for (int threads : forks.threads) {
                for (Subject subject : subjects) {
                    Map<String, Double> values = fork.run(subject, threads);
                    all.found
                            .computeIfAbsent(new Key(subject, threads), key -> new ArrayList<>())
                            .add(values);
                    System.err.printf("round %d, %d threads, %s: %s%n", round, threads, subject, values);
                }
            }
        }
        return all;
    }

    /** Returns a value of each round. */
    double[] of(Subject subject, int threads, String name) {
        List<Map<String, Double>> rounds = found.get(new Key(subject, threads));
        if (rounds == null) {
            throw new IllegalArgumentException(subject + " was not measured with " + threads + " threads");
        }
        return rounds.stream().mapToDouble(values -> values.get(name)).toArray();
    }

    Estimate estimate(Subject subject, int threads, String name) {
        return Estimate.of(of(subject, threads, name));
    }

    /**
     * Returns the ratios of one subject's values to another's, round by round, because other load in a round slows
     * both.
     */
    Estimate ratio(Subject ours, Subject peer, int threads, String name) {
        return Estimate.ofRatio(of(ours, threads, name), of(peer, threads, name));
    }

    Set<Subject> subjects() {
        Set<Subject> subjects = new TreeSet<>();
        found.keySet().forEach(key -> subjects.add(key.subject));
        return subjects;
    }
}
