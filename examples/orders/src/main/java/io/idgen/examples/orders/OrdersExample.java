package io.idgen.examples.orders;

import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes orders with their lines in three ways, and prints the SQL traffic of each. */
@Command(
        name = "orders",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Inserts orders with their lines, ids first: through Hibernate with @SnowflakeId, through plain JDBC,"
                        + " and through Hibernate with IDENTITY for comparison. -Didgen.strategy=segment selects another strategy.")
public final class OrdersExample implements Callable<Integer> {
    private static final String PASSWORD_VARIABLE = "ORDERS_DB_PASSWORD";

    @Option(
            names = "--orders",
            description = "CSV with orderID, customerID, orderDate, shipCountry; a sample if not given.")
    private @Nullable Path orders;

    @Option(names = "--lines", description = "CSV with orderID, productID, unitPrice, quantity; a sample if not given.")
    private @Nullable Path lines;

    @Option(names = "--settings", description = "Properties with idgen's settings; the example's own if not given.")
    private @Nullable Path settings;

    @Option(
            names = "--url",
            defaultValue = "jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1",
            description = "JDBC URL, for example jdbc:postgresql://localhost/shop; H2 in memory if not given.")
    private String url = "";

    @Option(
            names = "--user",
            defaultValue = "",
            description = "Database user; the password comes from " + PASSWORD_VARIABLE + " or a prompt.")
    private String user = "";

    private final PrintStream out;
    private final Map<String, String> environment;

    OrdersExample(PrintStream out, Map<String, String> environment) {
        this.out = out;
        this.environment = environment;
    }

    /**
     * Runs the example. Exit code 1 after a failure, 2 for wrong arguments.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        Logger.getLogger("").setLevel(Level.WARNING); // log lines about starting would hide the example's output
        int exitCode = run(System.out, System.getenv(), arguments);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    static int run(PrintStream out, Map<String, String> environment, String... arguments) {
        return new CommandLine(new OrdersExample(out, environment))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (!isExplained(failure)) {
                        throw failure;
                    }
                    out.println();
                    out.println("Stopped: " + failure.getMessage());
                    return 1;
                })
                .execute(arguments);
    }

    /** Returns whether the message is enough for a user, without a stack trace. */
    private static boolean isExplained(Exception failure) {
        return failure instanceof InputException || failure instanceof IdGenerationException;
    }

    @Override
    public Integer call() throws IOException, SQLException {
        OrderFiles input = OrderFiles.read(file(orders, "orders.csv"), file(lines, "order-lines.csv"));
        Map<String, String> idgenSettings = idgenSettings();
        Report report = new Report(out);
        try (Database database = new Database(url, user, password())) {
            database.migrate();
            try (IdSources sources = JdbcOrders.sources(IdSources.builder()
                            .settings(idgenSettings, "the example's settings")
                            .resource(DataSource.class, database.forIdgen()));
                    EntityManagerFactory factory = hibernate(database, idgenSettings)) {
                String strategy = sources.strategy(JdbcOrders.ORDERS);
                SnowflakeLayout layout =
                        sources.get(JdbcOrders.ORDERS) instanceof Snowflake snowflake ? snowflake.layout() : null;
                Map<String, String> facts = new LinkedHashMap<>();
                facts.put("database", database.description());
                facts.put(
                        "input",
                        "%,d orders, %,d lines".formatted(input.orders().size(), input.lines()));
                facts.put("strategy", layout == null ? strategy : strategy + ", layout " + layout);
                report.beginning(facts);

                Map<OrderWriter, Tally> tallies = new LinkedHashMap<>();
                tallies.put(new HibernateOrders(factory, database.ordersCounter()), new Tally());
                tallies.put(new JdbcOrders(database.forOrders(), database.ordersCounter(), sources), new Tally());
                tallies.put(new IdentityOrders(factory), new Tally());
                write(input.orders(), tallies, database.ordersCounter());

                Tally first = tallies.values().iterator().next();
                report.ids(first, layout);
                report.costs(tallies);
                report.idgen(database.idgenCounter().counts(), 2L * (first.orders() + first.lines()));
                report.check(database);
            }
        }
        return 0;
    }

    private void write(List<OrderFiles.Order> input, Map<OrderWriter, Tally> tallies, StatementCounter counter) {
        try (Progress progress = new Progress(out, input.size(), Terminal.isThere())) {
            for (OrderFiles.Order order : input) {
                tallies.forEach((writer, tally) -> {
                    StatementCounter.Counts before = counter.counts();
                    OrderWriter.Written written = writer.write(order);
                    tally.add(new Tally.Transaction(
                            order.number(), written, counter.counts().minus(before)));
                });
                progress.step();
            }
        }
    }

    private static EntityManagerFactory hibernate(Database database, Map<String, String> idgenSettings) {
        // under Hibernate, idgen rejects settings of sources that no entity uses
        Map<String, String> ofEntities = new LinkedHashMap<>(idgenSettings);
        ofEntities.keySet().removeIf(key -> key.startsWith("idgen.sources.jdbc-"));
        return new HibernatePersistenceConfiguration("orders")
                .managedClasses(CustomerOrder.class, OrderLine.class, IdentityOrder.class, IdentityOrderLine.class)
                .properties(ofEntities)
                .property("idgen.jdbc.data-source", database.forIdgen())
                .property("jakarta.persistence.nonJtaDataSource", database.forOrders())
                .property("hibernate.jdbc.batch_size", "50")
                .property("hibernate.order_inserts", "true")
                .createEntityManagerFactory();
    }

    private Map<String, String> idgenSettings() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = settings == null ? resource("/idgen.properties") : Files.newBufferedReader(settings)) {
            properties.load(reader);
        }
        Map<String, String> strings = new LinkedHashMap<>();
        properties.stringPropertyNames().forEach(key -> strings.put(key, properties.getProperty(key)));
        return strings;
    }

    private String password() {
        String given = environment.get(PASSWORD_VARIABLE);
        if (given != null) {
            return given;
        }
        return user.isEmpty() || !Terminal.isThere() ? "" : Terminal.askForPassword(user);
    }

    private static OrderFiles.File file(@Nullable Path path, String sample) {
        return new OrderFiles.File() {
            @Override
            public Reader open() throws IOException {
                return path == null ? resource("/sample/" + sample) : Files.newBufferedReader(path);
            }

            @Override
            public String name() {
                return path == null ? "sample/" + sample : path.toString();
            }
        };
    }

    private static Reader resource(String name) {
        return new InputStreamReader(
                Objects.requireNonNull(OrdersExample.class.getResourceAsStream(name), name), StandardCharsets.UTF_8);
    }
}
