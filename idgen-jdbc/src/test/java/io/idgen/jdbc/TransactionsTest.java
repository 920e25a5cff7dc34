package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures and statements of transactions, on a database in this process that is presented as other products. */
class TransactionsTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @AutoClose
    private final Database database = TestDatabase.HSQLDB.create();

    private final List<Integer> pauses = new ArrayList<>();

    private Transactions transactions(DataSource dataSource) {
        return new Transactions(dataSource, TIMEOUT, pauses::add);
    }

    /** Creates work that fails the given number of times. It then returns how often it was run. */
    private static Transactions.Work<Integer> failing(int times, SQLException failure) {
        AtomicInteger done = new AtomicInteger();
        return (connection, dialect) -> {
            if (done.getAndIncrement() < times) {
                throw failure;
            }
            return done.get();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "HSQL Database Engine, 40001, 0",
        "PostgreSQL, 40001, 0",
        "PostgreSQL, 40P01, 0",
        "PostgreSQL, 26000, 0",
        "PostgreSQL, 42P05, 0",
        "MariaDB, 40001, 1213",
        "MySQL, HY000, 1205"
    })
    void whatTheDatabaseHasUndoneIsRepeatedAfterPauses(String product, String state, int code) {
        Transactions transactions = transactions(Wrapped.calledBy(product, database.dataSource()));
        SQLException failure = new SQLException("undone", state, code);

        assertThat(transactions.<Integer>commit("trying", failing(4, failure))).isEqualTo(5);
        assertThat(pauses).containsExactly(1, 2, 3, 4);
    }

    @Test
    void whatFailsAtEachTryIsReportedWithTheirNumber() {
        AllocationException e = assertThrows(
                AllocationException.class,
                () -> transactions(database.dataSource())
                        .commitEach("trying", failing(5, new SQLException("undone", "40001"))));

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(e).hasMessageContaining("trying (5 times) failed: undone (SQL state 40001)");
        assertThat(pauses).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"08006", "58030", "57014", "40003", "55P03"})
    void whatMayHaveBeenDoneOrTakesTimeToPassIsNotRepeated(String state) {
        AllocationException e = assertThrows(
                AllocationException.class,
                () -> transactions(Wrapped.calledBy("PostgreSQL", database.dataSource()))
                        .commit("trying", failing(1, new SQLException("lost", state))));

        assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
        assertThat(e).hasMessageContaining("trying failed: lost");
        assertThat(pauses).isEmpty();
    }

    @Test
    void anInterruptEndsTheTriesAndIsKept() {
        AtomicInteger tries = new AtomicInteger();
        assertThrows(
                AllocationException.class,
                () -> new Transactions(database.dataSource(), TIMEOUT).commit("trying", (connection, dialect) -> {
                    tries.incrementAndGet();
                    Thread.currentThread().interrupt();
                    throw new SQLException("undone", "40001");
                }));

        assertThat(tries).hasValue(1);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aConnectionThatAPoolerHasMixedUpIsThrownAwayAndAnotherOneUsed() throws SQLException {
        List<Connection> used = new ArrayList<>();
        DataSource dataSource = Wrapped.calledBy("PostgreSQL", Wrapped.dataSource(() -> {
            used.add(database.dataSource().getConnection());
            return used.get(used.size() - 1);
        }));
        SQLException mixedUp = new SQLException("prepared statement \"S_1\" already exists", "42P05");

        assertThat(transactions(dataSource).<Integer>commit("trying", failing(1, mixedUp)))
                .isEqualTo(2);
        assertThat(used).hasSize(2);
        assertThat(used.get(0).isClosed()).isTrue();
    }

    /** Creates a data source that replaces {@code setQueryTimeout} by {@code set}. */
    private DataSource queryTimeouts(Consumer<Integer> set) {
        return Wrapped.dataSource(() ->
                Wrapped.wrap(Connection.class, database.dataSource().getConnection(), call -> {
                    Object answer = call.proceed();
                    return answer instanceof PreparedStatement statement
                            ? Wrapped.wrap(PreparedStatement.class, statement, asked -> {
                                if (!asked.is("setQueryTimeout")) {
                                    return asked.proceed();
                                }
                                set.accept((Integer) asked.arguments()[0]);
                                return null;
                            })
                            : answer;
                }));
    }

    @ParameterizedTest
    @CsvSource({"5000, 4", "30000, 29", "2500, 2", "2001, 2", "2000, 1", "1999,", "200,"})
    void eachStatementEndsSoonerThanTheNetworkTimeoutInWholeSeconds(long timeoutMillis, Integer seconds) {
        List<Integer> set = new ArrayList<>();
        Transactions transactions = new Transactions(queryTimeouts(set::add), Duration.ofMillis(timeoutMillis));

        transactions.commit("asking", TransactionsTest::one);
        assertThat(set).isEqualTo(seconds == null ? List.of() : List.of(seconds));
    }

    @Test
    void aDatabaseThatLimitsTheWholeSessionIsNotAskedToLimitAStatement() throws SQLException {
        try (Database h2 = TestDatabase.H2.create();
                Connection connection = h2.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            new Transactions(
                            Wrapped.dataSource(() -> Wrapped.wrap(
                                    Connection.class, connection, call -> call.is("close") ? null : call.proceed())),
                            TIMEOUT)
                    .commit(
                            "asking",
                            (borrowed, dialect) ->
                                    borrowed.prepareStatement("SELECT 1").execute());

            assertThat(statement.getQueryTimeout()).isZero();
        }
    }

    private static Integer one(Connection connection, Dialect dialect) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("VALUES (1)")) {
            statement.execute();
        }
        return 1;
    }
}
