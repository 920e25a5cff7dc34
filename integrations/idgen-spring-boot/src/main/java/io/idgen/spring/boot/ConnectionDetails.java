package io.idgen.spring.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Reads beans of the type {@code JdbcConnectionDetails}, such as those of {@code @ServiceConnection}. The type is in
 * another package in each version of Spring Boot.
 */
final class ConnectionDetails {
    private static final boolean IS_BOOT_4 =
            isPresent("org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails");
    private static final boolean IS_BOOT_3 =
            isPresent("org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails");

    private ConnectionDetails() {}

    /** Returns the URL, user and password as settings of idgen; empty if the bean is of another type. */
    static Optional<Map<String, String>> settings(Object bean) {
        if (IS_BOOT_4) {
            return Boot4.settings(bean);
        }
        return IS_BOOT_3 ? Boot3.settings(bean) : Optional.empty();
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, ConnectionDetails.class.getClassLoader());
    }

    private static Optional<Map<String, String>> settings(
            String url, @Nullable String user, @Nullable String password) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(IdgenDatabase.URL, url);
        if (user != null) {
            settings.put(IdgenDatabase.USER, user);
        }
        if (password != null) {
            settings.put(IdgenDatabase.PASSWORD, password);
        }
        return Optional.of(settings);
    }

    private static final class Boot3 {
        static Optional<Map<String, String>> settings(Object bean) {
            return bean instanceof org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails details
                    ? ConnectionDetails.settings(details.getJdbcUrl(), details.getUsername(), details.getPassword())
                    : Optional.empty();
        }
    }

    private static final class Boot4 {
        static Optional<Map<String, String>> settings(Object bean) {
            return bean instanceof org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails details
                    ? ConnectionDetails.settings(details.getJdbcUrl(), details.getUsername(), details.getPassword())
                    : Optional.empty();
        }
    }
}
