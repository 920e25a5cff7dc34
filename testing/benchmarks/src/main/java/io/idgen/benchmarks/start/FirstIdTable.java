package io.idgen.benchmarks.start;

import io.idgen.benchmarks.OwnJvm;
import io.idgen.benchmarks.Page;
import io.idgen.benchmarks.Table;
import io.idgen.benchmarks.start.FirstId.Subject;
import io.idgen.cli.measure.Estimate;
import io.idgen.cli.measure.Rounds;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Times the first id of a new JVM, step by step. */
@Command(
        name = "first-id",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "The first id of a new JVM: how long it takes, and which steps it consists of. PostgreSQL.")
public final class FirstIdTable implements Callable<Integer> {

    @Option(names = "--rounds", defaultValue = "6", description = "Number of JVMs of each kind.")
    private int rounds;

    @Option(
            names = "--age",
            defaultValue = "190",
            paramLabel = "SECONDS",
            description = "Age of idgen's tables before the first measurement: longer than the window of a worker id.")
    private int ageSeconds;

    @Mixin
    private Page page = new Page();

    /** Called by picocli. */
    public FirstIdTable() {}

    @Override
    public Integer call() throws InterruptedException {
        page.begin("first-id");
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            new IdgenSchema(database.dataSource()).create();
            Thread.sleep(ageSeconds * 1000L);
            Rounds<Subject, Map<String, Double>> measured = Rounds.measure(
                    List.of(Subject.values()),
                    rounds,
                    0,
                    () -> true,
                    subject -> OwnJvm.run(
                            List.of(),
                            FirstId.class,
                            subject,
                            database.plainUrl(),
                            database.user(),
                            database.password()));
            Table table = new Table(
                    "In ms; the second id in µs",
                    Stream.of(
                            "JVM before",
                            "pool and query",
                            "source built",
                            "first id",
                            "sum without JVM",
                            "second id",
                            "classes"));
            for (Subject subject : Subject.values()) {
                table.row(
                        subject.title,
                        Stream.of(
                                median(measured, subject, FirstId.JVM),
                                subject.usesDatabase ? median(measured, subject, FirstId.POOL) : "",
                                subject == Subject.QUERY ? "" : median(measured, subject, FirstId.BUILD),
                                subject == Subject.QUERY ? "" : median(measured, subject, FirstId.FIRST),
                                estimate(measured, subject, FirstId.TOTAL).text(0),
                                subject == Subject.QUERY ? "" : median(measured, subject, FirstId.SECOND),
                                median(measured, subject, FirstId.CLASSES)));
            }
            page.print(List.of("The first id of a new JVM. " + Table.medianOf(rounds, "JVMs") + " idgen\'s tables are "
                    + ageSeconds + " s old."));
            page.print(table.lines());
        }
        page.end();
        return 0;
    }

    private static String median(Rounds<Subject, Map<String, Double>> measured, Subject subject, String name) {
        return String.format(
                Locale.ROOT, "%,.0f", estimate(measured, subject, name).median());
    }

    private static Estimate estimate(Rounds<Subject, Map<String, Double>> measured, Subject subject, String name) {
        return Estimate.of(measured.of(subject).stream()
                .mapToDouble(values -> Objects.requireNonNull(values.get(name)))
                .toArray());
    }
}
