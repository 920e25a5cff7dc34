package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.util.ClassUtils;

/** Tests the settings that connection details become, in the version of Spring Boot on the class path. */
class ConnectionDetailsSettingsTest {
    private static Object details(@Nullable String user, @Nullable String password) {
        String where = SpringBootVersion.getVersion().startsWith("3.") ? "autoconfigure.jdbc" : "jdbc.autoconfigure";
        Class<?> type =
                ClassUtils.resolveClassName("org.springframework.boot." + where + ".JdbcConnectionDetails", null);
        return Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getJdbcUrl" -> "jdbc:postgresql://container/shop";
                    case "getUsername" -> user;
                    case "getPassword" -> password;
                    default -> null;
                });
    }

    @Test
    void theLoginComesWithTheUrl() {
        assertThat(ConnectionDetails.settings(details("shop", "secret")))
                .hasValue(Map.of(
                        "idgen.jdbc.url", "jdbc:postgresql://container/shop",
                        "idgen.jdbc.user", "shop",
                        "idgen.jdbc.password", "secret"));
    }

    @Test
    void aLoginThatTheDetailsDoNotHaveStaysOut() {
        assertThat(ConnectionDetails.settings(details(null, null)))
                .hasValue(Map.of("idgen.jdbc.url", "jdbc:postgresql://container/shop"));
    }

    @Test
    void anotherBeanHasNoConnectionDetails() {
        assertThat(ConnectionDetails.settings("a text")).isEmpty();
    }
}
