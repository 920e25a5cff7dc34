package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.text.SerialNumber;
import java.io.IOException;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Processes that are killed at any moment and replaced, while midnights pass. The table of the invoices is the truth.
 * The properties {@code serials.processes} and {@code serials.numbers} change how many there are.
 */
@Tag("databases")
@Tag("servers")
class SerialNumbersProcessesTest {
    private static final int PROCESSES = Integer.getInteger("serials.processes", 4);
    private static final int NUMBERS = Integer.getInteger("serials.numbers", 800);
    private static final int KILLS_A_DAY = Integer.getInteger("serials.kills", 1);

    private final List<ChildJvm> running = new ArrayList<>();
    private final Random random = new Random(59);
    private int started;

    private void start(Database database, int midnights) throws IOException {
        running.add(ChildJvm.start(
                InvoicingProcess.class, List.of(database.url(), String.valueOf(++started), String.valueOf(midnights))));
    }

    /** Kills a process while it works, and starts another one. */
    private void replaceOne(Database database, int midnights) throws IOException {
        try (ChildJvm one = running.remove(random.nextInt(running.size()))) {
            one.signal("KILL"); // fails if the process has ended by itself
        }
        start(database, midnights);
        running.get(running.size() - 1).tell(InvoicingProcess.START);
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void inTheTransactionNoNumberIsMissingAndInBothFormsNoneIsTwice(TestDatabase kind) throws Exception {
        try (Database database = kind.createShared()) {
            new IdgenSchema(database.dataSource()).create();
            for (String table : List.of("gapless", "ahead", "sequence", "largest")) {
                String type = table.equals("gapless") || table.equals("ahead") ? "VARCHAR(40)" : "BIGINT";
                Sql.execute(
                        database.dataSource(), "CREATE TABLE " + table + " (number " + type + ", process INT, n INT)");
            }
            try {
                write(database);
            } finally {
                running.forEach(ChildJvm::close);
            }

            byDay(database, "gapless")
                    .forEach((day, numbers) -> assertThat(numbers.stream().sorted())
                            .as("%s", day)
                            .containsExactlyElementsOf(LongStream.rangeClosed(1, numbers.size())
                                    .boxed()
                                    .toList()));
            byDay(database, "ahead")
                    .forEach((day, numbers) -> assertThat(numbers).doesNotHaveDuplicates());
            assertThatTheyRise(
                    Sql.rows(database.dataSource(), "SELECT process, number FROM ahead ORDER BY process, n"));
            assertThat(Sql.number(database.dataSource(), "SELECT MAX(number) - COUNT(*) FROM sequence"))
                    .as("missing in the control")
                    .isPositive();
            assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) - COUNT(DISTINCT number) FROM largest"))
                    .as("repeated in the control")
                    .isPositive();
        }
    }

    private void write(Database database) throws Exception {
        for (int i = 0; i < PROCESSES; i++) {
            start(database, 0);
        }
        for (ChildJvm each : running) {
            each.awaits(InvoicingProcess.READY);
        }
        for (ChildJvm each : running) {
            each.tell(InvoicingProcess.START);
        }
        for (int midnights = 0; midnights <= InvoicingProcess.MIDNIGHTS; midnights++) {
            int dayEnd = (midnights + 1) * NUMBERS / (InvoicingProcess.MIDNIGHTS + 1);
            for (int kill = 0; kill < KILLS_A_DAY; kill++) {
                awaitInvoices(
                        database,
                        dayEnd - random.nextInt(dayEnd - midnights * NUMBERS / (InvoicingProcess.MIDNIGHTS + 1)));
                replaceOne(database, midnights);
            }
            awaitInvoices(database, dayEnd);
            for (ChildJvm each : running) {
                if (midnights < InvoicingProcess.MIDNIGHTS) {
                    each.tell(InvoicingProcess.MIDNIGHT);
                } else {
                    each.endInput();
                }
            }
        }
        for (ChildJvm each : running) {
            each.awaitsEnd();
        }
    }

    private static void awaitInvoices(Database database, int count) throws Exception {
        try (var connection = database.dataSource().getConnection()) {
            Await.until(
                    count + " invoices",
                    () -> Long.parseLong(Sql.rows(connection, "SELECT COUNT(*) FROM gapless")
                                    .get(0))
                            >= count);
        }
    }

    private static Map<LocalDate, List<Long>> byDay(Database database, String table) throws SQLException {
        SerialNumbers parser = InvoicingProcess.numbers(database.dataSource(), table, new AtomicInteger());
        Map<LocalDate, List<Long>> days = new TreeMap<>();
        for (String text : Sql.rows(database.dataSource(), "SELECT number FROM " + table)) {
            SerialNumber number = parser.parse(text);
            days.computeIfAbsent(number.dateTime().toLocalDate(), day -> new ArrayList<>())
                    .add(number.number());
        }
        // one more if the day of the server's clock changes during the test
        assertThat(days).hasSizeBetween(InvoicingProcess.MIDNIGHTS + 1, InvoicingProcess.MIDNIGHTS + 2);
        System.out.printf("%s: %s%n", database.kind(), table);
        days.forEach((day, numbers) -> System.out.printf(
                "  %s: %,d numbers, the largest is %,d%n",
                day, numbers.size(), numbers.stream().mapToLong(n -> n).max().orElseThrow()));
        return days;
    }

    /** Numbers of a process rise, as texts of one width. */
    private static void assertThatTheyRise(List<String> processesAndNumbers) {
        for (int i = 1; i < processesAndNumbers.size(); i++) {
            String[] before = processesAndNumbers.get(i - 1).split(" \\| ");
            String[] after = processesAndNumbers.get(i).split(" \\| ");
            if (before[0].equals(after[0])) {
                assertThat(after[1].substring(0, after[1].length() - 1)).isGreaterThan(before[1]);
            }
        }
    }
}
