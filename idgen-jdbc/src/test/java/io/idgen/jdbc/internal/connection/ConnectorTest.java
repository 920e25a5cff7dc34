package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A data source that does not answer. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectorTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final CountDownLatch answers = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final Connector connector = new Connector(() -> {
        asked.incrementAndGet();
        await(answers);
        return connection();
    });

    @AfterEach
    void answer() {
        answers.countDown();
    }

    private static void await(CountDownLatch latch) throws SQLException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }

    private Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.countDown();
                    }
                    return null;
                });
    }

    @Test
    void aDataSourceThatHangsIsGivenUp() {
        SQLTimeoutException e = assertThrows(SQLTimeoutException.class, () -> connector.connect(SHORT));

        assertThat(e.getMessage()).isEqualTo("no connection within 50 ms");
        assertThat(e.getSQLState()).isEqualTo("08001");
    }

    @Test
    void whileItHangsNoSecondThreadFollowsTheFirst() {
        while (asked.get() == 0) { // on a busy machine, its thread begins late
            assertThrows(SQLTimeoutException.class, () -> connector.connect(SHORT));
        }
        for (int i = 0; i < 5; i++) {
            assertThrows(SQLTimeoutException.class, () -> connector.connect(SHORT));
        }

        assertThat(asked).hasValue(1);
    }

    @Test
    void aConnectionThatComesTooLateIsClosedAndTheNextOneUsed() throws Exception {
        assertThrows(SQLTimeoutException.class, () -> connector.connect(SHORT));
        answers.countDown();

        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(connector.connect(Duration.ofSeconds(20))).isNotNull();
        assertThat(asked).hasValue(2);
    }
}
