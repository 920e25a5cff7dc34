package io.idgen.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the example as a user does. */
class OrdersExampleTest {

    @TempDir
    Path folder;

    private record Run(int exitCode, String output) {}

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
        try (Database database = kind.create()) {
            Run run = run(database, "--settings", settings(strategy));

            assertThat(run.exitCode).isZero();
            assertThat(run.output)
                    .contains("input      12 orders, 56 lines")
                    .containsPattern("strategy   " + strategy)
                    .containsPattern("example_orders +12 rows")
                    .containsPattern("The invoice of order 1003 is INV-2\\d{7}-000001\\d, number 1 of")
                    .containsPattern("example_order_lines +56 rows")
                    .containsPattern("example_jdbc_order_lines +56 rows")
                    .contains("Order 1003 with its 10 lines took:")
                    .contains("Hibernate, @SnowflakeId   2 batches,  0 other statements, 1 connection")
                    .contains("plain JDBC, IdSource      2 batches,  0 other statements, 1 connection")
                    .contains("Hibernate, IDENTITY       0 batches, 11 other statements, 1 connection")
                    .doesNotContain(database.password());
        }
    }

    @Test
    void aSecondRunAddsToTheFirst() throws IOException {
        try (Database database = TestDatabase.H2.create()) {
            run(database, "--settings", settings("segment"));

            assertThat(run(database, "--settings", settings("segment")).output)
                    .containsPattern("(?s)-000002\\d.*example_orders +24 rows.*example_order_lines +112 rows");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'1,C,2026-01-01 00:00,NULL', '1,10,cheap,1', 'row 1, field unitPrice'",
        "'1,C,2026-01-01 00:00,NULL', '9999,10,1.00,1', 'row 1, field orderID: no such order'",
        "'1,C', '', 'row 1, field orderDate'"
    })
    void malformedInputStopsWithItsRowAndFieldBeforeAnythingIsWritten(String order, String line, String message)
            throws IOException {
        try (Database database = TestDatabase.H2.create()) {
            Path orders = Files.writeString(
                    folder.resolve("orders.csv"), "orderID,customerID,orderDate,shipCountry\n" + order + "\n");
            Path lines = Files.writeString(
                    folder.resolve("lines.csv"), "orderID,productID,unitPrice,quantity\n" + line + "\n");

            Run run = run(database, "--orders", orders.toString(), "--lines", lines.toString());

            assertThat(run.exitCode).isOne();
            assertThat(run.output).contains("Stopped: " + message).doesNotContain("rows");
        }
    }

    @Test
    void aSettingThatCannotBeRightIsRefused() throws IOException {
        try (Database database = TestDatabase.H2.create()) {
            Path file = Files.writeString(folder.resolve("bad.properties"), "idgen.wroker.id=1");

            Run run = run(database, "--settings", file.toString());

            assertThat(run.exitCode).isOne();
            assertThat(run.output).contains("Stopped: IDGEN-").contains("nearest known are idgen.worker.id");
        }
    }
}
