package io.idgen.benchmarks.start;

import io.idgen.benchmarks.OwnJvm;
import io.idgen.benchmarks.Page;
import io.idgen.benchmarks.Table;
import io.idgen.cli.measure.Estimate;
import io.idgen.cli.measure.Rounds;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what many sources of one process use. */
@Command(
        name = "sources",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Threads, connections, heap and closing time of many sources of one process. PostgreSQL.")
public final class ManySourcesTable implements Callable<Integer> {

    @Option(names = "--rounds", defaultValue = "6", description = "Number of JVMs of each kind.")
    private int rounds;

    @Option(names = "--counts", split = ",", defaultValue = "1,100,1000", description = "Numbers of sources.")
    private List<Integer> counts = List.of();

    @Mixin
    private Page page = new Page();

    private record Subject(String strategy, int count) {}

    /** Called by picocli. */
    public ManySourcesTable() {}

    @Override
    public Integer call() {
        page.begin("sources");
        List<Subject> subjects = new ArrayList<>();
        for (String strategy : List.of("snowflake", "segment", "sequence-table")) {
            counts.forEach(count -> subjects.add(new Subject(strategy, count)));
        }
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            new IdgenSchema(database.dataSource()).create();
            Rounds<Subject, Map<String, Double>> measured = Rounds.measure(
                    subjects,
                    rounds,
                    0,
                    () -> true,
                    subject -> OwnJvm.run(
                            List.of(),
                            ManySources.class,
                            subject.strategy,
                            subject.count,
                            database.plainUrl(),
                            database.user(),
                            database.password()));
            Table table = new Table(
                    "Sources over one database",
                    Stream.of(
                            "opened, with an id of each, ms",
                            "threads",
                            "connections",
                            "heap, KiB",
                            "closed, ms",
                            "threads after"));
            for (Subject subject : subjects) {
                table.row(
                        subject.strategy + ", " + subject.count,
                        Stream.of(
                                        ManySources.OPEN,
                                        ManySources.THREADS,
                                        ManySources.CONNECTIONS,
                                        ManySources.HEAP,
                                        ManySources.CLOSE,
                                        ManySources.LEFT)
                                .map(name -> Estimate.of(measured.of(subject).stream()
                                                .mapToDouble(values -> Objects.requireNonNull(values.get(name)))
                                                .toArray())
                                        .text(0)));
            }
            page.print(List.of("What sources add to a process that has a pool and has used idgen before. "
                    + Table.medianOf(rounds, "JVMs")));
            page.print(table.lines());
        }
        page.end();
        return 0;
    }
}
