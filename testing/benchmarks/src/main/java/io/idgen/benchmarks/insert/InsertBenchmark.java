package io.idgen.benchmarks.insert;

import io.idgen.benchmarks.Page;
import io.idgen.benchmarks.Table;
import io.idgen.benchmarks.insert.Measurement.Configuration;
import io.idgen.benchmarks.insert.StatementCounter.Counts;
import io.idgen.cli.measure.Estimate;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.hibernate.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Inserts orders of ten lines, each in one transaction, with each kind of id. */
@Command(
        name = "inserts",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = IndexBenchmark.class,
        showDefaultValues = true,
        description =
                "Inserts orders of ten lines with Hibernate, one order per transaction, and prints the cost of each kind of"
                        + " ids in Markdown. The defaults take two to three minutes.")
public final class InsertBenchmark implements Callable<Integer> {
    private static final int COUNTED_TRANSACTIONS = 200;
    private static final int COUNTING_WARM_UP = 20;
    private static final Duration STALL = Duration.ofSeconds(1);

    @Option(
            names = "--database",
            defaultValue = "h2",
            converter = Converters.Kind.class,
            description = "One of ${COMPLETION-CANDIDATES}.")
    private Server server = Server.H2;

    @Option(names = "--threads", split = ",", defaultValue = "1,8", description = "Numbers of threads that insert.")
    private List<Integer> threads = List.of();

    @Option(
            names = "--latency",
            split = ",",
            defaultValue = "0,0.5",
            description = "Milliseconds added to each round trip.")
    private List<Double> latencies = List.of();

    @Option(
            names = "--pool",
            split = ",",
            defaultValue = "8,2",
            description = "Pool sizes; one thread is measured only with the first one.")
    private List<Integer> pools = List.of();

    @Option(
            names = "--rounds",
            defaultValue = "6",
            description = "Slices of each contender; at least 6 for a confidence of 95 %%.")
    private int rounds;

    @Option(
            names = "--slice",
            defaultValue = "100ms",
            converter = Converters.ShortTime.class,
            description = "The duration of a slice, for example 100ms or 1s.")
    private Duration slice = Duration.ZERO;

    @Option(
            names = "--connection-timeout",
            defaultValue = "500ms",
            converter = Converters.ShortTime.class,
            description = "HikariCP's connection timeout, for all contenders.")
    private Duration connectionTimeout = Duration.ZERO;

    @Option(
            names = "--unique",
            defaultValue = "20000",
            description = "The number of ids of each contender of idgen that are checked for duplicates.")
    private int unique;

    @Option(
            names = "--only",
            split = ",",
            description = "The contenders: ${COMPLETION-CANDIDATES}; ASSIGNED always takes part.")
    private List<Contender> only = List.of();

    @Mixin
    private Page page = new Page();

    /** Called by picocli. */
    public InsertBenchmark() {}

    @Override
    public Integer call() throws SQLException {
        page.begin("inserts-" + server.lowerCase());
        quiet();
        List<Contender> contenders = contenders();
        List<Latency> calibrated = new ArrayList<>();
        for (double millis : latencies) {
            calibrated.add(Latency.calibrated(server, Duration.ofNanos(Math.round(millis * 1e6))));
        }
        beginning(calibrated);
        counts(contenders);
        for (Latency latency : calibrated) {
            for (int count : threads) {
                for (int pool : count == 1 ? pools.subList(0, 1) : pools) {
                    Unit.Wiring wiring = new Unit.Wiring(latency, pool, connectionTimeout, null);
                    measure(new Configuration(server, count, wiring, rounds, slice), contenders);
                }
            }
        }
        boolean isUnique = uniqueness(contenders);
        page.end();
        return isUnique ? 0 : 1;
    }

    /** Turns off log lines about starting, which would hide the tables. */
    static void quiet() {
        System.setProperty("org.jboss.logging.provider", "slf4j"); // without a binding, slf4j discards all log lines
        Logger.getLogger("").setLevel(Level.SEVERE);
    }

    private List<Contender> contenders() {
        return Arrays.stream(Contender.values())
                .filter(each -> each == Contender.ASSIGNED || only.isEmpty() || only.contains(each))
                .toList();
    }

    private Unit.Wiring plain(@Nullable StatementCounter counter) {
        return new Unit.Wiring(Latency.NONE, Collections.max(pools), connectionTimeout, counter);
    }

