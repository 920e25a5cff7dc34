package io.idgen.benchmarks.insert;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.benchmarks.Page;
import io.idgen.benchmarks.Table;
import io.idgen.cli.measure.Estimate;
import io.idgen.cli.measure.Rounds;
import io.idgen.hibernate.ReadAheadOptimizer;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import java.sql.Connection;
import java.sql.SQLException;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.Version;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how long {@code persist} waits for the sequence, with Hibernate's pooled optimizer and with read-ahead. */
@Command(
        name = "read-ahead",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true,
        description =
                "Inserts one row per transaction with ids from a sequence in blocks of 50, and prints how long persist"
                        + " waits. PostgreSQL. The defaults take four minutes.")
public final class ReadAheadBenchmark implements Callable<Integer> {
    /** How many round trips a fetch takes, with the work of the driver and the server. What takes longer is a stall. */
    private static final double FETCH = 1.5;

    @Option(names = "--threads", split = ",", defaultValue = "8,64", description = "Numbers of threads that insert.")
    private List<Integer> threads = List.of();

    @Option(
            names = "--latency",
            split = ",",
            defaultValue = "0.5,5",
            description = "Milliseconds added to each round trip, above 0.")
    private List<Double> latencies = List.of();

    @Option(
            names = "--rounds",
            defaultValue = "6",
            description = "Slices of each contender; at least 6 for a confidence of 95 %%.")
    private int rounds;

    @Option(
            names = "--slice",
            defaultValue = "2s",
            converter = Converters.ShortTime.class,
            description = "The duration of a slice, for example 500ms or 2s.")
    private Duration slice = Duration.ZERO;

    @Mixin
    private Page page = new Page();

    /** Called by picocli. */
    public ReadAheadBenchmark() {}

    private enum Optimizing {
        STOCK("Hibernate's pooled optimizer", Ticket.class),
        READ_AHEAD("ReadAheadOptimizer", Ticket.class),
        /** The baseline: what the machine and the scheduler alone do to a call. */
        ASSIGNED("application-assigned", AssignedTicket.class);

        private final String label;
        private final Class<?> entity;

        Optimizing(String label, Class<?> entity) {
            this.label = label;
            this.entity = entity;
        }
    }

