package io.idgen.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the example as a user does. */
class OrdersExampleTest {

    @TempDir
    Path folder;

    private record Run(int exitCode, String output) {}

    /** The warnings that a user would see between the lines of the example. */
    private static final class Warnings extends Handler implements AutoCloseable {
        private static final Logger ALL = Logger.getLogger("");

        final List<String> texts = new CopyOnWriteArrayList<>();

        Warnings() {
            setLevel(Level.WARNING);
            ALL.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            if (isLoggable(line)) {
                texts.add(new SimpleFormatter().formatMessage(line));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            ALL.removeHandler(this);
        }
    }

    private static Run run(Database database, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--url", database.plainUrl(), "--user", database.user()));
        all.addAll(List.of(arguments));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        int exitCode = OrdersExample.run(
                new PrintStream(printed, true, StandardCharsets.UTF_8),
                Map.of("ORDERS_DB_PASSWORD", database.password()),
                all.toArray(String[]::new));
        return new Run(exitCode, printed.toString(StandardCharsets.UTF_8));
    }

    private String settings(String strategy) throws IOException {
        String own = new String(
                OrdersExample.class.getResourceAsStream("/idgen.properties").readAllBytes(), StandardCharsets.UTF_8);
        return Files.writeString(
                        folder.resolve("idgen.properties"),
                        own.replace("idgen.strategy=snowflake", "idgen.strategy=" + strategy))
                .toString();
    }

    static Stream<Arguments> strategiesAndDatabases() {
        return Stream.of("snowflake", "segment")
                .flatMap(strategy ->
                        Stream.of(TestDatabase.H2, TestDatabase.POSTGRESQL).map(kind -> Arguments.of(strategy, kind)));
    }

    @ParameterizedTest
    @MethodSource("strategiesAndDatabases")
    void theSampleGoesInAndTheReportTellsWhatItCost(String strategy, TestDatabase kind) throws IOException {
        try (Database database = kind.create();
                Warnings warnings = new Warnings()) {
            Run run = run(database, "--settings", settings(strategy));

            assertThat(run.exitCode).isZero();
            assertThat(warnings.texts).isEmpty();
            assertThat(run.output)
                    .contains("input      12 orders, 56 lines")
                    .containsPattern("strategy   " + strategy)
                    .containsPattern("example_orders +12 rows,  example_order_lines +56 rows,  0 lines without")
                    .containsPattern(
                            "example_jdbc_orders +12 rows,  example_jdbc_order_lines +56 rows,  0 lines without")
                    .containsPattern(
                            "Hibernate, @SnowflakeId \\| +12 \\| +56 \\| +2.00 \\| +0.00 \\| +1.00 \\| +0 statements")
                    .contains("Order 1003 with its 10 lines took:")
                    .contains("Hibernate, @SnowflakeId   2 batches,  0 other statements, 1 connection")
                    .contains("plain JDBC, IdSource      2 batches,  0 other statements, 1 connection")
                    .contains("Hibernate, IDENTITY       0 batches, 11 other statements, 1 connection")
                    .doesNotContain(database.password());
        }
    }

    @ParameterizedTest
    @Tag("matrix")
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aSecondRunAddsToTheFirst(TestDatabase kind) throws IOException {
        try (Database database = kind.create()) {
            run(database, "--settings", settings("segment"));
            Run second = run(database, "--settings", settings("segment"));

            assertThat(second.exitCode).isZero();
            assertThat(second.output)
                    .containsPattern("example_orders +24 rows,  example_order_lines +112 rows,  0 lines");
        }
    }

    @Test
    void snowflakesAreTakenApart() throws IOException {
        try (Database database = TestDatabase.H2.create()) {
            assertThat(run(database, "--settings", settings("snowflake")).output)
                    .containsPattern(
                            "order 1001 +\\| \\d{18} \\| 20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+Z \\| +0 \\| +0 \\| +\\d+");
        }
    }

    @Test
    @Tag("matrix")
    void longInputGoesInWholeAndShowsItsProgress() throws IOException {
        try (Database database = TestDatabase.H2.create()) {
            Run run = run(
                    database,
                    "--orders",
                    file(
                            "orders.csv",
                            "orderID,customerID,orderDate,shipCountry",
                            830,
                            i -> i + ",C,2026-01-01 00:00,NULL"),
                    "--lines",
                    file(
                            "lines.csv",
                            "orderID,productID,unitPrice,quantity",
                            2155,
                            i -> (i - 1) % 830 + 1 + ",1,2.50,3"));

            assertThat(run.output)
                    .contains("830 of 830 orders")
                    .containsPattern("example_orders +830 rows,  example_order_lines +2,155 rows,  0 lines without");
        }
    }

