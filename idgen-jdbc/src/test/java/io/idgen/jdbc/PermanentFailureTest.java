package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.config.IdSources;
import java.lang.reflect.Proxy;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures to connect that do not pass by waiting. Callers would wait for an hour, and get them at once. */
@Timeout(60)
class PermanentFailureTest {

    private static IdSources to(String url, String strategy) {
        return IdSources.builder()
                .set("idgen.strategy", strategy)
                .set("idgen.acquire-timeout", "1h")
                .set("idgen.worker.acquire-timeout", "1h")
                .set("idgen.sources.orders.start", "1")
                .set("idgen.jdbc.url", url)
                .build();
    }

    private static void assertAtOnce(String url, String strategy, String words) {
        try (IdSources sources = to(url, strategy)) {
            assertThatThrownBy(() -> sources.get("orders").nextId())
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(words)
                    .hasStackTraceContaining(StoreUnreachableException.class.getName());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "snowflake"})
    void aUrlWithoutADriver(String strategy) {
        assertAtOnce("jdbc:postgres://localhost/shop", strategy, "No suitable driver");
    }

    /** MySQL's driver throws this before it sends the password; its state is that of a broken connection. */
    @ParameterizedTest
    @ValueSource(strings = {"segment", "snowflake"})
    void aPublicKeyThatTheDriverMayNotFetch(String strategy) throws SQLException {
        String text = "Public Key Retrieval is not allowed";
        failing(
                new SQLNonTransientConnectionException(text, "08001"),
                () -> assertAtOnce("jdbc:refusing:shop", strategy, text));
    }

    @Test
    void anExpiredPassword() throws SQLException {
        String text = "Your password has expired. To log in you must change it using a client that supports expired"
                + " passwords.";
        failing(new SQLException(text, "HY000", 1862), () -> assertAtOnce("jdbc:refusing:shop", "segment", text));
    }

    private static void failing(SQLException failure, Runnable test) throws SQLException {
        Driver driver = (Driver) Proxy.newProxyInstance(
                PermanentFailureTest.class.getClassLoader(),
                new Class<?>[] {Driver.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "connect" -> {
                            if (arguments[0].toString().startsWith("jdbc:refusing:")) {
                                throw failure;
                            }
                            return null;
                        }
                        case "equals" -> {
                            return proxy == arguments[0];
                        }
                        case "hashCode" -> {
                            return 1;
                        }
                        default -> {
                            return null;
                        }
                    }
                });
        DriverManager.registerDriver(driver);
        try {
            test.run();
        } finally {
            DriverManager.deregisterDriver(driver);
        }
    }
}
