package io.idgen.proof;

import io.idgen.jdbc.testing.IdLog;
import java.util.List;
import java.util.stream.IntStream;

/** Checks all ids of a source after the run: none twice, and rising in each process. */
final class Check {
    private final List<IdLog> files;
    private final long[] sorted;

    Check(List<IdLog> files) {
        this.files = files;
        this.sorted = files.stream()
                .flatMapToLong(file -> IntStream.range(0, file.count()).mapToLong(file::id))
                .sorted()
                .toArray();
    }

    int ids() {
        return sorted.length;
    }

    /** Returns how many ids were generated again. */
    long duplicates() {
        return IntStream.range(1, sorted.length)
                .filter(i -> sorted[i] == sorted[i - 1])
                .count();
    }

    /** Returns how many ids are not above the id before them in their process. */
    long falls() {
        return files.stream()
                .mapToLong(file -> IntStream.range(1, file.count())
                        .filter(i -> file.id(i) <= file.id(i - 1))
                        .count())
                .sum();
    }
}
