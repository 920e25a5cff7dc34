package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.Table;
import io.idgen.cli.measure.Estimate;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The number and duration of measurements: the options of all tables. */
final class Forks {
    @Option(
            names = "--rounds",
            defaultValue = "" + Estimate.ENOUGH,
            description =
                    "number of rounds; each round measures all subjects in turn, each in its own JVM, so that other load"
                            + " affects all of them alike (${DEFAULT-VALUE})")
    int rounds;

    @Option(
            names = "--time",
            defaultValue = "1000",
            paramLabel = "MILLIS",
            description = "duration of a measurement, after a warm-up of the same duration (${DEFAULT-VALUE} ms)")
    long millis;

    @Option(
            names = "--threads",
            defaultValue = "1,2,8",
            split = ",",
            description = "numbers of threads (${DEFAULT-VALUE})")
    int[] threads = {};

    @Option(
            names = "--ids",
            defaultValue = "20000000",
            description =
                    "number of ids of each configuration of idgen that are checked for duplicates (${DEFAULT-VALUE})")
    int ids;

    @Option(names = "--only", split = ",", description = "measure only these subjects: ${COMPLETION-CANDIDATES}")
    Subject[] only = Subject.values();

    /** Returns the subjects of a table that are measured. */
    Collection<Subject> subjects(Collection<Subject> ofTable) {
        return Arrays.stream(only).filter(ofTable::contains).toList();
    }

    /** Returns a copy for one thread, for measurements that do not depend on threads. */
    Forks withOneThread() {
        Forks alone = new Forks();
        alone.rounds = rounds;
        alone.threads = new int[] {1};
        return alone;
    }

    /** Returns a column for each number of threads. */
    Stream<String> columns() {
        return IntStream.of(threads).mapToObj(count -> count == 1 ? "1 thread" : count + " threads");
    }

    String told() {
        return Table.medianOf(rounds, "runs of " + millis + " ms, each in a JVM of its own");
    }
}
