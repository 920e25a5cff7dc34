package io.idgen.cli.compare.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.BadInputException;
import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code docs/compare.schema.json} describes the JSON of a comparison; {@code .ci/pages schema} rewrites it. */
class SchemaTest {
    private static final Path SCHEMA = Path.of("..", "docs", "compare.schema.json");
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @TempDir
    private Path folder;

    private final Map<String, Object> definitions = new LinkedHashMap<>();

    @Test
    void theSchemaDescribesTheRecords() throws IOException {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "The output of idgen compare --json, version " + Comparison.VERSION);
        schema.putAll(object(Comparison.class));
        schema.put("$defs", definitions);
        String text = JSON.writeValueAsString(schema) + "\n";
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(SCHEMA, text);
        }
        assertThat(Files.readString(SCHEMA)).as("write it by .ci/pages schema").isEqualTo(text);
    }

    private Map<String, Object> object(Class<?> type) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Map<String, Object> property = schema(component.getGenericType());
            properties.put(
                    component.getName(),
                    isNullable(component) ? Map.of("anyOf", List.of(property, Map.of("type", "null"))) : property);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", new ArrayList<>(properties.keySet()));
        schema.put("additionalProperties", false);
        return schema;
    }

    private static boolean isNullable(RecordComponent component) {
        AnnotatedType type = component.getAnnotatedType();
        return type.isAnnotationPresent(Nullable.class);
    }

    private Map<String, Object> schema(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == List.class
                    ? ordered("type", "array", "items", schema(arguments[0]))
                    : ordered("type", "object", "additionalProperties", schema(arguments[1]));
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            String name = plain.getName().replaceFirst(".*\\.", "").replace('$', '.');
            if (!definitions.containsKey(name)) {
                definitions.put(name, Map.of());
                definitions.put(name, object(plain));
            }
            return Map.of("$ref", "#/$defs/" + name);
        }
        if (plain.isEnum()) {
            return Map.of(
                    "enum",
                    Arrays.stream(plain.getEnumConstants())
                            .map(Object::toString)
                            .toList());
        }
        return Map.of(
                "type",
                plain == String.class
                        ? "string"
                        : plain == boolean.class
                                ? "boolean"
                                : plain == int.class || plain == long.class || plain == Integer.class
                                        ? "integer"
                                        : "number");
    }

    private static Map<String, Object> ordered(String key, Object value, String other, Object otherValue) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(key, value);
        map.put(other, otherValue);
        return map;
    }

    @Test
    void aBaselineOfAnotherVersionIsRefused() throws IOException {
        Path old = Files.writeString(folder.resolve("old.json"), "{\"version\": 99}");
        Path broken = Files.writeString(folder.resolve("broken.json"), "no json");

        Assertions.assertThatThrownBy(() -> Baseline.read(old))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("must be the output of compare --json of version 1, got version 99");
        Assertions.assertThatThrownBy(() -> Baseline.read(broken)).hasMessageContaining("must be the output of");
        Assertions.assertThatThrownBy(() -> Baseline.read(folder.resolve("none.json")))
                .hasMessageContaining("cannot be read");
    }
}
