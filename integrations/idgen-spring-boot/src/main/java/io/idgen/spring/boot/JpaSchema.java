package io.idgen.spring.boot;

import java.util.Map;
import java.util.Optional;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The schema of the entities, as the settings {@code spring.jpa.properties} name it. idgen's tables are in the same
 * schema as without the starter, so that processes with and without it use the same rows.
 */
final class JpaSchema {
    static final String SETTING = "idgen.jdbc.schema";
    static final String ORIGIN = "spring.jpa.properties";

    private static final String SCHEMA = "hibernate.default_schema";
    private static final String CATALOG = "hibernate.default_catalog";

    private JpaSchema() {}

    /**
     * Returns the schema of the properties below {@value #ORIGIN}; see {@link #of(Map, IdgenSettings, IdgenDatabase)}.
     */
    static Optional<String> of(Environment environment, IdgenSettings settings, IdgenDatabase database) {
        Map<String, String> properties = Binder.get(environment)
                .bind(ORIGIN, Bindable.mapOf(String.class, String.class))
                .orElse(Map.of());
        return of(properties, settings, database);
    }

    /**
     * Returns {@code hibernate.default_schema}, or else {@code hibernate.default_catalog}, which MariaDB and MySQL use.
     * If that is not the schema that Hibernate uses, Hibernate's start is refused.
     *
     * @return empty if it is not set, if {@value #SETTING} is set, or if idgen does not use the application's database
     */
    static Optional<String> of(Map<String, ?> properties, IdgenSettings settings, IdgenDatabase database) {
        if (!database.isApplications() || settings.get(SETTING) != null) {
            return Optional.empty();
        }
        Object schema = properties.get(SCHEMA);
        return Optional.ofNullable(schema != null ? schema : properties.get(CATALOG))
                .map(Object::toString);
    }
}
