package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the proxy of the other tests interrupts the network as requested, and restores it. */
@Timeout(60)
class FaultProxyTest {
    private Database database;
    private FaultProxy network;

    @BeforeEach
    void open() {
        database = TestDatabase.POSTGRESQL.create();
        network = FaultProxy.before(database.url());
    }

    @AfterEach
    void close() {
        network.close();
        database.close();
    }

    private Connection connection() throws SQLException {
        return DriverManager.getConnection(network.url());
    }

    private static int one(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void passesEverythingOnAndCountsRequests() throws SQLException {
        try (Connection connection = connection()) {
            long before = network.requests();

            assertThat(one(connection)).isEqualTo(1);
            assertThat(one(connection)).isEqualTo(1);
            assertThat(network.requests() - before).isEqualTo(2);
        }
    }

    @Test
    void aStatementOfManyPacketsIsOneRequest() throws SQLException {
        String longComment = "/*" + "x".repeat(1_000_000) + "*/";
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            network.delay(Duration.ofMillis(1));
            long before = network.requests();

            statement.execute("SELECT 1 " + longComment);

            assertThat(network.requests() - before).isEqualTo(1);
        }
    }

    @Test
    void refusingCutsWhatIsOpenAndLetsNobodyIn() throws SQLException {
        try (Connection connection = connection()) {
            network.refuse();

            assertThrows(SQLException.class, () -> one(connection));
            assertThrows(SQLException.class, () -> connection().close());
        }
        network.pass();
        try (Connection again = connection()) {
            assertThat(one(again)).isEqualTo(1);
        }
    }

    @Test
    void whatIsSaidIntoTheSilenceIsAnsweredAfterIt() throws Exception {
        try (Connection connection = connection()) {
            network.silence();
            long before = network.requests();
            FutureTask<Integer> answer = new FutureTask<>(() -> one(connection));
            new Thread(answer).start();
            Await.until("the question is asked", () -> network.requests() > before);
            assertThat(answer).isNotDone();

            network.pass();

            assertThat(answer.get()).isEqualTo(1);
        }
    }

    @Test
    void whoeverHasNotThePatienceGetsNothingOutOfTheSilence() throws SQLException {
        try (Connection connection = connection()) {
            network.silence();
            connection.setNetworkTimeout(Runnable::run, 100);

            assertThrows(SQLException.class, () -> one(connection));
        }
    }

    @Test
    void aDelayIsThatOfEachRequest() throws SQLException {
        try (Connection connection = connection()) {
            network.delay(Duration.ofMillis(50));
            long before = System.nanoTime();
            one(connection);
            one(connection);

            assertThat(System.nanoTime() - before)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());
        }
    }

    @Test
    void anEatenAnswerClosesTheConnectionAndTheRequestHasTakenEffect() throws SQLException {
        try (Connection direct = DriverManager.getConnection(database.url());
                Connection connection = connection();
                Statement statement = connection.createStatement();
                Statement counting = direct.createStatement()) {
            counting.execute("CREATE TABLE counted (number INT)");
            completeLogin(connection);
            network.eatAnswers();

            assertThrows(SQLException.class, () -> statement.execute("INSERT INTO counted VALUES (1)"));
            assertThat(count(counting)).isEqualTo(1);
            assertThat(network.swallowed()).isEqualTo(1);
        }
    }

    @Test
    void aRepeatedRequestTakesEffectTwiceAndHasOneAnswer() throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE counted (number INT)");
            completeLogin(connection);
            network.repeatRequests();

            statement.execute("INSERT INTO counted VALUES (1)");
            assertThat(count(statement)).isEqualTo(2);
            assertThat(network.swallowed()).isEqualTo(1);
        }
    }

    /** The proxy passes the first answers of a connection, because a login cannot be repeated. */
    private static void completeLogin(Connection connection) throws SQLException {
        for (int i = 0; i < 8; i++) {
            one(connection);
        }
    }

    private static int count(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM counted")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
