package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.Estimate;
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
                    "how many times all are measured, each time in a JVM of its own; one after the other in each round, so"
                            + " that what the machine does besides meets all alike (${DEFAULT-VALUE})")
    int rounds;

    @Option(
            names = "--time",
            defaultValue = "1000",
            paramLabel = "MILLIS",
            description = "how long one is measured in a round, after as long a warm-up (${DEFAULT-VALUE} ms)")
    long millis;

    @Option(
            names = "--threads",
            defaultValue = "1,2,8",
            split = ",",
            description = "with how many threads (${DEFAULT-VALUE})")
    int[] threads = {};

    @Option(
            names = "--ids",
            defaultValue = "20000000",
            description =
                    "how many ids of each of idgen's configurations are checked to be different (${DEFAULT-VALUE})")
    int ids;

    @Option(names = "--only", split = ",", description = "only these of the table: ${COMPLETION-CANDIDATES}")
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
        return "The median of " + rounds + " runs of " + millis + " ms, each in a JVM of its own"
                + (rounds < Estimate.ENOUGH ? ", and the least and the greatest." : ", and its 95 % interval.");
    }
}
