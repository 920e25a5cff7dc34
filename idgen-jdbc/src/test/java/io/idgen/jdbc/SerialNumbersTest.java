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
import io.idgen.text.SerialNumber;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Numbers for people: the fast form repeats none, and the form in the transaction misses none either. */
@ParameterizedClass
@EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
@Tag("databases")
@Tag("servers")
class SerialNumbersTest {
    private static final String FORMAT = "INV-{date:yyyyMMdd}-{number:6}{check}";
    private static final int PROCESSES = 8;

    /** How many numbers each process takes. */
    private static final int EACH = Integer.getInteger("serials.each", 150);

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
                .on(new SerialNumbers.Time(millis -> millis + shiftMillis.get(), nanos::get));
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

    /** Runs several processes at the same time, while two midnights pass. */
    private void overTwoMidnights(Process process) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(PROCESSES);
        try {
            for (int day = 0; day < 3; day++) {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < PROCESSES; i++) {
                    SerialNumbers numbers = invoices();
                    Random random = new Random(day * 100L + i);
                    running.add(threads.submit(() -> {
                        for (int n = 0; n < EACH; n++) {
                            process.take(numbers, random);
                        }
                        return null;
                    }));
                }
                pass(Duration.ofDays(1)); // at any moment of these
                for (Future<?> each : running) {
                    each.get();
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private interface Process {
        void take(SerialNumbers numbers, Random random) throws SQLException;
    }

    @Test
    void inTheTransactionNoNumberIsMissingOrTwiceAlthoughSomeAreRolledBackOrCutOff() throws Exception {
        overTwoMidnights((numbers, random) -> {
            int fate = random.nextInt(10);
            Connection connection = database.dataSource().getConnection();
            try {
                connection.setAutoCommit(false);
                Sql.execute(connection, "INSERT INTO invoice VALUES ('" + numbers.next(connection) + "')");
                if (fate == 0) {
                    connection.abort(Runnable::run); // as a process that is killed
                } else if (fate < 3) {
                    connection.rollback();
                } else {
                    connection.commit();
                }
            } finally {
                connection.close();
            }
        });

        Map<LocalDate, List<Long>> found = byDay(Sql.rows(database.dataSource(), "SELECT number FROM invoice"));
        assertThat(found).hasSizeBetween(3, 4);
        found.forEach((day, numbers) -> assertThat(numbers.stream().sorted())
                .as("%s", day)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, numbers.size()).boxed().toList()));
    }

    @Test
    void theFastFormRepeatsNoneAndRisesInEachProcess() throws Exception {
        ConcurrentLinkedQueue<String> all = new ConcurrentLinkedQueue<>();
        Map<SerialNumbers, String> last = new ConcurrentHashMap<>();

        overTwoMidnights((numbers, random) -> {
            String next = numbers.next();
            String before = last.put(numbers, next);
            assertThat(next).isGreaterThan(before == null ? "" : before);
            all.add(next);
        });

        assertThat(all).hasSize(3 * PROCESSES * EACH).doesNotHaveDuplicates();
        assertThat(byDay(List.copyOf(all)))
                .hasSizeBetween(3, 4)
                .allSatisfy((day, numbers) -> assertThat(numbers.stream().min(Long::compare))
                        .hasValueSatisfying(first -> assertThat(first).isLessThan(1_000)));
    }

    private Map<LocalDate, List<Long>> byDay(List<String> texts) {
        Map<LocalDate, List<Long>> days = new TreeMap<>();
        for (String text : texts) {
            SerialNumber number = invoices().parse(text);
            days.computeIfAbsent(number.dateTime().toLocalDate(), day -> new ArrayList<>())
                    .add(number.number());
        }
        return days;
    }

    @Test
    void controlsMissNumbersOrRepeatThem() throws SQLException {
        Counters sequence = new Counters(database.dataSource()).startingAt(1).onDemand();
        sequence.allocate("control", 1); // and its transaction is rolled back
        assertThat(sequence.allocate("control", 1).first()).as("1 is missing").isEqualTo(2);

        String largest = "SELECT COALESCE(MAX(CAST(number AS DECIMAL(10))), 0) + 1 FROM invoice";
        try (Connection one = database.dataSource().getConnection();
                Connection other = database.dataSource().getConnection()) {
            one.setAutoCommit(false);
            other.setAutoCommit(false);
            assertThat(Sql.rows(one, largest)).as("the same number twice").isEqualTo(Sql.rows(other, largest));
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
        SerialNumbers numbers = berlin.on(new SerialNumbers.Time(millis -> now.get(), nanos::get));
        opened.add(numbers);

        List<String> taken = new ArrayList<>();
        for (String time : List.of("2026-10-24T22:30:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z")) {
            now.set(Instant.parse(time).toEpochMilli());
            taken.add(inTransaction(numbers));
        }

        assertThat(taken).containsExactly("2026102500-001", "2026102502-002", "2026102502-003");
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
                .hasMessageContainingAll("all numbers of 'small' up to 9 are used", "widen {number:…}");
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

    @Test
    void withSnapshotsItTakesTheNumberOrSaysThatTheTransactionIsToBeRepeated() throws SQLException {
        SerialNumbers numbers = invoices();
        inTransaction(numbers);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            Sql.rows(connection, "SELECT COUNT(*) FROM invoice"); // takes the snapshot
            String other = inTransaction(numbers);
            try {
                assertThat(numbers.next(connection)).isGreaterThan(other);
                connection.commit();
            } catch (StoreUnavailableException e) {
                assertThat(e).hasMessageContaining("roll the transaction back and repeat it");
                connection.rollback();
            }
        }
        assertThat(invoices().parse(inTransaction(numbers)).number()).isBetween(3L, 4L);
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
