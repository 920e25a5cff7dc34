package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.jdbc.SerialNumbers.Restart;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers for people: the fast form repeats none, and the form in the transaction misses none either. */
@ParameterizedClass
@EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
@Tag("databases")
@Tag("servers")
class SerialNumbersTest {
    private static final String FORMAT = "INV-{date:yyyyMMdd}-{number:6}{check}";

    private static final Path PAGE = Path.of("..", "docs", "serial-numbers.md");

    @Parameter(0)
    TestDatabase kind;

    private final AtomicLong shiftMillis = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final List<SerialNumbers> opened = new ArrayList<>();
    private Database database;

    @BeforeEach
    void open() throws SQLException {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        Sql.execute(database.dataSource(), "CREATE TABLE invoice (number VARCHAR(40) PRIMARY KEY)");
    }

    @AfterEach
    void close() {
        opened.forEach(SerialNumbers::close);
        database.close();
    }

    private SerialNumbers invoices() {
        return invoices("real");
    }

    /** Returns the numbers of one process, on a server with an identity. */
    private SerialNumbers invoices(String server) {
        SerialNumbers numbers = SerialNumbers.of(
                        new Counters(database.dataSource()).identifiedAs(server), "invoice", FORMAT)
                .restart(Restart.DAY)
                .on(new SerialCounters.Time(millis -> millis + shiftMillis.get(), nanos::get));
        opened.add(numbers);
        return numbers;
    }

    /** Moves the clock of the database, which processes read again after a minute. */
    private void pass(Duration time) {
        shiftMillis.addAndGet(time.toMillis());
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
    }

