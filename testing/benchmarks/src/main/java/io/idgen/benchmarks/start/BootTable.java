package io.idgen.benchmarks.start;

import io.idgen.benchmarks.OwnJvm;
import io.idgen.benchmarks.Page;
import io.idgen.benchmarks.Table;
import io.idgen.cli.measure.Estimate;
import io.idgen.cli.measure.Rounds;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Generates and compiles many entities, and times the boot of Hibernate with them. Needs the JVM of a JDK. */
@Command(
        name = "boot",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "The boot of Hibernate with many entities and each kind of ids, on H2 in memory. Needs a JDK.")
public final class BootTable implements Callable<Integer> {

    @Option(names = "--rounds", defaultValue = "6", description = "Number of JVMs of each kind.")
    private int rounds;

    @Option(names = "--entities", defaultValue = "200", description = "Number of entities.")
    private int entities;

    @Mixin
    private Page page = new Page();

    /** A kind of ids. */
    private enum Subject {
        ASSIGNED("application-assigned", "", " = NEXT.incrementAndGet()"),
        SEQUENCE("SEQUENCE (50)", "@jakarta.persistence.GeneratedValue", ""),
        TSID("hypersistence @Tsid", "@io.hypersistence.utils.hibernate.id.Tsid", ""),
        SNOWFLAKE("idgen snowflake, leased", "@io.idgen.hibernate.SnowflakeId", ""),
        SEGMENT("idgen segment", "@io.idgen.hibernate.SnowflakeId", "");

        private final String title;
        private final String annotation;
        private final String value;

        Subject(String title, String annotation, String value) {
            this.title = title;
            this.annotation = annotation;
            this.value = value;
        }

        String strategy() {
            return this == SEGMENT ? "segment" : "snowflake";
        }

        String source(int number) {
            return """
                    package %1$s;
                    @jakarta.persistence.Entity
                    public class E%2$d {
                        static final java.util.concurrent.atomic.AtomicLong NEXT = new java.util.concurrent.atomic.AtomicLong();
                        @jakarta.persistence.Id %3$s public Long id%4$s;
                        public String name;
                        public E%2$d() {}
                    }
                    """.formatted(Boot.ENTITIES, number, annotation, value);
        }
    }

    /** Called by picocli. */
    public BootTable() {}

    @Override
    public Integer call() throws IOException {
        page.begin("boot");
        Map<Subject, List<String>> classPaths = new EnumMap<>(Subject.class);
        for (Subject subject : Subject.values()) {
            classPaths.put(subject, List.of(OwnJvm.CLASS_PATH, compiled(subject)));
        }
        Rounds<Subject, Map<String, Double>> measured = Rounds.measure(
                List.of(Subject.values()),
                rounds,
                0,
                () -> true,
                subject -> OwnJvm.run(
                        Objects.requireNonNull(classPaths.get(subject)), Boot.class, subject.strategy(), entities));
        Table table = new Table(
                entities + " entities, in ms",
                Stream.of("boot", "boot / assigned", "CPU / assigned", "first transaction, a row of each", "close"));
        for (Subject subject : Subject.values()) {
            table.row(
                    subject.title,
                    Stream.of(
                            Estimate.of(values(measured, subject, Boot.BOOTED)).text(0),
                            Estimate.ofRatio(
                                            values(measured, subject, Boot.BOOTED),
                                            values(measured, Subject.ASSIGNED, Boot.BOOTED))
                                    .text(2),
                            Estimate.ofRatio(
                                            values(measured, subject, Boot.CPU),
                                            values(measured, Subject.ASSIGNED, Boot.CPU))
                                    .text(2),
                            Estimate.of(values(measured, subject, Boot.INSERTED))
                                    .text(0),
                            Estimate.of(values(measured, subject, Boot.CLOSED)).text(0)));
        }
        page.print(List.of(
                "The boot of Hibernate in a new JVM, with the tables, batches of 50 rows, and logging that has started before. "
                        + Table.medianOf(rounds, "JVMs")));
        page.print(table.lines());
        page.end();
        return 0;
    }

    private static double[] values(Rounds<Subject, Map<String, Double>> measured, Subject subject, String name) {
        return measured.of(subject).stream()
                .mapToDouble(values -> Objects.requireNonNull(values.get(name)))
                .toArray();
    }

    /** Generates and compiles the entities, and returns a class path with them. */
    private String compiled(Subject subject) throws IOException {
        Path folder = Files.createTempDirectory("entities");
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
        for (int i = 0; i < entities; i++) {
            arguments.add(Files.writeString(folder.resolve("E" + i + ".java"), subject.source(i))
                    .toString());
        }
        @Nullable JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null || compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("no compiler, or it failed; run this with the java of a JDK");
        }
        return folder + File.pathSeparator + System.getProperty("java.class.path");
    }
}
