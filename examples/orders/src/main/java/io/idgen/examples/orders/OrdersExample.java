package io.idgen.examples.orders;

import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.Counters;
import io.idgen.jdbc.SerialNumbers;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
            description = "Database user; the password comes from the environment variable " + PASSWORD_VARIABLE + ".")
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
                    if (!(failure instanceof IllegalArgumentException || failure instanceof IdGenerationException)) {
                        throw failure;
                    }
                    out.println();
                    out.println("Stopped: " + failure.getMessage());
                    return 1;
                })
                .execute(arguments);
    }

    @Override
    public Integer call() throws IOException, SQLException {
        List<OrderFiles.Order> input = OrderFiles.read(orders, lines);
        Map<String, String> idgenSettings = idgenSettings();
        Report report = new Report(out);
        try (Database database = new Database(url, user, environment.getOrDefault(PASSWORD_VARIABLE, ""))) {
            database.migrate();
            try (IdSources sources = JdbcOrders.sources(IdSources.builder()
                            .settings(idgenSettings, "the example's settings")
                            .resource(DataSource.class, database.forIdgen()));
                    SerialNumbers references = numbers(database, "order", "ORD-{date:yyyyMMdd}-{number:6}");
                    SerialNumbers invoiceNumbers =
                            numbers(database, "invoice", "INV-{date:yyyyMMdd}-{number:6}{check}");
                    EntityManagerFactory factory = hibernate(database, idgenSettings)) {
                report.beginning(database, input, sources.strategy(JdbcOrders.ORDERS));
                HibernateOrders hibernate = new HibernateOrders(factory, references, invoiceNumbers);
                List<OrderWriter> writers =
                        List.of(hibernate, new JdbcOrders(database.forOrders(), sources), new IdentityOrders(factory));
                OrderFiles.Order example = input.stream()
                        .filter(order -> order.lines().size() == 10)
                        .findFirst()
                        .orElse(input.get(0));
                List<OrderWriter.Written> written = new ArrayList<>();
                Map<String, StatementCounter.Counts> costs = new LinkedHashMap<>();
                for (OrderWriter writer : writers) {
                    for (OrderFiles.Order order : input) {
                        StatementCounter.Counts before =
                                database.ordersCounter().counts();
                        written.add(writer.write(order));
                        if (order == example) {
                            costs.put(
                                    writer.name(),
                                    database.ordersCounter().counts().minus(before));
                        }
                    }
                }
                report.ids(input, written, sources.get(JdbcOrders.ORDERS));
                report.costs(example, costs);
                int billed = input.indexOf(example);
                String number = hibernate.bill(written.get(billed).orderId());
                report.invoice(example, number, invoiceNumbers.parse(number));
                report.end(database);
            }
        }
        return 0;
    }

    private static SerialNumbers numbers(Database database, String name, String format) {
        return SerialNumbers.of(new Counters(database.forIdgen()), name, format).restart(SerialNumbers.Restart.DAY);
    }

    private static EntityManagerFactory hibernate(Database database, Map<String, String> idgenSettings) {
        // under Hibernate, idgen rejects settings of sources that no entity uses
        Map<String, String> ofEntities = new LinkedHashMap<>(idgenSettings);
        ofEntities.keySet().removeIf(key -> key.startsWith("idgen.sources.jdbc-"));
        return new HibernatePersistenceConfiguration("orders")
                .managedClasses(
                        CustomerOrder.class,
                        OrderLine.class,
                        Invoice.class,
                        IdentityOrder.class,
                        IdentityOrderLine.class)
                .properties(ofEntities)
                .property("idgen.jdbc.data-source", database.forIdgen())
                .property("jakarta.persistence.nonJtaDataSource", database.forOrders())
                .property("hibernate.jdbc.batch_size", "50")
                .property("hibernate.order_inserts", "true")
                .createEntityManagerFactory();
    }

    private Map<String, String> idgenSettings() throws IOException {
        Properties properties = new Properties();
        try (Reader reader =
                settings == null ? OrderFiles.resource("/idgen.properties") : Files.newBufferedReader(settings)) {
            properties.load(reader);
        }
        Map<String, String> strings = new LinkedHashMap<>();
        properties.stringPropertyNames().forEach(key -> strings.put(key, properties.getProperty(key)));
        return strings;
    }
}
