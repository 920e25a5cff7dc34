package io.idgen.benchmarks.insert;

import io.idgen.benchmarks.Page;
import io.idgen.benchmarks.Table;
import io.idgen.cli.measure.Estimate;
import io.idgen.cli.measure.Rounds;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Generates ids that a statement fetches, without inserts: idgen's, plain JDBC's and Hibernate's. */
@Command(
        name = "sql-ids",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Ids per second of strategies that fetch ids with SQL, without inserts; beside plain JDBC with a"
                + " connection for each thread, and Hibernate's SEQUENCE. PostgreSQL.")
public final class SqlIds implements Callable<Integer> {
    private static final Server SERVER = Server.POSTGRESQL;
    private static final int PER_SESSION = 100;
    private static final String PLAIN_SEQUENCE = "SELECT nextval('plain_seq')";
    private static final String PLAIN_ROW =
            "UPDATE plain SET next_id = next_id + 1 WHERE name = 'orders' RETURNING next_id";

    @Option(names = "--threads", defaultValue = "8", description = "Number of threads, and of connections of the pool.")
    private int threads;

    @Option(names = "--latency", defaultValue = "0.5", description = "Milliseconds added to each round trip.")
    private double latency;

    @Option(names = "--rounds", defaultValue = "6", description = "Slices of each subject.")
    private int rounds;

    @Option(
            names = "--slice",
            defaultValue = "500ms",
            converter = Converters.ShortTime.class,
            description = "The duration of a slice, for example 100ms or 1s.")
    private Duration slice = Duration.ZERO;

    @Mixin
    private Page page = new Page();

    /** A way to fetch ids, and what it is compared with. */
    private enum Subject {
        JDBC_SEQUENCE("JDBC, nextval, a connection for each thread", Contender.ASSIGNED, PLAIN_SEQUENCE, null),
        JDBC_ROW("JDBC, a row, a connection for each thread", Contender.ASSIGNED, PLAIN_ROW, null),
        NATIVE_1("idgen native-sequence (1)", Contender.NATIVE_1, null, JDBC_SEQUENCE),
        SEQUENCE_TABLE("idgen sequence-table", Contender.SEQUENCE_TABLE, null, JDBC_ROW),
        STEPPED("idgen stepped", Contender.STEPPED, null, JDBC_ROW),
        NATIVE_50("idgen native-sequence (50)", Contender.NATIVE_50, null, JDBC_SEQUENCE),
        HIBERNATE_SEQUENCE_1("persist: SEQUENCE (1)", Contender.SEQUENCE_1, null, null),
        HIBERNATE_NATIVE_1("persist: idgen native-sequence (1)", Contender.NATIVE_1, null, HIBERNATE_SEQUENCE_1),
        HIBERNATE_TABLE("persist: idgen sequence-table", Contender.SEQUENCE_TABLE, null, HIBERNATE_SEQUENCE_1),
        HIBERNATE_STEPPED("persist: idgen stepped", Contender.STEPPED, null, HIBERNATE_SEQUENCE_1),
        HIBERNATE_SEQUENCE_50("persist: SEQUENCE (50)", Contender.SEQUENCE_50, null, null),
        HIBERNATE_NATIVE_50("persist: idgen native-sequence (50)", Contender.NATIVE_50, null, HIBERNATE_SEQUENCE_50);

        private final String title;
        private final Contender contender;
        private final @Nullable String sql;
        private final @Nullable Subject peer;

        Subject(String title, Contender contender, @Nullable String sql, @Nullable Subject peer) {
            this.title = title;
            this.contender = contender;
            this.sql = sql;
            this.peer = peer;
        }

        boolean isThroughHibernate() {
            return title.startsWith("persist");
        }
    }

    /** Generates ids on one thread until a time, and returns how many. */
    @FunctionalInterface
    private interface Work {
        long until(long endNanos) throws SQLException;
    }

    /** A subject with its database. */
    private static final class Drawing implements AutoCloseable {
        final Unit unit;
        private final @Nullable IdSources sources;
        private final Work work;

