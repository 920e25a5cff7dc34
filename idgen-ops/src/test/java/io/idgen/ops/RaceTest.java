package io.idgen.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** {@code idgen doctor --race}. A database that fails it is in {@code IgniteRaceTest}. */
class RaceTest {
    private static final int CONNECTIONS = 4;
    private static final int ROUNDS = 20;

    private static List<Finding> race(DataSource dataSource) {
        return Doctor.of(new IdgenTables(dataSource), InstantSource.system()).race(CONNECTIONS, ROUNDS);
    }

    private static List<String> tables(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                ResultSet found = connection.getMetaData().getTables(null, null, "%", new String[] {"TABLE"})) {
            List<String> tables = new ArrayList<>();
            while (found.next()) {
                tables.add(found.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
            }
            return tables;
        }
    }

    @Tag("databases")
    @ParameterizedTest
    @EachDatabase
    void theDatabasesThatIdgenSupportsPassAndKeepNoTable(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            List<Finding> findings = race(database.dataSource());

            assertThat(findings).extracting(Finding::level).containsOnly(Level.OK);
            assertThat(findings)
                    .extracting(Finding::text)
                    .contains(
                            "in each of 20 rounds, one of 4 connections changed the row, and the others were told that"
                                    + " they had not",
                            "80 additions gave 80 different numbers");
            assertThat(tables(database.dataSource())).noneMatch(table -> table.contains("race"));
        }
    }

    /** Returns 1 for each update, whatever it changed. */
    private static PreparedStatement lying(PreparedStatement statement) {
        return proxy(PreparedStatement.class, statement, (name, answer) -> name.equals("executeUpdate") ? 1 : answer);
    }

    private interface Change {
        Object of(String method, Object answer);
    }

    private static <T> T proxy(Class<T> type, T target, Change change) {
        return type.cast(Proxy.newProxyInstance(
                RaceTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return change.of(method.getName(), method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void aDatabaseThatTellsSeveralConnectionsThatTheyHaveWonIsWrong() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            DataSource lying = proxy(
                    DataSource.class,
                    database.dataSource(),
                    (of, connection) -> !of.equals("getConnection")
                            ? connection
                            : proxy(
                                    Connection.class,
                                    (Connection) connection,
                                    (name, answer) -> name.equals("prepareStatement")
                                            ? lying((PreparedStatement) answer)
                                            : answer));

            List<Finding> findings = race(lying);

            assertThat(findings)
                    .filteredOn(finding -> finding.level() == Level.WRONG)
                    .singleElement()
                    .extracting(Finding::text)
                    .asString()
                    .startsWith(
                            "in 20 of 20 rounds several connections changed the same row from the same value, up to 4"
                                    + " of 4: ids would repeat");
            assertThat(tables(database.dataSource())).noneMatch(table -> table.contains("race"));
        }
    }

    private interface Failure {
        void of(PreparedStatement comparison) throws SQLException;
    }

    /** Provides connections whose statements that compare and set the row in this round fail. */
    private static DataSource failing(DataSource real, long round, Failure failure) {
        return proxy(
                DataSource.class,
                real,
                (of, connection) -> !of.equals("getConnection")
                        ? connection
                        : proxy(
                                Connection.class,
                                (Connection) connection,
                                (name, answer) -> name.equals("prepareStatement")
                                        ? new FailingStatement((PreparedStatement) answer, round, failure).proxy()
                                        : answer));
    }

    private record FailingStatement(PreparedStatement real, long round, Failure failure) {
        PreparedStatement proxy() {
            boolean[] isInRound = new boolean[1];
            return (PreparedStatement) Proxy.newProxyInstance(
                    RaceTest.class.getClassLoader(),
                    new Class<?>[] {PreparedStatement.class},
                    (self, method, arguments) -> {
                        if (method.getName().equals("setObject") && arguments[0].equals(3)) {
                            isInRound[0] = arguments[1].equals(round);
                        }
                        if (method.getName().equals("executeUpdate") && isInRound[0]) {
                            failure.of(real);
                            throw new SQLException("the answer is lost", "42000");
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    @Test
    void aRoundWhoseStatementsFailIsNotARoundThatNobodyWins() {
        for (Failure failure : List.<Failure>of(comparison -> {}, PreparedStatement::executeUpdate)) {
            try (Database database = TestDatabase.H2.create()) {
                List<Finding> findings = race(failing(database.dataSource(), 5, failure));

                assertThat(findings)
                        .extracting(Finding::level)
                        .containsExactly(Level.OK, Level.OK, Level.OK, Level.WARN, Level.OK);
                assertThat(findings.get(3).text())
                        .startsWith("4 of 160 statements failed, so that the race shows less than it should: ")
                        .contains("the answer is lost");
            }
        }
    }

    @Test
    void aRoundThatNobodyWinsIsWrongUnlessAStatementOfItFailed() {
        Race.Runner runner = new Race.Runner();
        runner.won.add(1);
        runner.numbers.addAll(List.of(2L, 3L));
        assertThat(Race.judge(List.of(runner), 2).get(0).text())
                .startsWith("in 1 of 2 rounds no connection changed the row");

        runner.unknown.add(2);
        assertThat(Race.judge(List.of(runner), 2).get(0).level()).isEqualTo(Level.OK);
    }

    private static List<Finding> judged(List<Long> one, List<Long> other, int failures) {
        Race.Runner first = new Race.Runner();
        Race.Runner second = new Race.Runner();
        first.numbers.addAll(one);
        second.numbers.addAll(other);
        first.won.addAll(List.of(1, 2));
        first.failures = failures;
        return Race.judge(List.of(first, second), 2);
    }

    @Test
    void equalFallingAndMissingNumbersOfACounterAreWrong() {
        assertThat(judged(List.of(2L, 4L), List.of(3L, 5L), 0))
                .as("control")
                .extracting(Finding::level)
                .containsOnly(Level.OK);
        assertThat(judged(List.of(2L, 3L), List.of(3L, 4L), 0).get(1).text())
                .contains("4 additions gave 4 numbers, 3 of them different");
        assertThat(judged(List.of(4L, 2L), List.of(3L, 5L), 0).get(1).text()).contains("a connection saw them fall");
        assertThat(judged(List.of(2L), List.of(3L, 5L), 0).get(1).level()).isEqualTo(Level.WRONG);
        assertThat(judged(List.of(2L), List.of(3L, 5L), 1))
                .extracting(Finding::level)
                .as("a statement that failed is no lost number")
                .containsExactly(Level.OK, Level.OK, Level.WARN);
    }
}