    @Test
    @Tag("matrix")
    void aMalformedFieldStopsWithFileLineAndFieldAndItsWholeOrderIsRolledBack() throws Exception {
        try (Database database = TestDatabase.H2.create()) {
            Path lines = Files.writeString(folder.resolve("lines.csv"), """
                    orderID,productID,unitPrice,quantity
                    1,10,1.00,1
                    2,10,1.00,1
                    2,11,cheap,1
                    """);
            Run run = run(
                    database,
                    "--orders",
                    file(
                            "orders.csv",
                            "orderID,customerID,orderDate,shipCountry",
                            3,
                            i -> i + ",C,2026-01-01 00:00,NULL"),
                    "--lines",
                    lines.toString());

            assertThat(run.exitCode).isOne();
            assertThat(run.output).contains("Stopped: " + lines + ", line 4, field unitPrice: 'cheap' is not a number");
            assertThat(numbers(database, "SELECT order_number FROM example_orders"))
                    .containsExactly(1L);
            assertThat(numbers(database, "SELECT COUNT(*) FROM example_order_lines"))
                    .containsExactly(1L);
        }
    }

    @Test
    void aMissingFieldStopsWithFileLineAndField() throws Exception {
        try (Database database = TestDatabase.H2.create()) {
            Path orders = Files.writeString(folder.resolve("orders.csv"), """
                    orderID,customerID,orderDate,shipCountry
                    1,,2026-01-01 00:00,NULL
                    """);
            Path noLines = Files.writeString(folder.resolve("lines.csv"), "orderID,productID,unitPrice,quantity\n");
            Path shortOrders = Files.writeString(folder.resolve("short.csv"), """
                    orderID,customerID,orderDate,shipCountry
                    1,C
                    """);

            assertThat(run(database, "--orders", orders.toString(), "--lines", noLines.toString()).output)
                    .contains("Stopped: " + orders + ", line 2, field customerID: is missing");
            assertThat(run(database, "--orders", shortOrders.toString(), "--lines", noLines.toString()).output)
                    .contains("Stopped: " + shortOrders + ", line 2, field orderDate: is missing");
        }
    }

    @Test
    void aLineWithoutItsOrderIsRefusedBeforeAnythingIsWritten() throws Exception {
        try (Database database = TestDatabase.H2.create()) {
            Path lines = Files.writeString(folder.resolve("lines.csv"), """
                    orderID,productID,unitPrice,quantity
                    9999,10,1.00,1
                    """);
            assertThat(run(database, "--lines", lines.toString()).output)
                    .contains("Stopped: " + lines
                            + ", line 2, field orderID: there is no order 9999 in sample/orders.csv");
        }
    }

    @ParameterizedTest
    @MethodSource("badSettings")
    void settingsThatCannotBeRightAreRefusedAtTheStart(String setting, String message) throws IOException {
        try (Database database = TestDatabase.H2.create()) {
            Path file = Files.writeString(folder.resolve("bad.properties"), setting);

            Run run = run(database, "--settings", file.toString());

            assertThat(run.exitCode).isOne();
            assertThat(run.output).contains("Stopped: IDGEN-").contains(message);
        }
    }

    static Stream<Arguments> badSettings() {
        return Stream.of(
                Arguments.of("idgen.worker.id=32", "worker id 32 does not fit in 5 bits (0..31)"),
                Arguments.of(
                        "idgen.strategy=segmnt", "no strategy is called 'segmnt'; known are native-sequence, segment,"),
                Arguments.of(
                        "idgen.wroker.id=1",
                        "no setting is called idgen.wroker.id; the nearest known are idgen.worker.id"),
                Arguments.of("idgen.snowflake.layout=41-5-5-13", "sum to 64, not 63"),
                Arguments.of("idgen.snowflake.epoch=2024-01-01T00:00:00", "an epoch is an instant with its zone"),
                Arguments.of("idgen.worker.id=1\nidgen.snowflake.epoch=2999-01-01T00:00:00Z", "is in the future"));
    }

    private String file(String name, String header, int rows, IntFunction<String> row) throws IOException {
        List<String> lines = new ArrayList<>(List.of(header));
        IntStream.rangeClosed(1, rows).mapToObj(row).forEach(lines::add);
        return Files.write(folder.resolve(name), lines).toString();
    }

    private static List<Long> numbers(Database database, String sql) throws SQLException {
        return Sql.rows(database.dataSource(), sql).stream().map(Long::valueOf).toList();
    }
}
