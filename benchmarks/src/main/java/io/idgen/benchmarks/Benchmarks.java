package io.idgen.benchmarks;

import io.idgen.benchmarks.memory.ThroughputCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures idgen beside its peers: {@code java -jar benchmarks.jar <table>} prints one table in Markdown. */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures idgen beside its peers; each command prints one table in Markdown.",
        subcommands = {
            ThroughputCommand.class,
        })
public final class Benchmarks {
    private Benchmarks() {}

    /**
     * Runs one table.
     *
     * @param args the table and its options
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Benchmarks()).execute(args));
    }
}
