package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
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

    private final ConfigurableEnvironment environment;
    private final Optional<MigrationTool> migration;
    private final Map<String, Property> values = new LinkedHashMap<>();
    private final Map<String, String> sources = new TreeMap<>(); // with the origin of a setting, empty for a name alone

    /** A text, and the place where it is written. */
    private record Property(String text, String origin) {}

    private IdgenSettings(ConfigurableEnvironment environment) {
        this.environment = environment;
        this.migration = MigrationTool.of(this); // while there are no values, the environment answers
        if (migration.isPresent()) { // idgen itself creates no tables
            values.put(MigrationTool.SETTING, new Property("never", MigrationTool.SETTING + "=" + migration.get()));
        }
    }

    static IdgenSettings of(ConfigurableEnvironment environment) {
        IdgenSettings settings = new IdgenSettings(environment);
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> enumerable) {
                for (String name : enumerable.getPropertyNames()) {
                    refuseMisplaced(name, source);
                    if (name.startsWith(VARIABLES) || name.startsWith(PREFIX)) {
                        settings.read(name, source);
                    }
                }
            }
        }
        settings.values.keySet().removeAll(IdgenJsonAutoConfiguration.SETTINGS);
        String application = environment.getProperty(APPLICATION); // the lease table shows it
        if (application != null && !application.isBlank()) {
            settings.values.putIfAbsent(OWNER, new Property(application, APPLICATION));
        }
        return settings;
    }

    /** Reads a setting. A name of a source alone, such as {@code orders:} in YAML, is not a setting. */
    private void read(String written, PropertySource<?> source) {
        Object value = source.getProperty(written);
        boolean isVariable = written.startsWith(VARIABLES);
        int index = written.indexOf('[');
        String name = isVariable ? written : dashed(index < 0 ? written : written.substring(0, index));
        if (value == null || values.containsKey(name)) {
            return;
        }
        String text = index < 0 ? text(value) : elements(written.substring(0, index));
        String origin = isVariable ? "environment variable " + name : origin(source, written);
        if (name.startsWith(SOURCES)) {
            String of = SourceBinder.nameIn(name);
            boolean isAlone = name.length() == SOURCES.length() + of.length();
            sources.merge(of, isAlone ? "" : origin, (first, second) -> second.isEmpty() ? first : second);
            if (isAlone && text.isEmpty()) {
                return;
            }
        }
        values.put(name, new Property(text, origin));
    }

    private String text(Object value) {
        return value instanceof Map<?, ?> map && map.isEmpty() // {} in YAML
                ? ""
                : environment.resolveRequiredPlaceholders(String.valueOf(value));
    }

    private String elements(String list) {
        return Binder.get(environment)
                .bind(ConfigurationPropertyName.adapt(list, '.'), Bindable.listOf(String.class))
                .map(elements -> String.join(",", elements))
                .orElse("");
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
        return key < 0 ? name : name.substring(0, key) + DataObjectPropertyName.toDashedForm(name.substring(key));
    }

    /** Returns whether Spring creates beans when they are first needed. */
    boolean isLazy() {
        return environment.getProperty("spring.main.lazy-initialization", Boolean.class, false);
    }

    /** Returns the properties of the application's persistence units. */
    Map<String, String> ofJpa() {
        return Binder.get(environment)
                .bind(IdgenDatabase.JPA, Bindable.mapOf(String.class, String.class))
                .orElse(Map.of());
    }

    /** Returns the tool that creates idgen's tables, if the settings choose one. */
    Optional<MigrationTool> migration() {
        return migration;
    }

    /** Returns the value of a setting, also of an environment variable; null if it is not set. */
    @Nullable
    String get(String name) {
        Property value = values.get(name);
        return value != null ? value.text() : environment.getProperty(name);
    }

    /** Returns all settings by full name. */
    Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        values.forEach((name, value) -> all.put(name, value.text()));
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

    void remove(String name) {
        values.remove(name);
    }

    void applyTo(IdSources.Builder builder) {
        builder.withoutEnvironment();
        values.forEach((name, value) -> builder.settings(Map.of(name, value.text()), value.origin()));
    }
}
