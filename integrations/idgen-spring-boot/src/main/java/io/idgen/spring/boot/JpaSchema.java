package io.idgen.spring.boot;

import io.idgen.core.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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
     * Returns {@code hibernate.default_schema}, or {@code hibernate.default_catalog} on a database whose schemas are
     * called catalogs. Connects to the database only if one of them is set.
     *
     * @return empty if it is not set, if {@value #SETTING} is set, or if idgen does not use the application's database
     */
    static Optional<String> of(Map<String, ?> properties, IdgenSettings settings, IdgenDatabase database) {
        if (!database.isApplications() || settings.get(SETTING) != null) {
            return Optional.empty();
        }
        if (!properties.containsKey(SCHEMA) && !properties.containsKey(CATALOG)) {
            return Optional.empty();
        }
        String schema = text(properties.get(SCHEMA));
        String catalog = text(properties.get(CATALOG));
        return Optional.ofNullable(
                Objects.equals(schema, catalog) || hasSchemas(database.dataSource(), catalog) ? schema : catalog);
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static boolean hasSchemas(@Nullable DataSource dataSource, @Nullable String catalog) {
        if (dataSource == null) {
            return true;
        }
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().supportsSchemasInTableDefinitions();
        } catch (SQLException | RuntimeException e) { // HikariCP throws both
            if (catalog == null) {
                return true; // the database does not answer; the start of the sources explains that
            }
            throw new StoreUnavailableException(
                    "the database does not answer, so idgen does not know whether its tables are in " + SCHEMA + " or "
                            + CATALOG + "; set " + SETTING + " to start without it",
                    e);
        }
    }
}
