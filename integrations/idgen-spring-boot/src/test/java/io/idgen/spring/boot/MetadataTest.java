package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.Setting;
import io.idgen.core.layout.SnowflakeLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the metadata for editors, which complete and explain {@code idgen.*} in application.yaml, with the settings.
 * {@code .ci/pages metadata} writes it.
 */
class MetadataTest {
    private static final Path METADATA =
            Path.of("src", "main", "resources", "META-INF", "spring-configuration-metadata.json");

    private static final Map<String, List<String>> HINTS = new TreeMap<>(Map.of(
            "idgen.strategy", List.of("snowflake", "segment", "sequence-table", "stepped", "native-sequence"),
            "idgen.startup", List.of("lazy", "eager"),
            "idgen.jdbc.initialize-schema", List.of("never", "embedded", "always", "flyway", "liquibase"),
            "idgen.jdbc.deleted-rows", List.of("refuse", "create"),
            "idgen.segment.order", List.of("process", "thread"),
            "idgen.snowflake.layout", List.copyOf(SnowflakeLayout.presets().keySet()),
            "idgen.snowflake.clock-policy", List.of("fail", "wait:5ms", "run-ahead:1s", "reuse:2048"),
            "idgen.worker.assigner",
                    List.of("jdbc", "lease-store", "fixed", "env", "ordinal", "ip", "mac", "single-process")));

    @Test
    void theMetadataIsThatOfTheSettings() throws IOException {
        String metadata = metadata();
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(METADATA, metadata);
        }

        assertThat(METADATA).as("write it by .ci/pages metadata").hasContent(metadata);
    }

    @Test
    void hintsAreForSettingsThatExist() {
        assertThat(IdSources.settings()).extracting(Setting::toString).containsAll(HINTS.keySet());
    }

    private static String metadata() {
        Stream<String> properties = IdSources.settings().stream()
                .filter(setting -> !setting.toString().contains("<"))
                .map(MetadataTest::property);
        Stream<String> sources = Stream.of(
                object(
                        "idgen.sources",
                        "\"type\": \"java.util.Map<java.lang.String, java.util.Map<java.lang.String, java.lang.String>>\"",
                        "\"description\": \"Settings of single sources: idgen.sources.orders.strategy is that of the source 'orders'."
                                + " Under Hibernate the name of a source is its table.\""),
                object(
                        "idgen.json.enabled",
                        "\"type\": \"java.lang.Boolean\"",
                        "\"description\": \"Whether ids are strings in JSON, with the Jackson that the application has.\"",
                        "\"defaultValue\": true"),
                object(
                        "idgen.json.large-numbers",
                        "\"type\": \"java.lang.String\"",
                        "\"description\": \"What longs above 2^53 - 1 without an annotation are in JSON: number or string.\"",
                        "\"defaultValue\": \"number\""));
        return "{\n  \"properties\": " + array(Stream.concat(properties, sources)) + ",\n  \"hints\": "
                + array(HINTS.entrySet().stream().map(hint -> hint(hint.getKey(), hint.getValue()))) + "\n}\n";
    }

    private static String property(Setting<?> setting) {
        String description = "\"description\": " + quoted(setting.meaning());
        return object(
                setting.toString(),
                "\"type\": " + quoted(type(setting)),
                setting.defaultText()
                        .map(text -> description + ",\n      \"defaultValue\": " + quoted(text))
                        .orElse(description));
    }

    private static String hint(String name, List<String> values) {
        return object(
                name,
                values.stream()
                        .map(value -> "{ \"value\": " + quoted(value) + " }")
                        .collect(Collectors.joining(", ", "\"values\": [", "]")),
                "\"providers\": [{ \"name\": \"any\" }]");
    }

    private static String object(String name, String... more) {
        return "    {\n      \"name\": " + quoted(name) + ",\n      " + String.join(",\n      ", more) + "\n    }";
    }

    private static String array(Stream<String> objects) {
        return objects.collect(Collectors.joining(",\n", "[\n", "\n  ]"));
    }

    private static String type(Setting<?> setting) {
        boolean isDuration = setting.defaultText()
                .filter(text -> text.matches("\\d+(ms|s|min|h)"))
                .isPresent();
        return isDuration ? "java.time.Duration" : "java.lang.String";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