    private String inTransaction(SerialNumbers numbers) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            String number = numbers.next(connection);
            connection.commit();
            return number;
        }
    }

    @Test
    void bothFormsCountEachTenantByItself() throws SQLException {
        SerialNumbers numbers = SerialNumbers.of(new Counters(database.dataSource()), "receipt", "{tenant}-{number:4}");
        opened.add(numbers);

        assertThat(numbers.forTenant("acme").next()).isEqualTo("acme-0001");
        assertThat(numbers.forTenant("zeta").next()).isEqualTo("zeta-0001");
        assertThat(inTransaction(numbers.forTenant("hand"))).isEqualTo("hand-0001");
        assertThat(inTransaction(numbers.forTenant("hand"))).isEqualTo("hand-0002");
        assertThat(numbers.parse("acme-0001").tenant()).isEqualTo("acme");
        assertThatIllegalArgumentException().isThrownBy(numbers::next).withMessageContaining("a tenant is 1 to 40");
    }

    @Test
    void theHourThatIsTwiceInANightBelongsToOneDay() throws SQLException {
        SerialNumbers berlin = SerialNumbers.of(
                        new Counters(database.dataSource()), "night", "{date:yyyyMMddHH}-{number:3}")
                .restart(Restart.DAY)
                .zone(ZoneId.of("Europe/Berlin"));
        AtomicLong now = new AtomicLong();
        SerialNumbers numbers = berlin.on(new SerialCounters.Time(millis -> now.get(), nanos::get));
        opened.add(numbers);

        List<String> taken = new ArrayList<>();
        for (String time : List.of("2026-10-24T22:30:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z")) {
            now.set(Instant.parse(time).toEpochMilli());
            pass(Duration.ZERO);
            taken.add(inTransaction(numbers));
        }

        assertThat(taken).containsExactly("2026102500-001", "2026102502-002", "2026102502-003");
    }

    @Test
    void severalProcessesTakeNarrowNumbersAhead() {
        for (int process = 0; process < 8; process++) {
            SerialNumbers numbers =
                    SerialNumbers.of(new Counters(database.dataSource()), "narrow", "{date:yyyy}-{number:4}");
            opened.add(numbers);
            numbers.next();
        }
    }

    @Test
    void allNumbersOfAWidthAreTakenAndThenNone() throws SQLException {
        SerialNumbers numbers = SerialNumbers.of(new Counters(database.dataSource()), "small", "{number:1}");
        opened.add(numbers);
        for (int i = 1; i <= 9; i++) {
            assertThat(inTransaction(numbers)).isEqualTo(String.valueOf(i));
        }

        assertThatThrownBy(() -> inTransaction(numbers))
                .isInstanceOf(AllocationException.class)
                .hasMessageContainingAll("all numbers of 'small/' up to 9 are used", "widen {number:…}");
        assertThatThrownBy(numbers::next).isInstanceOf(AllocationException.class);
    }

    @Test
    void whatWouldRepeatOrLeaveGapsIsRefused() throws SQLException {
        Counters counters = new Counters(database.dataSource());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumbers.of(counters, "x", "{date:yyyyMM}{number:3}")
                        .restart(Restart.DAY))
                .withMessageContaining("numbers that restart each day need its date in the format");
        try (Connection connection = database.dataSource().getConnection()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> invoices().next(connection))
                    .withMessageContaining("call setAutoCommit(false)");
        }
    }

    /** Under SERIALIZABLE, MariaDB and MySQL lock the place of a row that a transaction has looked for. */
    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void withSnapshotsItTakesTheNumberOrSaysThatTheTransactionIsToBeRepeated(int isolation) throws SQLException {
        SerialNumbers numbers = invoices();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation);
            for (long number = 1; number < 4; number += 2) {
                Sql.rows(connection, "SELECT COUNT(*) FROM invoice"); // takes the snapshot
                if (number > 1) {
                    inTransaction(numbers);
                }
                assertThat(numbers.parse(atTheSecondAttempt(numbers, connection))
                                .number())
                        .isEqualTo(number);
            }
        }
    }

    private static String atTheSecondAttempt(SerialNumbers numbers, Connection connection) throws SQLException {
        String number;
        try {
            number = numbers.next(connection);
        } catch (StoreUnavailableException e) {
            assertThat(e).hasMessageContaining("roll the transaction back and repeat it");
            connection.rollback();
            number = numbers.next(connection);
        }
        connection.commit();
        return number;
    }

    @Test
    void aNameIsNeitherThatOfAnEntityNorOfATenant() throws SQLException {
        Counters counters = new Counters(database.dataSource());
        counters.startingAt(1).allocate("invoice", 5);
        SerialNumbers numbers = SerialNumbers.of(counters, "invoice", "{number:4}");
        opened.add(numbers);

        assertThat(inTransaction(numbers)).isEqualTo("0001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumbers.of(counters, "invoice/acme", "{number:4}"))
                .withMessageContaining("no slash");
    }

    @Test
    void thePageDeletesTheRowsOfOldPeriods() throws Exception {
        Matcher statement = Pattern.compile("DELETE FROM [^;]+").matcher(Files.readString(PAGE));
        assertThat(statement.find()).isTrue();
        for (String row : List.of("20251231", "1/20251231", "20260101", "1/20260101", "", "1/")) {
            Sql.execute(
                    database.dataSource(),
                    "INSERT INTO idgen_counter (name, next_id) VALUES ('invoice/" + row + "', 2)");
        }

        Sql.execute(database.dataSource(), statement.group());

        assertThat(Sql.rows(database.dataSource(), "SELECT name FROM idgen_counter"))
                .containsExactlyInAnyOrder("invoice/20260101", "invoice/1/20260101", "invoice/", "invoice/1/");
    }

    @Test
    void aMissingTableIsReportedWithItsStatement() throws SQLException {
        Sql.execute(database.dataSource(), "DROP TABLE idgen_counter");

        SerialNumbers numbers = invoices();
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> inTransaction(numbers))
                    .isInstanceOf(AllocationException.class)
                    .hasMessageContaining("CREATE TABLE");
        }
    }

    @Test
    void afterATakeoverTheFormInTheTransactionGoesOnWhereTheServerIsAndTheFastFormSkips() throws SQLException {
        long last = invoices("a").parse(inTransaction(invoices("a"))).number();
        assertThat(invoices("b").parse(inTransaction(invoices("b"))).number()).isEqualTo(last + 1);

        assertThat(invoices("b").parse(invoices("c").next()).number()).isGreaterThan(200_000);
    }

    @Test
    void withoutADatabaseTheTimeGoesOnAndIsReadAgainLater() throws SQLException {
        SerialNumbers numbers = invoices();
        String first = numbers.next();
        Sql.execute(database.dataSource(), "ALTER TABLE idgen_counter RENAME TO gone");
        pass(Duration.ofDays(1));
        assertThat(invoices().parse(numbers.next()).dateTime())
                .isEqualTo(invoices().parse(first).dateTime());

        Sql.execute(database.dataSource(), "ALTER TABLE gone RENAME TO idgen_counter");
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(invoices().parse(numbers.next()).dateTime())
                .isEqualTo(invoices().parse(first).dateTime().plusDays(1));
        IntStream.range(0, 3).forEach(i -> numbers.next());
    }
}
