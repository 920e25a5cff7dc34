package io.idgen.benchmarks.memory;

import io.idgen.cli.measure.DuplicateCheck;
import io.idgen.cli.measure.MeasuringThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Checks that the measured configurations of idgen generate no duplicates; speed with duplicates would be worthless.
 */
final class Uniqueness {
    private static final int THREADS = 8;
    private static final Duration LIMIT = Duration.ofHours(1);

    private Uniqueness() {}

    /** Returns a line for each configuration of idgen among the subjects. */
    static List<String> check(Collection<Subject> subjects, int count) {
        List<String> lines = new ArrayList<>(List.of(""));
        for (Subject subject : subjects) {
            if (subject.isOurs()) {
                lines.add(check(subject, count));
            }
        }
        return lines;
    }

    private static String check(Subject subject, int count) {
        LongSupplier source = Objects.requireNonNull(subject.make().longs());
        long[][] ids = new long[THREADS][count / THREADS];
        try (MeasuringThreads threads = new MeasuringThreads(Arrays.stream(ids)
                .map(each -> (Runnable) () -> Arrays.setAll(each, i -> source.getAsLong()))
                .toList())) {
            threads.await(LIMIT);
            threads.join();
        }
        DuplicateCheck check = new DuplicateCheck(1);
        Arrays.stream(ids).forEach(check::add);
        DuplicateCheck.Duplicates found = check.check();
        if (found.count() > 0) {
            throw new IllegalStateException(
                    subject.title + " generated " + found.examples().get(0) + " twice");
        }
        return String.format(
                Locale.ROOT, "- %s: %,d ids of %d threads are all different.", subject.title, found.checked(), THREADS);
    }
}
