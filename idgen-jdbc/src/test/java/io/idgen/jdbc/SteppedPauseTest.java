package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.StoreUnavailableException;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests when a {@link SteppedSequence} retries a database that does not answer. The tests control the time. */
class SteppedPauseTest {
    private final List<Database> databases = List.of(TestDatabase.H2.create(), TestDatabase.H2.create());
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // overflows at once
    private final SteppedSequence.Environment environment =
            new SteppedSequence.Environment(nanos::get, this::run); // a check has ended when the call returns
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Throwable failure;
    private boolean noNewThreads;

    private SteppedSequence sequence;

    @BeforeEach
    void open() {
        databases.forEach(database -> new IdgenSchema(database.dataSource()).create());
        sequence = new SteppedSequence(
                List.of(
                        new Counters(databases.get(0).dataSource()).startingAt(1),
                        new Counters(unreliable(databases.get(1).dataSource())).startingAt(1)),
                environment);
        take(2);
        asked.set(0);
    }

    @AfterEach
    void close() {
        databases.forEach(Database::close);
    }

    private void run(Runnable check) {
        if (noNewThreads) {
            throw new Error("unable to create native thread");
        }
        check.run();
    }

    /** Counts the requests for a connection, and throws the failure that a test has set. */
    private DataSource unreliable(DataSource dataSource) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        asked.incrementAndGet();
                        if (failure != null) {
                            throw failure;
                        }
                    }
                    try {
                        return method.invoke(dataSource, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void take(int times) {
        for (int i = 0; i < times; i++) {
            sequence.allocate("orders", 1);
        }
    }

    private void pass(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    @Test
    void whileItPausesItIsNotAsked() {
        failure = new SQLException("connection refused");
        take(2);
        pass(Duration.ofMillis(4_999));

        take(20);

        assertThat(asked).hasValue(1);
    }

    @Test
    void theCallAfterThePauseCausesOneLookAndIfItAnswersTheDatabaseGivesIdsAgain() {
        failure = new SQLException("connection refused");
        take(2);
        failure = null;
        pass(Duration.ofSeconds(6));

        take(10);

        assertThat(asked.get()).isBetween(1 + 1 + 4, 1 + 1 + 5); // the failure, the check, and every second id
    }

    static List<Throwable> surprises() {
        return List.of(
                new IllegalStateException("a bug of the driver"),
                new NoClassDefFoundError("a class of the driver"),
                new Error("out of memory"));
    }

    @ParameterizedTest
    @MethodSource("surprises")
    void aSurpriseOfTheDriverDuringALookBeginsAnotherPause(Throwable surprise) {
        failure = new SQLException("connection refused");
        take(2);
        failure = surprise;
        pass(Duration.ofSeconds(6));

        take(20);

        assertThat(asked).hasValue(2);
        answersAgain(2);
    }

    /** After one more pause. */
    private void answersAgain(int before) {
        failure = null;
        pass(Duration.ofSeconds(6));
        take(10);
        assertThat(asked.get()).isBetween(before + 1 + 4, before + 1 + 5); // the check, and every second id
    }

    @Test
    void aHostThatAllowsNoNewThreadForAMomentDelaysALookAndNoCallFails() {
        failure = new SQLException("connection refused");
        take(2);
        noNewThreads = true;
        pass(Duration.ofSeconds(6));

        take(20);

        assertThat(asked).hasValue(1);
        noNewThreads = false;
        answersAgain(1);
    }

    @Test
    void whenNoneAnswersOneIsAskedAllTheSame() {
        databases.get(0).close();
        SteppedSequence none = new SteppedSequence(
                List.of(new Counters(unreliable(databases.get(1).dataSource()))), environment);
        failure = new SQLException("connection refused");
        assertThrows(StoreUnavailableException.class, () -> none.allocate("orders", 1));
        int before = asked.get();

        assertThrows(StoreUnavailableException.class, () -> none.allocate("orders", 1));

        assertThat(asked).hasValue(before + 1);
    }
}
