package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads orders with their lines from CSV files and inserts them, with each strategy. Prints the cost of each strategy,
 * and writes it to a file in {@code target/orders}.
 */
class OrdersTest {
    /**
     * The folder with Microsoft's Northwind data from {@code -Dnorthwind=}; if empty, the sample of
     * {@code examples/orders}.
     */
    private static final Optional<Path> NORTHWIND =
            Optional.ofNullable(System.getProperty("northwind")).map(Path::of);

    private static final Path SAMPLE = Path.of("..", "examples", "orders", "src", "main", "resources", "sample");

    private static final int BATCH_SIZE = 10;

    private static final String ALL = "select o.number, o.customer, o.country, l.product, l.price, l.quantity"
            + " from OrderLine l join l.customerOrder o";

    private static final List<String> COSTS = new ArrayList<>();

    private static List<CSVRecord> orders;
    private static Map<Integer, List<CSVRecord>> linesByOrder;

    @Entity(name = "CustomerOrder")
    @Table(name = "customer_orders")
    static class CustomerOrder {
        @Id
        @SnowflakeId
        Long id;

        int number;
        String customer;
        String country;

        @OneToMany(mappedBy = "customerOrder", cascade = CascadeType.PERSIST)
        List<OrderLine> lines = new ArrayList<>();

        CustomerOrder() {}

        CustomerOrder(CSVRecord row, List<CSVRecord> lineRows) {
            number = number(row);
            customer = row.get("customerID");
            country = row.get("shipCountry");
            lineRows.forEach(lineRow -> lines.add(new OrderLine(this, lineRow)));
        }
    }

    @Entity(name = "OrderLine")
    @Table(name = "customer_order_lines")
    static class OrderLine {
        @Id
        @SnowflakeId
        Long id;

        @ManyToOne(optional = false)
        CustomerOrder customerOrder;

        int product;

        @Column(precision = 12, scale = 2)
        BigDecimal price;

        int quantity;

        OrderLine() {}

        OrderLine(CustomerOrder customerOrder, CSVRecord row) {
            this.customerOrder = customerOrder;
            product = Integer.parseInt(row.get("productID"));
            price = new BigDecimal(row.get("unitPrice"));
            quantity = Integer.parseInt(row.get("quantity"));
        }
    }

    private enum Strategy {
        SNOWFLAKE("snowflake", Map.of("idgen.worker.assigner", "jdbc")),
        SEGMENT("segment", Map.of()),
        SEQUENCE_TABLE("sequence-table", Map.of()),
        STEPPED("stepped", Map.of("idgen.stepped.instance", "2", "idgen.stepped.instances", "3")),
        NATIVE_SEQUENCE(
                "native-sequence",
                Map.of(
                        "idgen.sources.CustomerOrder.increment",
                        "50",
                        "idgen.sources.CustomerOrder.value-is",
                        "first",
                        "idgen.sources.OrderLine.increment",
                        "50",
                        "idgen.sources.OrderLine.value-is",
                        "first"));

        private final String setting;
        private final Map<String, String> more;

        Strategy(String setting, Map<String, String> more) {
            this.setting = setting;
            this.more = more;
        }
    }

    @BeforeAll
    static void read() throws IOException {
        orders = rows(NORTHWIND.orElse(SAMPLE).resolve("orders.csv"));
        linesByOrder =
                rows(NORTHWIND
                                .map(folder -> folder.resolve("order-details.csv"))
                                .orElse(SAMPLE.resolve("order-lines.csv")))
                        .stream()
                        .collect(Collectors.groupingBy(OrdersTest::number));
    }

    private static List<CSVRecord> rows(Path file) throws IOException {
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .setNullString("NULL")
                .get();
        return format.parse(Files.newBufferedReader(file)).getRecords();
    }

    private static int number(CSVRecord row) {
        return Integer.parseInt(row.get("orderID"));
    }

