package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.config.IdSources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

class IdgenSettingsTest {
    private final StandardEnvironment environment = new StandardEnvironment();

    /** The variables of this build are none of the application's. */
    @BeforeEach
    void withoutVariables() {
        replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of());
    }

    private IdgenSettings with(Map<String, Object> file) {
        environment.getPropertySources().addLast(new MapPropertySource("application.yaml", file));
        return IdgenSettings.of(environment);
    }

    private IdSources open() {
        IdSources.Builder builder = IdSources.builder();
        IdgenSettings.of(environment).applyTo(builder);
        return builder.build();
    }

    private void yaml(String text) throws IOException {
        new YamlPropertySourceLoader()
                .load("application.yaml", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
                .forEach(environment.getPropertySources()::addLast);
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
        assertThat(with(Map.of("idgen.acquireTimeout", "10s", "idgen.sources.OrderLine.valueIs", "first"))
                        .all())
                .containsOnly(
                        Map.entry("idgen.acquire-timeout", "10s"),
                        Map.entry("idgen.sources.OrderLine.value-is", "first"));
    }

    @Test
    void aListIsOneValue() {
        assertThat(with(Map.of("idgen.worker.reserved[0]", 3, "idgen.worker.reserved[1]", 7))
                        .all())
                .containsExactly(Map.entry("idgen.worker.reserved", "3,7"));
    }

    @Test
    void aNameWithoutSettingsIsASource() throws IOException {
        yaml("idgen:\n  sources:\n    orders:\n    lines:\n      step: 5\n");

        IdgenSettings settings = IdgenSettings.of(environment);

        assertThat(settings.sources()).containsExactly("lines", "orders");
        assertThat(settings.all()).containsOnlyKeys("idgen.sources.lines.step");
    }

    @Test
    void anErrorNamesTheFileAndTheLine() throws IOException {
        yaml("idgen:\n  sources:\n    orders:\n      segment.step: many\n");

        assertThatThrownBy(this::open)
                .hasMessageContaining("idgen.sources.orders.segment.step: ")
                .hasMessageContaining("(from Byte array resource [resource loaded from byte array] - 4:21)");
    }

    @Test
    void settingsOfTheStarterAloneAreNotForSources() {
        assertThat(with(Map.of("idgen.json.enabled", "false", "idgen.json.large-numbers", "string"))
                        .all())
                .isEmpty();
        assertThat(with(Map.of("idgen.json.enable", "false")).all()).containsKey("idgen.json.enable"); // to be refused
    }

    @Test
    void anUnknownSettingIsRefusedWithTheFileAndTheLine() throws IOException {
        yaml("idgen:\n  stratgy: segment\n");

        assertThatThrownBy(this::open)
                .hasMessageContaining("no setting is called idgen.stratgy")
                .hasMessageEndingWith("(from Byte array resource [resource loaded from byte array] - 2:12)");
    }

    @Test
    void aStrategyInThePlaceOfAllSettingsIsRefused() throws IOException {
        yaml("server.port: 8080\nidgen: segment\n");

        assertThatThrownBy(() -> IdgenSettings.of(environment))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("write idgen.strategy: segment (from ")
                .hasMessageEndingWith("- 2:8)");
    }

    @Test
    void settingsBelowSpringAreRefused() {
        assertThatThrownBy(() -> with(Map.of("spring.idgen.strategy", "segment")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("settings of idgen are at the top level; write idgen.strategy");
    }

    @Test
    void placeholdersAreResolved() {
        assertThat(with(Map.of("idgen.worker.namespace", "${name:shop}")).all())
                .containsEntry("idgen.worker.namespace", "shop");
    }

    @Test
    void sourcesAreTheNamesWithSettings() {
        IdgenSettings settings = with(Map.of(
                "idgen.sources.orders.step", 10,
                "idgen.sources.orders.number.segment.step", 10,
                "idgen.sources.shop.Book.acquire-timeout", "1s"));

        assertThat(settings.sources()).containsExactly("orders", "orders.number", "shop.Book");
        assertThat(settings.origin("orders")).isEqualTo("application.yaml");
        assertThat(settings.origin("nobody")).isEmpty();
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
    void aSourceOfASystemPropertyIsKnown() {
        replace(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, Map.of("idgen.sources.parcels.step", "10"));

        IdgenSettings settings = with(Map.of("idgen.strategy", "segment"));

        assertThat(settings.sources()).containsExactly("parcels");
        assertThat(settings.all()).containsOnlyKeys("idgen.sources.parcels.step", "idgen.strategy");
    }

    @Test
    void anEnvironmentVariableComesBeforeTheFileAndAfterTheCommandLine() throws IOException {
        replace(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                Map.of("IDGEN_ACQUIRE_TIMEOUT", "soon", "IDGEN_STRATEGY", "none"));
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("commandLineArgs", Map.of("idgen.strategy", "segment")));
        yaml("idgen.strategy: other\nidgen.acquire-timeout: 10s\n");

        assertThatThrownBy(this::open)
                .hasMessageStartingWith("IDGEN-102: idgen.acquire-timeout: ")
                .hasMessageContaining("'soon'")
                .hasMessageEndingWith("(from environment variable IDGEN_ACQUIRE_TIMEOUT)");

        replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of("IDGEN_STRATEGY", "none"));
        assertThat(IdgenSettings.of(environment).all()).containsEntry("idgen.strategy", "segment");
    }

    private void replace(String source, Map<String, Object> properties) {
        environment.getPropertySources().replace(source, new MapPropertySource(source, properties));
    }
}