    private void beginning(List<Latency> calibrated) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Unit unit = new Unit(Contender.ASSIGNED, server, false, plain(null))) {
            page.servedBy(unit.serverProcess());
            lines.add("- " + unit.describe() + "; Hibernate " + Version.getVersionString());
        }
        lines.add("- one order of " + Mapping.LINES + " lines per transaction, batches of 50; medians over " + rounds
                + " rounds of " + slice.toMillis() + " ms each, the 95 % interval in brackets; a thread waits "
                + connectionTimeout.toMillis() + " ms for a connection");
        for (Latency latency : calibrated) {
            if (!latency.isNone()) {
                lines.add("- " + latency + " on each round trip: " + Latency.millis(latency.measured())
                        + " ms measured beforehand");
            }
        }
        page.print(lines);
    }

    /** Counts statements on one thread: they do not depend on time, and counting costs time. */
    private void counts(List<Contender> contenders) throws SQLException {
        Table table = new Table(
                "What a transaction sends",
                Stream.of("batches", "other statements", "idgen's own beside", "connections", "round trips"));
        for (Contender contender : contenders) {
            StatementCounter counter = new StatementCounter();
            try (Unit unit = new Unit(contender, server, true, plain(counter))) {
                for (int i = 0; i < COUNTING_WARM_UP; i++) {
                    unit.insert();
                }
                Counts before = counter.counts();
                long roundTrips = unit.roundTrips();
                for (int i = 0; i < COUNTED_TRANSACTIONS; i++) {
                    unit.insert();
                }
                Counts counts = counter.counts().minus(before);
                roundTrips = unit.roundTrips() - roundTrips;
                table.row(
                        contender.label(),
                        Stream.of(
                                perTransaction(counts.batches()),
                                perTransaction(counts.statements()),
                                contender.isIdgen() ? perTransaction(counts.beside()) : "",
                                perTransaction(counts.connections()),
                                perTransaction(roundTrips)));
            }
        }
        page.print(table.lines());
    }

    private static String perTransaction(long count) {
        return String.format(Locale.ROOT, "%.2f", (double) count / COUNTED_TRANSACTIONS);
    }

    private void measure(Configuration configuration, List<Contender> contenders) throws SQLException {
        Measurement measured = new Measurement(configuration, contenders);
        Table table = new Table(
                configuration.toString(),
                Stream.of("transactions/s", "× application-assigned", "× IDENTITY", "failures", "longest, ms"));
        List<String> failures = new ArrayList<>();
        for (Contender contender : contenders) {
            Slice total = measured.total(contender);
            table.row(
                    contender.label(),
                    Stream.of(
                            String.format(
                                    Locale.ROOT,
                                    "%,.0f",
                                    measured.perSecond(contender).median()),
                            measured.ratio(contender, Contender.ASSIGNED).text(2),
                            contenders.contains(Contender.IDENTITY)
                                    ? measured.ratio(contender, Contender.IDENTITY)
                                            .text(2)
                                    : "",
                            Long.toString(total.failures()),
                            Long.toString(total.longest().toMillis())));
            if (total.failure() != null) {
                failures.add("- " + contender.label() + ", the first of " + total.failures() + " failures: "
                        + reason(total.failure()));
            }
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.addAll(failures);
        lines.addAll(targets(configuration, contenders, measured));
        page.print(lines);
    }

    private static String reason(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last.getMessage()).lines().findFirst().orElse("");
    }

    private static List<String> targets(Configuration configuration, List<Contender> contenders, Measurement measured) {
        List<String> lines = new ArrayList<>();
        for (Target target : Target.ALL) {
            if (target.where().test(configuration)
                    && contenders.contains(target.contender())
                    && contenders.contains(target.other())) {
                Estimate ratio = measured.ratio(target.contender(), target.other());
                lines.add("- " + target + ": " + ratio.text(2) + ", " + target.verdict(ratio));
            }
        }
        List<String> faulty = contenders.stream()
                .filter(Contender::isIdgen)
                .filter(each -> measured.total(each).failures() > 0
                        || measured.total(each).longest().compareTo(STALL) > 0)
                .map(Contender::label)
                .toList();
        lines.add("- idgen without failures and stalls of more than " + STALL.toMillis() + " ms: "
                + (faulty.isEmpty() ? "reached" : "**missed** by " + String.join(", ", faulty)));
        return lines;
    }

    private boolean uniqueness(List<Contender> contenders) throws SQLException {
        if (unique == 0) {
            return true;
        }
        Table table = new Table("Drawn on 8 threads of two session factories", Stream.of("ids", "duplicates"));
        boolean isUnique = true;
        for (Contender contender : contenders) {
            if (contender.isIdgen()) {
                try (Unit unit = new Unit(contender, server, true, plain(null))) {
                    long duplicates = Uniqueness.duplicates(unit, unique);
                    isUnique &= duplicates == 0;
                    table.row(
                            contender.label(),
                            Stream.of(String.format(Locale.ROOT, "%,d", unique), Long.toString(duplicates)));
                }
            }
        }
        page.print(table.lines());
        return isUnique;
    }
}