        Drawing(Subject subject, Unit.Wiring wiring) throws SQLException {
            unit = new Unit(subject.contender, SERVER, true, wiring);
            String sql = subject.sql;
            if (sql != null) {
                sources = null;
                execute(
                        "CREATE SEQUENCE plain_seq",
                        "CREATE TABLE plain (name varchar(20) PRIMARY KEY, next_id bigint)");
                execute("INSERT INTO plain VALUES ('orders', 1)");
                work = end -> fetched(sql, end);
            } else if (subject.isThroughHibernate()) {
                sources = null;
                work = this::persisted;
            } else {
                IdSources.Builder settings = IdSources.builder()
                        .settings(subject.contender.settings(), "the contender")
                        .resource(DataSource.class, unit.dataSource())
                        .source(Entities.ORDER);
                if (subject.peer == Subject.JDBC_ROW) {
                    settings.set("idgen.sources." + Entities.ORDER + ".start", "1");
                }
                IdSources opened = settings.build();
                sources = opened;
                IdSource source = opened.get(Entities.ORDER);
                work = end -> {
                    long count = 0;
                    for (; System.nanoTime() - end < 0; count++) {
                        long unused = source.nextId();
                    }
                    return count;
                };
            }
        }

        private void execute(String... statements) throws SQLException {
            try (Connection connection = unit.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            }
        }

        private long fetched(String sql, long end) throws SQLException {
            long count = 0;
            try (Connection connection = unit.dataSource().getConnection();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                for (; System.nanoTime() - end < 0; count++) {
                    try (ResultSet rows = statement.executeQuery()) {
                        rows.next();
                        long unused = rows.getLong(1);
                    }
                }
            }
            return count;
        }

        /** Inserts nothing: the sessions discard the entities. */
        private long persisted(long end) {
            long count = 0;
            while (System.nanoTime() - end < 0) {
                try (Session session = unit.factory().openSession()) {
                    for (int i = 0; i < PER_SESSION && System.nanoTime() - end < 0; i++, count++) {
                        session.persist(unit.contender().mapping().newOrder().get());
                    }
                }
            }
            return count;
        }

        double perSecond(ExecutorService threads, int count, Duration slice) {
            long begin = System.nanoTime();
            long end = begin + slice.toNanos();
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                running.add(threads.submit(() -> work.until(end)));
            }
            long ids = 0;
            for (Future<Long> each : running) {
                try {
                    ids += each.get();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while it measures", e);
                } catch (ExecutionException e) {
                    throw new IllegalStateException("a thread of the benchmark ended", e);
                }
            }
            return ids / ((System.nanoTime() - begin) / 1e9);
        }

        @Override
        public void close() {
            if (sources != null) {
                sources.close();
            }
            unit.close();
        }
    }

    /** Called by picocli. */
    public SqlIds() {}

    @Override
    public Integer call() throws SQLException {
        page.begin("sql-ids");
        InsertBenchmark.quiet();
        Latency network = Latency.calibrated(SERVER, Duration.ofNanos(Math.round(latency * 1e6)));
        Unit.Wiring wiring = new Unit.Wiring(network, threads, Duration.ofSeconds(5), null);
        Map<Subject, Drawing> drawings = new EnumMap<>(Subject.class);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (Subject subject : Subject.values()) {
                drawings.put(subject, new Drawing(subject, wiring));
            }
            Unit first = drawings.values().iterator().next().unit;
            page.servedBy(first.serverProcess());
            page.print(List.of(
                    "- " + first.describe() + "; " + threads + " threads, " + network + " on each round trip: "
                            + Latency.millis(network.measured()) + " ms measured beforehand",
                    "- medians over " + rounds + " rounds of " + slice.toMillis()
                            + " ms each, the 95 % interval in brackets; \"persist\" is Hibernate's, without a flush"));
            Rounds<Subject, Double> measured = Rounds.measure(
                    Arrays.asList(Subject.values()),
                    rounds,
                    0,
                    () -> true,
                    subject -> Objects.requireNonNull(drawings.get(subject)).perSecond(executor, threads, slice));
            print(measured);
        } finally {
            executor.shutdown();
            drawings.values().forEach(Drawing::close);
        }
        page.end();
        return 0;
    }

    private void print(Rounds<Subject, Double> measured) {
        Table table = new Table("Ids by SQL", Stream.of("ids/s", "times as fast as", ""));
        for (Subject subject : Subject.values()) {
            Subject peer = subject.peer;
            table.row(
                    subject.title,
                    Stream.of(
                            String.format(
                                    Locale.ROOT,
                                    "%,.0f",
                                    Estimate.of(rates(measured, subject)).median()),
                            peer == null
                                    ? ""
                                    : Estimate.ofRatio(rates(measured, subject), rates(measured, peer))
                                            .text(2),
                            peer == null ? "" : peer.title));
        }
        page.print(table.lines());
    }

    private static double[] rates(Rounds<Subject, Double> measured, Subject subject) {
        return measured.of(subject).stream().mapToDouble(Double::doubleValue).toArray();
    }
}
