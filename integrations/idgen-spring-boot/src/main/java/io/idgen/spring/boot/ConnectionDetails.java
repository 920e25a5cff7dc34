package io.idgen.spring.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.util.ClassUtils;

/**
 * Reads beans of the type {@code JdbcConnectionDetails}, such as those of {@code @ServiceConnection}. The type is in
 * another package in each version of Spring Boot, so this class reads their properties by name.
 */
final class ConnectionDetails {
    private static final Map<String, String> PROPERTIES =
            Map.of("jdbcUrl", IdgenDatabase.URL, "username", IdgenDatabase.USER, "password", IdgenDatabase.PASSWORD);

    private ConnectionDetails() {}

    /** Returns the URL, user and password as settings of idgen; empty if the bean is of another type. */
    static Optional<Map<String, String>> settings(Object bean) {
        if (Stream.of(ClassUtils.getAllInterfaces(bean))
                .noneMatch(type -> type.getSimpleName().equals("JdbcConnectionDetails"))) {
            return Optional.empty();
        }
        BeanWrapper details = PropertyAccessorFactory.forBeanPropertyAccess(bean);
        Map<String, String> settings = new LinkedHashMap<>();
        PROPERTIES.forEach((property, setting) -> {
            if (details.getPropertyValue(property) instanceof String text) {
                settings.put(setting, text);
            }
        });
        return Optional.of(settings);
    }
}
