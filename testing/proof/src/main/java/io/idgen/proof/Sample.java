package io.idgen.proof;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a process holds at one moment, and what it has done so far.
 *
 * @param heap the bytes of the heap that are in use after a garbage collection
 * @param threads the platform threads
 * @param files the open files and sockets
 * @param leased the ids of the leased snowflake so far
 * @param counter the ids of the counter so far
 * @param failedLeased the failed calls of the leased snowflake so far
 * @param failedCounter the failed calls of the counter so far
 * @param falls the ids so far that were not above the one before
 */
record Sample(
        long heap,
        long threads,
        long files,
        long leased,
        long counter,
        long failedLeased,
        long failedCounter,
        long falls) {

    /** Returns the sample as a line of text. */
    String line() {
        return Stream.of(heap, threads, files, leased, counter, failedLeased, failedCounter, falls)
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    /** Reads the line of a sample. */
    static Sample parse(String line) {
        List<Long> all = Stream.of(line.split(" ")).map(Long::valueOf).toList();
        return new Sample(
                all.get(0), all.get(1), all.get(2), all.get(3), all.get(4), all.get(5), all.get(6), all.get(7));
    }

    /**
     * The greatest values of the second and of the last third of a phase. The first third is left out: classes are
     * loaded and compiled, or connections of the phase before end.
     */
    record Trend(long before, long after) {

        /** Returns the trend of some values. */
        static <T> Trend of(List<T> samples, ToLongFunction<T> value) {
            int third = samples.size() / 3;
            return new Trend(
                    most(samples.subList(third, 2 * third), value),
                    most(samples.subList(2 * third, samples.size()), value));
        }

        private static <T> long most(List<T> samples, ToLongFunction<T> value) {
            return samples.stream().mapToLong(value).max().orElse(0);
        }

        /** Whether the values have grown by more than this. */
        boolean grows(long allowed) {
            return after > before + allowed;
        }
    }
}
