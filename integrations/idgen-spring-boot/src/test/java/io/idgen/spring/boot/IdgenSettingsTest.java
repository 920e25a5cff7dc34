package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

class IdgenSettingsTest {
    private final StandardEnvironment environment = new StandardEnvironment();

    private IdgenSettings with(Map<String, Object> file) {
        environment.getPropertySources().addLast(new MapPropertySource("application.yaml", file));
        return IdgenSettings.of(environment);
    }

    @Test
    void settingsHaveTheirFullNames() {
        assertThat(with(Map.of("idgen.strategy", "segment", "server.port", 8080))
                        .all())
                .containsExactly(Map.entry("idgen.strategy", "segment"));
    }

    @Test
    void theApplicationsNameIsThatOfTheOwnerOfLeases() {
        assertThat(with(Map.of("spring.application.name", "shop")).all()).containsEntry("idgen.worker.owner", "shop");
        assertThat(with(Map.of("spring.application.name", "shop", "idgen.worker.owner", "shop-1"))
                        .all())
                .containsEntry("idgen.worker.owner", "shop-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"flyway", "liquibase"})
    void withAMigrationIdgenItselfCreatesNoTables(String tool) {
        assertThat(with(Map.of("idgen.jdbc.initialize-schema", tool)).all())
                .containsEntry("idgen.jdbc.initialize-schema", "never");
    }

    @Test
    void camelCaseIsTheSameSetting() {
        assertThat(with(Map.of("idgen.worker.acquireTimeout", "10s", "idgen.sources.OrderLine.maxStep", 5))
                        .all())
                .containsOnly(
                        Map.entry("idgen.worker.acquire-timeout", "10s"),
                        Map.entry("idgen.sources.OrderLine.max-step", "5"));
    }

    @Test
    void aListIsOneValue() {
        assertThat(with(Map.of("idgen.worker.reserved[0]", 3, "idgen.worker.reserved[1]", 7))
                        .all())
                .containsExactly(Map.entry("idgen.worker.reserved", "3,7"));
    }

    @Test
    void aNameWithoutSettingsIsASource() throws IOException {
        String yaml = "idgen:\n  sources:\n    orders:\n    lines:\n      step: 5\n";
        new YamlPropertySourceLoader()
                .load("application.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                .forEach(environment.getPropertySources()::addLast);

        IdgenSettings settings = IdgenSettings.of(environment);

        assertThat(settings.sources()).containsExactly("lines", "orders");
        assertThat(settings.all()).containsOnlyKeys("idgen.sources.lines.step");
    }

    @Test
    void placeholdersAreResolved() {
        assertThat(with(Map.of("idgen.worker.namespace", "${name:shop}")).all())
                .containsEntry("idgen.worker.namespace", "shop");
    }

    @Test
    void sourcesAreTheNamesWithSettings() {
        assertThat(with(Map.of("idgen.sources.orders.step", 10, "idgen.sources.Book.strategy", "segment"))
                        .sources())
                .containsExactly("Book", "orders");
    }

    @Test
    void theCommandLineComesBeforeTheFile() {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("commandLineArgs", Map.of("idgen.strategy", "segment")));

        assertThat(with(Map.of("idgen.strategy", "snowflake", "idgen.startup", "lazy"))
                        .all())
                .containsOnly(Map.entry("idgen.strategy", "segment"), Map.entry("idgen.startup", "lazy"));
    }

    @Test
    void aSourceOfASystemPropertyIsKnownAndItsSettingIsReadByIdgenItself() {
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
                        new MapPropertySource(
                                StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
                                Map.of("idgen.sources.parcels.step", "10")));

        IdgenSettings settings = with(Map.of("idgen.strategy", "segment"));

        assertThat(settings.sources()).containsExactly("parcels");
        assertThat(settings.all()).containsOnlyKeys("idgen.strategy");
    }
}
