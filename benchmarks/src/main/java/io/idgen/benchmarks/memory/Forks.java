package io.idgen.benchmarks.memory;

import io.idgen.benchmarks.Estimate;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How often and how long things are measured: the options of all tables. */
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

    @Option(names = "--only", split = ",", description = "only these subjects, by the names of the enum Subject")
    Subject[] only = Subject.values();

    Duration time() {
        return Duration.ofMillis(millis);
    }
}