    /** The table of Hibernate's optimizer and of read-ahead, which share its sequence. */
    @Entity(name = "Ticket")
    static class Ticket {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "ticket")
        @SequenceGenerator(name = "ticket", sequenceName = "ticket_seq")
        @Nullable
        Long id;
    }

    /** The table of the baseline. */
    @Entity(name = "AssignedTicket")
    static class AssignedTicket {
        private static final AtomicLong LAST = new AtomicLong();

        @Id
        long id = LAST.incrementAndGet();
    }

    /** The waits of one contender in one slice. */
    private record Waits(double perSecond, long[] sortedNanos) {
        double per10000Above(double nanos) {
            return 10_000.0
                    * Arrays.stream(sortedNanos).filter(each -> each > nanos).count()
                    / sortedNanos.length;
        }

        double millisAt(double quantile) {
            return sortedNanos[(int) (quantile * (sortedNanos.length - 1))] / 1e6;
        }
    }

    @Override
    public Integer call() throws SQLException {
        page.begin("read-ahead");
        InsertBenchmark.quiet();
        boolean isFirst = true;
        for (double millis : latencies) {
            Latency latency = Latency.calibrated(Server.POSTGRESQL, Duration.ofNanos(Math.round(millis * 1e6)));
            for (int count : threads) {
                measure(latency, count, isFirst);
                isFirst = false;
            }
        }
        page.end();
        return 0;
    }

    private void measure(Latency latency, int count, boolean isFirst) throws SQLException {
        Map<Optimizing, SessionFactory> factories = new EnumMap<>(Optimizing.class);
        ExecutorService inserting = Executors.newFixedThreadPool(count);
        try (Database database = Server.POSTGRESQL.create(true);
                FaultProxy network = latency.before(database);
                HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(Server.POSTGRESQL.dataSource(network.url(), database));
            pool.setMaximumPoolSize(count);
            if (isFirst) {
                begin(pool);
            }
            for (Optimizing each : Optimizing.values()) {
                factories.put(each, boot(each, pool));
            }
            Rounds<Optimizing, Waits> measured = Rounds.measure(
                    factories.keySet(),
                    rounds,
                    0,
                    () -> true,
                    each -> waits(Objects.requireNonNull(factories.get(each)), each, inserting, count));
            page.print(table(latency, count, measured).lines());
            factories.values().forEach(SessionFactory::close);
        } finally {
            inserting.shutdown();
        }
    }

    private void begin(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            page.servedBy(Server.POSTGRESQL.process(connection));
            page.print(List.of("- " + Server.describe(connection) + "; Hibernate " + Version.getVersionString()));
        }
        page.print(List.of("- one row per transaction, blocks of 50 ids, a connection for each thread. "
                + Table.medianOf(rounds, "slices of " + slice.toMillis() + " ms")));
    }

    private static SessionFactory boot(Optimizing optimizing, HikariDataSource pool) {
        HibernatePersistenceConfiguration configuration = new HibernatePersistenceConfiguration(optimizing.label)
                .managedClasses(optimizing.entity)
                .property("jakarta.persistence.nonJtaDataSource", pool)
                .property("hibernate.hbm2ddl.auto", "update");
        if (optimizing == Optimizing.READ_AHEAD) {
            configuration.property("hibernate.id.optimizer.pooled.preferred", ReadAheadOptimizer.class.getName());
        }
        return configuration.createEntityManagerFactory();
    }

    private Waits waits(SessionFactory factory, Optimizing optimizing, ExecutorService inserting, int count) {
        long begin = System.nanoTime();
        List<Future<long[]>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(inserting.submit(() -> waitsOfOneThread(factory, optimizing)));
        }
        long[] all = running.stream()
                .flatMapToLong(each -> LongStream.of(result(each)))
                .sorted()
                .toArray();
        return new Waits(all.length * 1e9 / (System.nanoTime() - begin), all);
    }

    private long[] waitsOfOneThread(SessionFactory factory, Optimizing optimizing) {
        LongStream.Builder waits = LongStream.builder();
        long end = System.nanoTime() + slice.toNanos();
        while (System.nanoTime() < end) {
            factory.inTransaction(session -> {
                Object row = optimizing == Optimizing.ASSIGNED ? new AssignedTicket() : new Ticket();
                long before = System.nanoTime();
                session.persist(row);
                waits.add(System.nanoTime() - before);
            });
        }
        return waits.build().toArray();
    }

    private static long[] result(Future<long[]> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it measures", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a thread of the benchmark ended", e);
        }
    }

    private static Table table(Latency latency, int count, Rounds<Optimizing, Waits> measured) {
        double roundTrip = latency.wanted().toNanos();
        Table table = new Table(
                count + " threads, " + latency + " per round trip",
                Stream.of(
                        "ids/s",
                        "× Hibernate's",
                        "waits over 0.5 round trips, per 10,000 ids",
                        "stalls over " + FETCH + " round trips, per 10,000 ids",
                        "p99.9 of persist, ms"));
        for (Optimizing each : Optimizing.values()) {
            table.row(
                    each.label,
                    Stream.of(
                            String.format(
                                    Locale.ROOT,
                                    "%,.0f",
                                    Estimate.of(figures(measured, each, Waits::perSecond))
                                            .median()),
                            Estimate.ofRatio(
                                            figures(measured, each, Waits::perSecond),
                                            figures(measured, Optimizing.STOCK, Waits::perSecond))
                                    .text(2),
                            Estimate.of(figures(measured, each, waits -> waits.per10000Above(roundTrip / 2)))
                                    .text(1),
                            Estimate.of(figures(measured, each, waits -> waits.per10000Above(roundTrip * FETCH)))
                                    .text(1),
                            Estimate.of(figures(measured, each, waits -> waits.millisAt(0.999)))
                                    .text(2)));
        }
        return table;
    }

    private static double[] figures(
            Rounds<Optimizing, Waits> measured, Optimizing optimizing, ToDoubleFunction<Waits> figure) {
        return measured.of(optimizing).stream().mapToDouble(figure).toArray();
    }
}
