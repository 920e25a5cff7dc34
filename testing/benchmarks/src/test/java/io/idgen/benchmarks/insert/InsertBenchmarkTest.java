package io.idgen.benchmarks.insert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests that the insert benchmarks run and print their tables. Speed is not tested. */
class InsertBenchmarkTest {

    private static String run(String... arguments) {
        StringWriter out = new StringWriter();
        int exitCode = new CommandLine(new InsertBenchmark())
                .setOut(new PrintWriter(out))
                .execute(arguments);
        assertThat(exitCode).as("exit code").isZero();
        return out.toString();
    }

    @Test
    void everyContenderInsertsWithAndWithoutLatency() {
        String tables =
                run("--threads", "1", "--latency", "0,0.5", "--rounds", "1", "--slice", "10ms", "--unique", "800");

        for (Contender contender : Contender.values()) {
            assertThat(tables.lines().filter(line -> line.startsWith("| " + contender.label() + " |")))
                    .as("a line of counts and one for each latency")
                    .hasSizeGreaterThanOrEqualTo(3);
        }
        assertThat(tables)
                .contains("1 thread, pool of 8, in the same process", "1 thread, pool of 8, +0.5 ms")
                .doesNotContain("failures: ");
    }

    @Test
    void idsBeforeTheInsertAreTwoBatchesAndNothingElse() {
        String tables =
                run("--threads", "1", "--latency", "0", "--rounds", "1", "--slice", "10ms", "--only", "SNOWFLAKE");

        assertThat(tables)
                .contains("| application-assigned | 2.00 | 0.00 |", "| idgen snowflake, leased | 2.00 | 0.00 |")
                .doesNotContain("| IDENTITY |");
    }

    @Test
    void threadsThatAreMoreThanConnectionsDoNotFail() {
        String tables = run(
                "--threads",
                "8",
                "--pool",
                "2",
                "--latency",
                "0",
                "--rounds",
                "1",
                "--slice",
                "50ms",
                "--only",
                "SNOWFLAKE,SEGMENT,NATIVE_50,NATIVE_1,SEQUENCE_TABLE,STEPPED",
                "--connection-timeout",
                "30s");

        assertThat(tables).contains("8 threads, pool of 2").doesNotContain("failures: ");
    }

    @Test
    void everyKeyIsLoadedAndFound() {
        String table = run("index", "--rows", "2000");

        assertThat(table).contains("| idgen snowflake, leased |", "| IDENTITY |", "| UUIDv4 |", "| UUIDv7 |");
    }
}
