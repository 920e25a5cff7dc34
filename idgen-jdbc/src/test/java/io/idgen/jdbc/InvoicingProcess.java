package io.idgen.jdbc;

import io.idgen.jdbc.SerialNumbers.Restart;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.testing.Sql;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A child process that writes invoices until its input ends, in turn with a number of each form: without gaps, in a
 * transaction that is sometimes rolled back; ahead; and at the beginning those of the controls.
 */
final class InvoicingProcess {
    static final String READY = "ready";
    static final String START = "start";
    static final String MIDNIGHT = "midnight";

    /** How many midnights pass. The first day is that many days ago, because the clock of a server is not set. */
    static final int MIDNIGHTS = 3;

    /** The largest number of controls in a process, because their query is slow in a large table. */
    private static final int CONTROLS = 100;

    private static final String FORMAT = "INV-{date:yyyyMMdd}-{number:9}{check}";

    private InvoicingProcess() {}

    /** Returns numbers, whose database has a clock that shows an earlier day until all midnights have passed. */
    static SerialNumbers numbers(DataSource database, String name, AtomicInteger midnights) {
        return SerialNumbers.of(new Counters(database), name, FORMAT)
                .restart(Restart.DAY)
                .on(new SerialCounters.Time(
                        millis -> millis
                                - Duration.ofDays(MIDNIGHTS - midnights.get()).toMillis(),
                        () -> System.nanoTime()
                                + Duration.ofMinutes(2L * midnights.get()).toNanos()));
    }

    /** Begins after a line. The arguments are a JDBC URL, the number of the process, and how many midnights were. */
    @SuppressWarnings("resource") // it ends with the process
    public static void main(String[] arguments) throws Exception {
        DataSource database = new UrlDataSource(arguments[0], "", "", Duration.ofSeconds(30));
        int process = Integer.parseInt(arguments[1]);
        AtomicInteger midnights = new AtomicInteger(Integer.parseInt(arguments[2]));
        SerialNumbers gapless = numbers(database, "gapless", midnights);
        SerialNumbers ahead = numbers(database, "ahead", midnights);
        Counters sequence = new Counters(database).startingAt(1).onDemand();
        Random random = new Random(process);
        System.out.println(READY);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        input.readLine();
        Thread clock = new Thread(() -> count(input, midnights));
        clock.start();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (int n = 1; clock.isAlive(); n++) {
                insert(connection, "gapless", gapless.next(connection), process, n);
                end(connection, random);
                insert(connection, "ahead", ahead.next(), process, n);
                connection.commit();
                if (n <= CONTROLS) {
                    insert(
                            connection,
                            "sequence",
                            sequence.allocate("control", 1).first(),
                            process,
                            n);
                    end(connection, random);
                    String largest = Sql.rows(connection, "SELECT COALESCE(MAX(number), 0) FROM largest")
                            .get(0);
                    insert(connection, "largest", Long.parseLong(largest) + 1, process, n);
                    connection.commit();
                }
            }
        }
        gapless.close();
        ahead.close();
    }

    private static void count(BufferedReader input, AtomicInteger midnights) {
        try {
            while (input.readLine() != null) {
                midnights.incrementAndGet();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void insert(Connection connection, String table, Object number, int process, int n)
            throws SQLException {
        Sql.execute(connection, "INSERT INTO " + table + " VALUES ('" + number + "', " + process + ", " + n + ")");
    }

    private static void end(Connection connection, Random random) throws SQLException {
        if (random.nextInt(5) == 0) {
            connection.rollback();
        } else {
            connection.commit();
        }
    }
}
