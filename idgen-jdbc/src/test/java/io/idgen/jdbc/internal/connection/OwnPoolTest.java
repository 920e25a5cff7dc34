package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride.Override;
import com.zaxxer.hikari.pool.HikariPool;
import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OwnPoolTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @AutoClose
    private final Database database = TestDatabase.H2.create();

    @AutoClose
    private final HikariDataSource application = new HikariDataSource();

    private final List<Connection> opened = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    /** Returns a copy of a pool of 20 connections. Counts the calls of its connections that fail. */
    private OwnPool copy() {
        application.setDataSource(Wrapped.dataSource(() -> {
            Connection connection = database.dataSource().getConnection();
            opened.add(connection);
            return Wrapped.wrap(Connection.class, connection, call -> {
                try {
                    return call.proceed();
                } catch (SQLException e) {
                    failures.incrementAndGet();
                    throw e;
                }
            });
        }));
        application.setMaximumPoolSize(20);
        application.setMinimumIdle(10);
        return OwnPool.copyOf(application, TIMEOUT).orElseThrow();
    }

    @Test
    void aCopyOfALargePoolGivesTwoConnectionsAndNoThird() throws SQLException {
        try (OwnPool copy = copy();
                Connection one = copy.getConnection();
                Connection other = copy.getConnection()) {
            assertThat(one.isValid(5) && other.isValid(5)).isTrue();
            assertThat(opened).hasSize(2);
            assertThrows(
                    SQLTransientConnectionException.class,
                    () -> ((HikariPool) copy.getHikariPoolMXBean()).getConnection(250));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatIsBeingOpenedWhenThePoolClosesIsClosed(boolean isReleasedAfterwards) throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        CompletableFuture<Void> release = new CompletableFuture<>();
        application.setDataSource(Wrapped.dataSource(() -> {
            if (!opened.isEmpty()) {
                opening.countDown();
                release.join();
            }
            opened.add(database.dataSource().getConnection());
            return opened.get(opened.size() - 1);
        }));
        OwnPool pool = OwnPool.copyOf(application, TIMEOUT).orElseThrow();
        Connection first = pool.getConnection();
        Thread second =
                new Thread(() -> assertDoesNotThrow(() -> pool.getConnection().close()));
        second.start();
        opening.await();
        first.close();
        second.join();
        Thread closing = new Thread(pool::close);
        closing.start();
        if (isReleasedAfterwards) {
            closing.join();
        }
        release.complete(null);
        closing.join();
        Await.until("two connections that are closed", () -> {
            boolean all = opened.size() == 2;
            for (Connection each : opened) {
                all &= each.isClosed();
            }
            return all;
        });
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:mem:, TRANSACTION_READ_COMMITTED",
        "jdbc:mariadb://localhost/shop, TRANSACTION_READ_COMMITTED",
        "jdbc:postgresql://localhost/shop,"
    })
    void theIsolationIsSetOnceWhereTransactionsCannotSetItThemselves(String url, String isolation) {
        try (OwnPool pool = OwnPool.of(new UrlDataSource(url, "", "", TIMEOUT), TIMEOUT)) {
            assertThat(pool.getTransactionIsolation()).isEqualTo(isolation);
        }
    }

    /** So HikariCP logs neither its start, at each attempt, nor the failure. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatIsDownFailsACallAtOnceAndStartsNoPool(boolean copied) throws Exception {
        String url;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            url = "jdbc:postgresql://localhost:" + free.getLocalPort() + "/shop";
        }
        application.setJdbcUrl(url);
        try (OwnPool pool = copied
                ? OwnPool.copyOf(application, TIMEOUT).orElseThrow()
                : OwnPool.of(new UrlDataSource(url, "", "", TIMEOUT), TIMEOUT)) {
            assertThrows(
                    StoreUnreachableException.class,
                    () -> new Transactions(pool, TIMEOUT).commit("asking", (connection, dialect) -> 1));

            assertThat(pool.getHikariPoolMXBean()).isNull();
        }
    }

    /** HikariCP logs each failure of a connection with a stack trace, so idgen causes none and evicts by itself. */
    @ParameterizedTest
    @ValueSource(strings = {"25006", "08006"})
    void aConnectionToAReadOnlyOrVanishedServerIsEvictedWithoutAWordOfThePool(String state) throws Exception {
        try (OwnPool copy = copy()) {
            SQLException failure = new SQLException("of a test", state);
            assertThrows(
                    AllocationException.class,
                    () -> new Transactions(copy, TIMEOUT).commit("trying", (connection, dialect) -> {
                        throw failure;
                    }));

            Await.until("an evicted connection", () -> opened.get(0).isClosed());
            assertThat(copy.getHikariPoolMXBean().getTotalConnections()).isZero();
            assertThat(failures).hasValue(0);
            assertThat(failure.getSuppressed()).isEmpty();
            assertThat(copy.getExceptionOverride().adjudicate(failure)).isEqualTo(Override.DO_NOT_EVICT);
        }
    }

    @Test
    void aConnectionWhoseStatementIsRefusedStaysInThePool() {
        try (OwnPool copy = copy()) {
            assertThrows(
                    AllocationException.class,
                    () -> new Transactions(copy, TIMEOUT)
                            .commit(
                                    "trying",
                                    (connection, dialect) ->
                                            connection.createStatement().execute("SELECT 1 FROM missing_one")));

            assertThat(copy.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
        }
    }
}