    static Stream<Strategy> strategies() {
        return Stream.of(Strategy.values())
                .filter(strategy -> strategy != Strategy.NATIVE_SEQUENCE || Run.hasSequences());
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void everyOrderCostsTheBatchesOfItsLinesAndOneAndNothingElse(Strategy strategy) throws SQLException {
        AtomicInteger ofIdgen = new AtomicInteger();
        try (Database database = Run.createDatabase();
                HikariDataSource ofOrders = pool(database);
                HikariDataSource ofIds = pool(database);
                Unit unit = boot(strategy, ofOrders, counted(ofIds, ofIdgen))) {
            createWhatIdsComeFrom(database);
            Map<Long, Integer> numbersByOrderId = new HashMap<>();
            Map<Long, Integer> numbersByLineId = new HashMap<>();
            int batches = 0;
            long startNanos = System.nanoTime();
            for (CSVRecord row : orders) {
                CustomerOrder order = new CustomerOrder(row, linesByOrder.get(number(row)));
                unit.resetCounts();

                unit.persist(order);

                assertThat(unit.batches.get())
                        .as("batches of order %d with its %d lines", order.number, order.lines.size())
                        .isEqualTo(1 + (order.lines.size() + BATCH_SIZE - 1) / BATCH_SIZE);
                assertThat(unit.statements.get()).as("other statements").isZero();
                batches += unit.batches.get();
                numbersByOrderId.put(order.id, order.number);
                order.lines.forEach(line -> numbersByLineId.put(line.id, order.number));
            }
            double seconds = (System.nanoTime() - startNanos) / 1e9;

            assertThat(read(unit, "select o.id, o.number from CustomerOrder o"))
                    .hasSameSizeAs(orders)
                    .containsExactlyInAnyOrderElementsOf(pairs(numbersByOrderId));
            assertThat(read(unit, "select l.id, l.customerOrder.number from OrderLine l"))
                    .hasSize(lines())
                    .containsExactlyInAnyOrderElementsOf(pairs(numbersByLineId));
            assertThat(read(unit, ALL)).containsExactlyInAnyOrderElementsOf(expected());
            COSTS.add("| %s | %s | %d | %d | %d | 0 | %d | %.1f |"
                    .formatted(Run.name(), strategy.setting, orders.size(), lines(), batches, ofIdgen.get(), seconds));
        }
    }

    private static HikariDataSource pool(Database database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database.dataSource());
        pool.setMaximumPoolSize(2);
        return pool;
    }

    private static DataSource counted(DataSource dataSource, AtomicInteger statements) {
        return ProxyDataSourceBuilder.create(dataSource)
                .afterQuery((execution, queries) -> statements.incrementAndGet())
                .build();
    }

    private static Unit boot(Strategy strategy, DataSource ofOrders, DataSource ofIds) {
        Unit.Builder builder = Unit.of(CustomerOrder.class, OrderLine.class)
                .counted(ofOrders)
                .set("hibernate.jdbc.batch_size", BATCH_SIZE)
                .set("idgen.jdbc.data-source", ofIds)
                .set("idgen.acquire-timeout", "1m")
                .set("idgen.strategy", strategy.setting);
        strategy.more.forEach(builder::set);
        return builder.boot();
    }

    private static void createWhatIdsComeFrom(Database database) throws SQLException {
        new IdgenSchema(database.dataSource()).create();
        if (!Run.hasSequences()) {
            return;
        }
        for (String entity : List.of("CustomerOrder", "OrderLine")) {
            Sql.execute(database.dataSource(), "CREATE SEQUENCE " + entity + "_seq START WITH 1 INCREMENT BY 50");
        }
    }

    /** Returns the joined rows of both files, as {@link #ALL} selects them. */
    private static List<List<Object>> expected() {
        List<List<Object>> all = new ArrayList<>();
        for (CSVRecord row : orders) {
            CustomerOrder order = new CustomerOrder(row, linesByOrder.get(number(row)));
            for (OrderLine line : order.lines) {
                all.add(values(order.number, order.customer, order.country, line.product, line.price, line.quantity));
            }
        }
        return all;
    }

    private static List<List<Object>> pairs(Map<Long, Integer> numbersById) {
        return numbersById.entrySet().stream()
                .map(entry -> values(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static List<List<Object>> read(Unit unit, String hql) {
        return unit.factory()
                .fromTransaction(session -> session.createSelectionQuery(hql, Object[].class).getResultList().stream()
                        .map(OrdersTest::values)
                        .toList());
    }

    /** Returns a list that can contain null. */
    private static List<Object> values(Object... values) {
        return new ArrayList<>(Arrays.asList(values));
    }

    private static int lines() {
        return linesByOrder.values().stream().mapToInt(List::size).sum();
    }

    @AfterAll
    static void print() throws IOException {
        List<String> table = new ArrayList<>(List.of(
                "| Hibernate, database | strategy | orders | lines | batches | other statements | idgen's statements | s |",
                "|---|---|---|---|---|---|---|---|"));
        table.addAll(COSTS);
        table.forEach(System.out::println);
        Path folder = Files.createDirectories(Path.of("target", "orders"));
        Files.write(folder.resolve(Run.name() + ".md"), table);
    }
}
