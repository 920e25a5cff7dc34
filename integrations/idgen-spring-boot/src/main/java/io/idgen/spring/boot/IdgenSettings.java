package io.idgen.spring.boot;

import io.idgen.core.config.IdSources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * idgen's settings in Spring's environment. Settings from before the system properties, such as command line arguments
 * and properties of tests, take precedence over system properties and the environment of the process, which idgen reads
 * itself. Settings from after them, such as {@code application.yaml}, come after them.
 */
final class IdgenSettings {
    static final String ORIGIN = "Spring's environment";

    private static final String PREFIX = "idgen.";
    static final String SOURCES = "idgen.sources.";
    private static final String OWNER = "idgen.worker.owner";
    private static final String APPLICATION = "spring.application.name";
    private static final Pattern ELEMENT = Pattern.compile("(.+)\\[(\\d+)]");
    private static final Pattern HUMP = Pattern.compile("([a-z0-9])([A-Z])");

    private final Map<String, String> before = new LinkedHashMap<>();
    private final Map<String, String> after = new LinkedHashMap<>();
    private final Set<String> sources = new TreeSet<>();
    private @Nullable String application;

    private IdgenSettings() {}

    static IdgenSettings of(ConfigurableEnvironment environment) {
        IdgenSettings settings = new IdgenSettings();
        Map<String, String> level = settings.before;
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)) {
                level = settings.after; // upper case does not show how source names are written
            } else if (source instanceof EnumerablePropertySource<?> enumerable) {
                Map<String, String> found = read(enumerable, environment);
                settings.takeSources(found);
                if (source.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)) {
                    level = settings.after;
                } else {
                    found.forEach(level::putIfAbsent);
                }
            }
        }
        if (MigrationTool.of(environment).isPresent()) {
            settings.before.put(MigrationTool.SETTING, "never"); // the migration creates the tables, not idgen itself
        }
        settings.after.keySet().removeAll(settings.before.keySet());
        settings.application = environment.getProperty(APPLICATION);
        return settings;
    }

    /** Adds the names of sources. A name alone, such as {@code orders:} in YAML, is not a setting and is removed. */
    private void takeSources(Map<String, String> found) {
        for (String setting : List.copyOf(found.keySet())) {
            if (setting.startsWith(SOURCES)) {
                String[] parts = setting.substring(SOURCES.length()).split("\\.", 2);
                if (parts.length == 2 || found.remove(setting, "")) {
                    sources.add(parts[0]);
                }
            }
        }
    }

    private static Map<String, String> read(EnumerablePropertySource<?> source, ConfigurableEnvironment environment) {
        Map<String, String> found = new LinkedHashMap<>();
        Map<String, Map<Integer, String>> lists = new LinkedHashMap<>();
        for (String name : source.getPropertyNames()) {
            Object value = name.startsWith(PREFIX) ? source.getProperty(name) : null;
            if (value != null) {
                String text = environment.resolveRequiredPlaceholders(String.valueOf(value));
                Matcher element = ELEMENT.matcher(name);
                if (element.matches()) {
                    lists.computeIfAbsent(dashed(element.group(1)), key -> new TreeMap<>())
                            .put(Integer.valueOf(element.group(2)), text);
                } else {
                    found.put(dashed(name), text);
                }
            }
        }
        lists.forEach((name, elements) -> found.put(name, String.join(",", elements.values())));
        return found;
    }

    /** Returns {@code idgen.acquire-timeout} for {@code idgen.acquireTimeout}, and does not change names of sources. */
    private static String dashed(String name) {
        int keyFrom = name.startsWith(SOURCES) ? name.indexOf('.', SOURCES.length()) : 0;
        return keyFrom < 0
                ? name
                : name.substring(0, keyFrom)
                        + HUMP.matcher(name.substring(keyFrom))
                                .replaceAll("$1-$2")
                                .toLowerCase(Locale.ROOT);
    }

    /** Returns all settings by full name. */
    Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>(owner());
        all.putAll(before);
        all.putAll(after);
        return all;
    }

    /** Returns the sources that have settings of their own, sorted. Does not contain those of environment variables. */
    Set<String> sources() {
        return sources;
    }

    /** Returns the name of the application as a setting. The lease table shows it. */
    private Map<String, String> owner() {
        return application == null || application.isBlank() ? Map.of() : Map.of(OWNER, application);
    }

    void remove(String name) {
        before.remove(name);
        after.remove(name);
    }

    void applyTo(IdSources.Builder builder) {
        before.forEach(builder::set);
        builder.settings(after, ORIGIN);
        builder.settings(owner(), APPLICATION);
    }
}
