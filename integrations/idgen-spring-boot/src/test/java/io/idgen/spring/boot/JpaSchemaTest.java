package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Tests which property of Hibernate names the schema of idgen's tables. */
class JpaSchemaTest {
    private static final String PROPERTIES = "spring.jpa.properties.hibernate.";

    private final Map<String, Object> settings = new HashMap<>();

    private Optional<String> schema(boolean isDatabaseOfApplication) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addLast(new MapPropertySource("application.yaml", settings));
        return JpaSchema.of(
                environment, IdgenSettings.of(environment), new IdgenDatabase(null, Map.of(), isDatabaseOfApplication));
    }

    @ParameterizedTest
    @CsvSource({"default_schema, app", "default_catalog, app", "jdbc.batch_size, "})
    void theDefaultSchemaOrCatalogIsThatOfIdgen(String property, @Nullable String expected) {
        settings.put(PROPERTIES + property, "app");

        assertThat(schema(true)).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void theSettingOfIdgenTakesPrecedenceAndADatabaseOfIdgenItselfHasNoSchemaOfTheEntities() {
        settings.put(PROPERTIES + "default_schema", "app");
        settings.put(PROPERTIES + "default_catalog", "shop");
        assertThat(schema(true)).hasValue("app");
        assertThat(schema(false)).isEmpty();

        settings.put("idgen.jdbc.schema", "ids");
        assertThat(schema(true)).isEmpty();
    }
}
