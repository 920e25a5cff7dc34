package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Tests which property of Hibernate names the schema of idgen's tables. */
class JpaSchemaTest {
    private static final String SCHEMA = "spring.jpa.properties.hibernate.default_schema";
    private static final String CATALOG = "spring.jpa.properties.hibernate.default_catalog";

    private final Map<String, Object> settings = new HashMap<>();
    private final StandardEnvironment environment = with(settings);
    private final AtomicInteger connections = new AtomicInteger();

    private static StandardEnvironment with(Map<String, Object> settings) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addLast(new MapPropertySource("application.yaml", settings));
        return environment;
    }

    /** A database whose driver supports schemas or, as those of MariaDB and MySQL, only catalogs. */
    private DataSource database(boolean hasSchemas) {
        return new AbstractDataSource() {
            @Override
            public Connection getConnection() {
                connections.incrementAndGet();
                DatabaseMetaData metadata =
                        answering(DatabaseMetaData.class, "supportsSchemasInTableDefinitions", hasSchemas);
                return answering(Connection.class, "getMetaData", metadata);
            }

            @Override
            public Connection getConnection(String user, String password) {
                return getConnection();
            }
        };
    }

    private static <T> T answering(Class<T> type, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, called, arguments) -> called.getName().equals(method) ? answer : null));
    }

    private Optional<String> schemaOn(@Nullable DataSource database) {
        return JpaSchema.of(environment, IdgenSettings.of(environment), new IdgenDatabase(database, Map.of(), true));
    }

    @ParameterizedTest
    @CsvSource({
        "app, shop, true, app",
        "app, shop, false, shop",
        "app, , true, app",
        "app, , false, ",
        ", shop, true, ",
        ", shop, false, shop"
    })
    void eachPropertyAppliesToItsKindOfDatabase(
            @Nullable String schema, @Nullable String catalog, boolean hasSchemas, @Nullable String expected) {
        settings.put(SCHEMA, schema);
        settings.put(CATALOG, catalog);
        settings.values().removeIf(Objects::isNull);

        assertThat(schemaOn(database(hasSchemas))).isEqualTo(Optional.ofNullable(expected));
        assertThat(connections).hasValue(1);
    }

    @Test
    void withoutThesePropertiesNoConnectionIsOpened() {
        settings.put("spring.jpa.properties.hibernate.jdbc.batch_size", "50");

        assertThat(schemaOn(database(true))).isEmpty();
        assertThat(connections).hasValue(0);
    }

    @Test
    void theSettingOfIdgenTakesPrecedence() {
        settings.put(SCHEMA, "app");
        settings.put("idgen.jdbc.schema", "ids");

        assertThat(schemaOn(database(true))).isEmpty();
        assertThat(connections).hasValue(0);
    }

    @Test
    void aDatabaseOfIdgenItselfHasNoSchemaOfTheEntities() {
        settings.put(SCHEMA, "app");

        assertThat(JpaSchema.of(
                        environment, IdgenSettings.of(environment), new IdgenDatabase(database(true), Map.of(), false)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ifTheDatabaseDoesNotAnswerTheDefaultSchemaAppliesAndACatalogBesideItIsRefused(boolean isUnchecked) {
        settings.put(SCHEMA, "app");
        DataSource closed = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                if (isUnchecked) {
                    throw new IllegalStateException("no connection");
                }
                throw new SQLException("no connection");
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };

        assertThat(schemaOn(closed)).hasValue("app");
        settings.put(CATALOG, "app");
        assertThat(schemaOn(closed)).hasValue("app");
        settings.put(CATALOG, "shop");
        assertThat(assertThrows(StoreUnavailableException.class, () -> schemaOn(closed)))
                .hasMessageContaining("hibernate.default_schema or hibernate.default_catalog")
                .hasMessageContaining("set idgen.jdbc.schema");
    }
}
