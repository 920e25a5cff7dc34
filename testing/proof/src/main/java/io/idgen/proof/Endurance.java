package io.idgen.proof;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.proof.page.Results;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one process for long, then an outage of its database, and checks that nothing grows. */
@Command(
        name = "endurance",
        mixinStandardHelpOptions = true,
        description = "Runs one process on PostgreSQL for long, then cuts it off, and checks that nothing grows.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing grew, and ids came again", "1:a violation"})
final class Endurance implements Callable<Integer> {
    private static final long MEGABYTE = 1 << 20;
    private static final int REPLACED = 2; // a thread, file or connection and its successor may exist at once
    private static final Duration AFTERWARDS = Duration.ofMinutes(2);

    @Option(names = "--minutes", defaultValue = "60", description = "How long the database works.")
    private int minutes;

    @Option(names = "--outage-minutes", defaultValue = "30", description = "How long it does not answer afterwards.")
    private int outageMinutes;

    @Option(names = "--rate", defaultValue = "50000", description = "Ids of each source in a second.")
    private int rate;

    @Mixin
    private final Results results = new Results();

    private final List<Phase> phases = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    /** The samples of a phase, each with the connections that the server has then. */
    private record Phase(String name, Sample begin, List<Sample> samples, List<Long> connections, long lines) {
        Sample end() {
            return samples.get(samples.size() - 1);
        }

        long seconds() {
            return samples.size() * EnduranceProcess.INTERVAL.toSeconds();
        }
    }

    private Endurance() {}

    @Override
    public Integer call() throws Exception {
        Path log = Files.createTempFile("idgen-endurance", ".log");
        try (Database database = TestDatabase.POSTGRESQL.create();
                FaultProxy network = FaultProxy.before(database.url());
                Connection server = database.dataSource().getConnection()) {
            new IdgenSchema(database.dataSource()).create();
            Process process = start(network.url(), log);
            try (BufferedReader samples = process.inputReader()) {
                run("the database answers", Duration.ofMinutes(minutes), samples, server, log);
                network.silence();
                run("nothing arrives", Duration.ofMinutes(outageMinutes).dividedBy(2), samples, server, log);
                network.refuse();
                run("connections are refused", Duration.ofMinutes(outageMinutes).dividedBy(2), samples, server, log);
                network.pass();
                run("it answers again", AFTERWARDS, samples, server, log);
            } finally {
                process.destroyForcibly().waitFor();
            }
            check();
            String page = page(server.getMetaData().getDatabaseProductName() + " "
                    + server.getMetaData().getDatabaseProductVersion());
            results.write("endurance", page);
        }
        if (violations.isEmpty()) {
            Files.delete(log);
            return 0;
        }
        System.out.println("The log is " + log);
        return 1;
    }

