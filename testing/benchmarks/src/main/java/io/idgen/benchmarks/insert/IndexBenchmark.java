package io.idgen.benchmarks.insert;

import io.idgen.benchmarks.Page;
import io.idgen.benchmarks.Table;
import io.idgen.cli.measure.Estimate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.hibernate.StatelessSession;
import org.hibernate.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the effect of a primary key on its table: the time to load it, its size, and the time to find rows. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true,
        description = "Loads orders without lines, a thousand per transaction, and finds them by their ids.")
final class IndexBenchmark implements Callable<Integer> {
    private static final List<Contender> CONTENDERS =
            List.of(Contender.SNOWFLAKE, Contender.IDENTITY, Contender.UUID4, Contender.UUID7);
    private static final int PARTS = 20;
    private static final int PER_TRANSACTION = 1_000;
    private static final int PER_STATEMENT = 50;
    private static final int LOOKUPS = 5_000;

    @Option(
            names = "--database",
            defaultValue = "h2",
            converter = Converters.Kind.class,
            description = "One of ${COMPLETION-CANDIDATES}.")
    private Server server = Server.H2;

    @Option(names = "--rows", defaultValue = "100000", description = "Orders of each contender.")
    private int rows;

    @Mixin
    private Page page = new Page();

    /** The table of a contender, with the results of each part. */
    private static final class Loaded {
        final Unit unit;
        final double[] loadSeconds = new double[PARTS];
        final double[] lookupsPerSecond = new double[PARTS];
        final List<Object> ids = new ArrayList<>();

        Loaded(Unit unit) {
            this.unit = unit;
        }

        void load(int part, int count) {
            long start = System.nanoTime();
            for (int done = 0; done < count; done += PER_TRANSACTION) {
                int some = Math.min(PER_TRANSACTION, count - done);
                unit.inStatelessTransaction(session -> insert(session, some));
            }
            loadSeconds[part] = (System.nanoTime() - start) / 1e9;
        }

        private void insert(StatelessSession session, int count) {
            for (int done = 0; done < count; done += PER_STATEMENT) {
                List<OrderFields> orders = new ArrayList<>();
                for (int i = 0; i < Math.min(PER_STATEMENT, count - done); i++) {
                    orders.add(unit.contender().mapping().newOrder().get());
                }
                session.insertMultiple(orders);
                orders.forEach(order -> ids.add(order.id()));
            }
        }

        void lookUp(int part) {
            Class<? extends OrderFields> type = unit.contender().mapping().order();
            Random random = new Random(part);
            long start = System.nanoTime();
            unit.inStatelessTransaction(session -> {
                for (int i = 0; i < LOOKUPS; i++) {
                    Object id = ids.get(random.nextInt(ids.size()));
                    if (session.get(type, id) == null) {
                        throw new IllegalStateException("the row of " + id + " is gone");
                    }
                }
            });
            lookupsPerSecond[part] = LOOKUPS / ((System.nanoTime() - start) / 1e9);
        }
    }

    @Override
    public Integer call() throws SQLException {
        page.begin("index-" + server.lowerCase());
        InsertBenchmark.quiet();
        Map<Contender, Loaded> all = new EnumMap<>(Contender.class);
        try {
            for (Contender contender : CONTENDERS) {
                Unit.Wiring wiring = new Unit.Wiring(Latency.NONE, 2, Duration.ofSeconds(30), null);
                all.put(contender, new Loaded(new Unit(contender, server, false, wiring)));
            }
            Unit first = all.values().iterator().next().unit;
            page.servedBy(first.serverProcess());
            for (int part = 0; part < PARTS; part++) {
                for (Loaded each : all.values()) {
                    each.load(part, rows / PARTS);
                }
                System.err.printf("loaded %d of %d parts%n", part + 1, PARTS);
            }
            for (int part = 0; part < PARTS; part++) {
                for (Loaded each : all.values()) {
                    each.lookUp(part);
                }
            }
            print(first.describe(), all);
            page.end();
        } finally {
            all.values().forEach(each -> each.unit.close());
        }
        return 0;
    }

    private void print(String database, Map<Contender, Loaded> all) throws SQLException {
        Table table = new Table(
                "A table by its primary key",
                Stream.of("load, s", "× snowflake", "table, MB", "indexes, MB", "lookups/s", "× snowflake"));
        Loaded snowflake = Objects.requireNonNull(all.get(Contender.SNOWFLAKE));
        for (Loaded each : all.values()) {
            double[] size = megabytes(each.unit);
            // not the sum of all times: the first part warms up the JIT compiler
            double seconds = PARTS * Estimate.of(each.loadSeconds).median();
            table.row(
                    each.unit.contender().label(),
                    Stream.of(
                            String.format(Locale.ROOT, "%.1f", seconds),
                            Estimate.ofRatio(each.loadSeconds, snowflake.loadSeconds)
                                    .text(2),
                            String.format(Locale.ROOT, "%.1f", size[0]),
                            String.format(Locale.ROOT, "%.1f", size[1]),
                            String.format(
                                    Locale.ROOT,
                                    "%,.0f",
                                    Estimate.of(each.lookupsPerSecond).median()),
                            Estimate.ofRatio(each.lookupsPerSecond, snowflake.lookupsPerSecond)
                                    .text(2)));
        }
        page.print(List.of(
                "- " + database + "; Hibernate " + Version.getVersionString(),
                "- " + String.format(Locale.ROOT, "%,d", rows) + " orders of each, in " + PARTS
                        + " interleaved parts; ratios are medians over the parts, the 95 % interval in brackets"));
        page.print(table.lines());
    }

    private double[] megabytes(Unit unit) throws SQLException {
        try (Connection connection = unit.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(server.beforeSize());
            try (ResultSet sizes = statement.executeQuery(server.sizeQuery())) {
                sizes.next();
                return new double[] {sizes.getLong(1) / 1e6, sizes.getLong(2) / 1e6};
            }
        }
    }
}
