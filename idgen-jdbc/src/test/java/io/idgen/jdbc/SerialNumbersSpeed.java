package io.idgen.jdbc;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Prints how many invoices threads write per second, with numbers of both forms. Not a test: {@code mvn test -pl
 * idgen-jdbc -am -Dtest=SerialNumbersSpeed -Dtest.databases='POSTGRESQL|MARIADB'
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class SerialNumbersSpeed {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(5);

    @ParameterizedTest
    @EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void print(TestDatabase kind) throws Exception {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(database.dataSource(), "CREATE TABLE invoice (number VARCHAR(40) PRIMARY KEY)");
            try (SerialNumbers fast = numbers(database, "fast");
                    SerialNumbers gapless = numbers(database, "gapless")) {
                for (int threads : new int[] {1, 8, 32}) {
                    System.out.printf(
                            "%s, %d threads: fast %d, without gaps %d invoices per second%n",
                            kind,
                            threads,
                            perSecond(database, threads, connection -> "f" + fast.next()),
                            perSecond(database, threads, connection -> "g" + gapless.next(connection)));
                }
            }
        }
    }

    private static SerialNumbers numbers(Database database, String name) {
        return SerialNumbers.of(new Counters(database.dataSource()), name, "{number:9}");
    }

    private interface Numbers {
        String next(Connection connection);
    }

    private static long perSecond(Database database, int threads, Numbers numbers) throws Exception {
        AtomicLong written = new AtomicLong();
        long end = System.nanoTime() + NANOS;
        Callable<Void> writer = () -> {
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                while (System.nanoTime() < end) {
                    Sql.execute(connection, "INSERT INTO invoice VALUES ('" + numbers.next(connection) + "')");
                    connection.commit();
                    written.incrementAndGet();
                }
            }
            return null;
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<Void>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(pool.submit(writer));
        }
        for (Future<Void> each : running) {
            each.get();
        }
        pool.shutdown();
        return written.get() * TimeUnit.SECONDS.toNanos(1) / NANOS;
    }
}
