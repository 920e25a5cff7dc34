package io.idgen.benchmarks;

import io.idgen.benchmarks.insert.InsertBenchmark;
import io.idgen.benchmarks.insert.ReadAheadBenchmark;
import io.idgen.benchmarks.insert.SqlIds;
import io.idgen.benchmarks.memory.MemoryTables;
import io.idgen.benchmarks.start.BootTable;
import io.idgen.benchmarks.start.FirstIdTable;
import io.idgen.benchmarks.start.ManySourcesTable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks of idgen and its peers: {@code java -jar benchmarks.jar <table>} prints one table in Markdown. */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures idgen and its peers; each command prints one table in Markdown.",
        subcommands = {
            InsertBenchmark.class,
            ReadAheadBenchmark.class,
            SqlIds.class,
            FirstIdTable.class,
            ManySourcesTable.class,
            BootTable.class,
            Chart.class
        })
public final class Benchmarks {
    private Benchmarks() {}

    /**
     * Measures and prints one table.
     *
     * @param args the table and its options
     */
    public static void main(String[] args) {
        CommandLine tables = new CommandLine(new Benchmarks());
        CommandLine memory = new CommandLine(MemoryTables.class);
        memory.getSubcommands().forEach(tables::addSubcommand);
        System.exit(tables.execute(args));
    }
}
