package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * idgen's settings in Spring's environment, with Spring's order of precedence. Environment variables keep their names,
 * because upper case does not show how names of sources are written.
 */
final class IdgenSettings {
    static final String SOURCES = "idgen.sources.";

    private static final String PREFIX = "idgen.";
    private static final String BELOW_SPRING = "spring.idgen";
    private static final String VARIABLES = "IDGEN_";
    private static final String OWNER = "idgen.worker.owner";
    private static final String APPLICATION = "spring.application.name";
    private static final Pattern ELEMENT = Pattern.compile("(.+)\\[(\\d+)]");
    private static final Pattern HUMP = Pattern.compile("([a-z0-9])([A-Z])");

    private final ConfigurableEnvironment environment;
    private final Map<String, Value> values = new LinkedHashMap<>();
    private final Map<String, String> sources = new TreeMap<>(); // with the origin of a setting, empty for a name alone

    /** A text, and the place where it is written. */
    private record Value(String text, String origin) {}

    private IdgenSettings(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    static IdgenSettings of(ConfigurableEnvironment environment) {
        IdgenSettings settings = new IdgenSettings(environment);
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> enumerable) {
                Map<String, Value> found = read(enumerable, environment);
                settings.takeSources(found);
                found.forEach(settings.values::putIfAbsent);
            }
        }
        settings.values.keySet().removeAll(IdgenJsonAutoConfiguration.SETTINGS);
        return settings;
    }

    /** Adds the names of sources. A name alone, such as {@code orders:} in YAML, is not a setting and is removed. */
    private void takeSources(Map<String, Value> found) {
        for (Map.Entry<String, Value> setting : Map.copyOf(found).entrySet()) {
            String name = setting.getKey();
            if (name.startsWith(SOURCES)) {
                String source = SourceBinder.nameIn(name);
                if (!name.endsWith(source)) {
                    sources.put(source, setting.getValue().origin());
                } else if (setting.getValue().text().isEmpty()) {
                    found.remove(name);
                    sources.putIfAbsent(source, "");
                }
            }
        }
    }

    private static Map<String, Value> read(EnumerablePropertySource<?> source, ConfigurableEnvironment environment) {
        Map<String, Value> found = new LinkedHashMap<>();
        Map<String, Map<Integer, Value>> lists = new LinkedHashMap<>();
        for (String name : source.getPropertyNames()) {
            refuseMisplaced(name, source);
            boolean isVariable = name.startsWith(VARIABLES);
            Object value = isVariable || name.startsWith(PREFIX) ? source.getProperty(name) : null;
            if (value != null) {
                String text = value instanceof Map<?, ?> map && map.isEmpty() // {} in YAML
                        ? ""
                        : environment.resolveRequiredPlaceholders(String.valueOf(value));
                Value written = new Value(text, isVariable ? "environment variable " + name : origin(source, name));
                Matcher element = ELEMENT.matcher(name);
                if (element.matches()) {
                    lists.computeIfAbsent(dashed(element.group(1)), key -> new TreeMap<>())
                            .put(Integer.valueOf(element.group(2)), written);
                } else {
                    found.put(isVariable ? name : dashed(name), written);
                }
            }
        }
        lists.forEach((name, elements) -> found.put(
                name,
                new Value(
                        String.join(
                                ",", elements.values().stream().map(Value::text).toList()),
                        elements.values().iterator().next().origin())));
        return found;
    }

    /** Refuses {@code idgen: segment} and settings below {@code spring}, which nothing would read. */
    private static void refuseMisplaced(String name, PropertySource<?> source) {
        if (name.startsWith(BELOW_SPRING + ".") || name.equals(BELOW_SPRING)) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SETTING,
                    name + " has no effect: settings of idgen are at the top level; write "
                            + name.substring("spring.".length()) + " (from " + origin(source, name) + ")");
        }
        if (name.equals("idgen") && !String.valueOf(source.getProperty(name)).isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SETTING,
                    "idgen: " + source.getProperty(name) + " is not a setting; for a strategy, write idgen.strategy: "
                            + source.getProperty(name) + " (from " + origin(source, name) + ")");
        }
    }

    /** Returns the file and the line of a setting, or where else it is set. */
    private static String origin(PropertySource<?> source, String name) {
        Origin origin = OriginLookup.getOrigin(source, name);
        return origin == null ? source.getName() : origin.toString();
    }

    /** Returns {@code idgen.acquire-timeout} for {@code idgen.acquireTimeout}, and does not change names of sources. */
    private static String dashed(String name) {
        int key = name.startsWith(SOURCES)
                ? name.indexOf('.', SOURCES.length() + SourceBinder.nameIn(name).length())
                : 0;
        return key < 0
                ? name
                : name.substring(0, key)
                        + HUMP.matcher(name.substring(key)).replaceAll("$1-$2").toLowerCase(Locale.ROOT);
    }

    /** Returns whether Spring creates beans when they are first needed. */
    boolean isLazy() {
        return environment.getProperty("spring.main.lazy-initialization", Boolean.class, false);
    }

    /** Returns the value of a setting, also of an environment variable; null if it is not set. */
    @Nullable
    String get(String name) {
        Value value = values.get(name);
        return value != null ? value.text() : environment.getProperty(name);
    }

    /** Returns all settings by full name. */
    Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>(owner());
        values.forEach((name, value) -> all.put(name, value.text()));
        migration((name, text) -> all.put(name, text));
        return all;
    }

    /** Returns the sources that have settings of their own, sorted. Does not contain those of environment variables. */
    Set<String> sources() {
        return sources.keySet();
    }

    /** Returns the place of a setting of a source; empty if the source is a name without settings. */
    String origin(String source) {
        return sources.getOrDefault(source, "");
    }

    /** Returns the name of the application as a setting. The lease table shows it. */
    private Map<String, String> owner() {
        String application = environment.getProperty(APPLICATION);
        return application == null || application.isBlank() ? Map.of() : Map.of(OWNER, application);
    }

    /** With a migration, idgen itself creates no tables. */
    private void migration(BiConsumer<String, String> set) {
        MigrationTool.of(this).ifPresent(tool -> set.accept(MigrationTool.SETTING, "never"));
    }

    void remove(String name) {
        values.remove(name);
    }

    void applyTo(IdSources.Builder builder) {
        migration(builder::set);
        builder.withoutEnvironment();
        values.forEach((name, value) -> builder.settings(Map.of(name, value.text()), value.origin()));
        builder.settings(owner(), APPLICATION);
    }
}