    private Process start(String url, Path log) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EnduranceProcess.class.getName(),
                        url,
                        String.valueOf(rate))
                .redirectError(log.toFile())
                .start();
    }

    private void run(String name, Duration duration, BufferedReader lines, Connection server, Path log)
            throws IOException, SQLException {
        Sample begin = phases.isEmpty()
                ? new Sample(0, 0, 0, 0, 0, 0, 0, 0)
                : phases.get(phases.size() - 1).end();
        long linesBefore = count(log);
        List<Sample> samples = new ArrayList<>();
        List<Long> connections = new ArrayList<>();
        for (long left = duration.dividedBy(EnduranceProcess.INTERVAL); left > 0; left--) {
            String line = lines.readLine();
            if (line == null) {
                throw new IllegalStateException("the process has ended; its log is " + log);
            }
            samples.add(Sample.parse(line));
            connections.add(connections(server));
        }
        phases.add(new Phase(name, begin, samples, connections, count(log) - linesBefore));
        System.out.println(name + ": " + samples.get(samples.size() - 1));
    }

    private static long count(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.count();
        }
    }

    private static long connections(Connection server) throws SQLException {
        try (Statement statement = server.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void check() {
        long usual = Sample.Trend.of(phases.get(0).samples, Sample::heap).after();
        for (Phase phase : phases) {
            Sample.Trend heap = Sample.Trend.of(phase.samples, Sample::heap);
            // after the outage, the heap returns to what it was before
            boolean returns = phase == phases.get(phases.size() - 1);
            long before = returns ? Math.max(usual, heap.before()) : heap.before();
            flat(phase, "heap", new Sample.Trend(before, heap.after()), MEGABYTE);
            flat(phase, "number of threads", Sample.Trend.of(phase.samples, Sample::threads), REPLACED);
            flat(phase, "number of files", Sample.Trend.of(phase.samples, Sample::files), REPLACED);
            flat(phase, "number of connections", Sample.Trend.of(phase.connections, Long::longValue), REPLACED);
        }
        Phase first = phases.get(0);
        Phase last = phases.get(phases.size() - 1);
        demand(last.end().falls() == 0, "an id was not above the one before");
        demand(
                first.end().failedLeased() + first.end().failedCounter() == 0,
                "a call failed although the database answered");
        List<Sample> minute = last.samples.subList(last.samples.size() / 2, last.samples.size());
        Sample from = minute.get(0);
        demand(
                last.end().leased() > from.leased() && last.end().counter() > from.counter(),
                "ids did not come again within a minute after the outage");
        demand(
                last.end().failedLeased() == from.failedLeased() && last.end().failedCounter() == from.failedCounter(),
                "calls still failed a minute after the outage");
    }

    private void flat(Phase phase, String what, Sample.Trend trend, long allowed) {
        demand(!trend.grows(allowed), "the " + what + " grew while " + phase.name + ": " + trend);
    }

    private void demand(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }

    private String page(String server) {
        StringBuilder page = Results.page(
                "Endurance",
                "proof/run endurance --minutes=%d --outage-minutes=%d --rate=%d"
                        .formatted(minutes, outageMinutes, rate),
                "; " + server);
        page.append(("One process with a heap of 64 MB generates ids of a leased snowflake and of a `segment`, by one"
                        + " thread each, and renews its lease every second. First its database answers, then nothing"
                        + " arrives in either direction, then connections are refused, then it answers again. A sample"
                        + " is taken every %d s, the heap after a garbage collection. Each cell with an arrow has the"
                        + " greatest value of the second third of a phase, and that of the last third. Growth of more"
                        + " than 1 MB, or of more than %d threads, files or connections, fails the run. Other work ran"
                        + " on the machine.\n\n")
                .formatted(EnduranceProcess.INTERVAL.toSeconds(), REPLACED));
        page.append(
                "| phase | minutes, at least | ids: leased | `segment` | failed calls: leased | `segment` | heap, MB"
                        + " | threads | files and sockets | connections at the server | log lines |\n"
                        + "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        phases.forEach(phase -> page.append("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n"
                .formatted(
                        phase.name,
                        String.format(Locale.ROOT, "%.1f", phase.seconds() / 60.0),
                        Report.number(phase.end().leased() - phase.begin.leased()),
                        Report.number(phase.end().counter() - phase.begin.counter()),
                        Report.number(phase.end().failedLeased() - phase.begin.failedLeased()),
                        Report.number(phase.end().failedCounter() - phase.begin.failedCounter()),
                        megabytes(Sample.Trend.of(phase.samples, Sample::heap)),
                        text(Sample.Trend.of(phase.samples, Sample::threads)),
                        text(Sample.Trend.of(phase.samples, Sample::files)),
                        text(Sample.Trend.of(phase.connections, Long::longValue)),
                        Report.number(phase.lines))));

        page.append("\nIds that were not above the one before of their source, so may repeat: %s.\n"
                .formatted(Report.number(phases.get(phases.size() - 1).end().falls())));
        violations.forEach(each -> page.append("\n**").append(each).append("**\n"));
        return page.toString();
    }

    private static String megabytes(Sample.Trend trend) {
        return String.format(
                Locale.ROOT, "%.1f → %.1f", (double) trend.before() / MEGABYTE, (double) trend.after() / MEGABYTE);
    }

    private static String text(Sample.Trend trend) {
        return trend.before() + " → " + trend.after();
    }
}
