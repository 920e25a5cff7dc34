package io.idgen.cli.measure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Interleaved measurements. Each round measures each subject once, in a new random order, so that other load on the
 * machine affects all subjects alike, and results of one round can be compared in pairs. The first round warms up the
 * JIT compiler for all subjects, and does not count.
 *
 * @param <S> what is measured
 * @param <R> the result of one measurement
 */
public final class Rounds<S, R> {
    private final Map<S, List<R>> results = new LinkedHashMap<>();
    private int count;

    private Rounds() {}

    /**
     * Runs the warm-up and the rounds.
     *
     * @param subjects what to measure
     * @param rounds the number of rounds that count, at least 1
     * @param seed the seed for the order
     * @param isInTime asked before each measurement of the second and later rounds; when it returns false, the round is
     *     dropped and no other one begins
     * @param slice one measurement
     * @param <S> what is measured
     * @param <R> the result of one measurement
     * @return the results, with the same number of rounds for all subjects
     */
    public static <S, R> Rounds<S, R> measure(
            Collection<S> subjects, int rounds, long seed, BooleanSupplier isInTime, Function<S, R> slice) {
        Rounds<S, R> measured = new Rounds<>();
        subjects.forEach(subject -> measured.results.put(subject, new ArrayList<>()));
        for (S subject : subjects) {
            R unused = slice.apply(subject); // the warm-up
        }
        for (int round = 0; round < rounds && measured.add(slice, seed + round, isInTime); round++) {
            measured.count++;
        }
        return measured;
    }

    private boolean add(Function<S, R> slice, long seed, BooleanSupplier isInTime) {
        List<S> order = new ArrayList<>(results.keySet());
        Collections.shuffle(order, new Random(seed));
        Map<S, R> round = new LinkedHashMap<>();
        for (S subject : order) {
            if (count > 0 && !isInTime.getAsBoolean()) {
                return false;
            }
            round.put(subject, slice.apply(subject));
        }
        round.forEach((subject, result) -> of(subject).add(result));
        return true;
    }

    /**
     * Returns the number of complete rounds.
     *
     * @return at least 1, at most the requested number
     */
    public int count() {
        return count;
    }

    /**
     * Returns the results of a subject.
     *
     * @param subject one of those that were measured
     * @return one result for each round, in the order of the rounds
     */
    public List<R> of(S subject) {
        List<R> found = results.get(subject);
        if (found == null) {
            throw new IllegalArgumentException(subject + " was not measured");
        }
        return found;
    }
}
