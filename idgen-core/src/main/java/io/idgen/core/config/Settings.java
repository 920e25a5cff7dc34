package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.Characters;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All settings, each with its origin, which error messages name. Of several values of a setting, the one that was added
 * first counts. An environment variable is kept under its own name: {@code IDGEN_WORKER_ID} is {@code idgen.worker.id}.
 */
final class Settings {
    private static final int NEAREST = 3;

    /** How many letters of a name may differ from a known one. It is small: other sources may have similar names. */
    private static final int MISSPELT = 2;

    private static final String VARIABLES = variable(Setting.PREFIX);
    private static final String VARIABLES_OF_SOURCES = variable(Setting.SOURCES);

    private final Map<String, Value> values = new LinkedHashMap<>();
    private boolean hasVariables; // usually not: then their names need not be composed
    private boolean hasSources; // the same for the keys of each source

    /** A text and its origin. */
    record Value(String text, String origin) {}

    /** Returns the settings of a properties file in UTF-8. */
    static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING, "cannot read settings from " + file + ": " + e, e);
        }
        Map<String, String> settings = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> settings.put(key, properties.getProperty(key)));
        return settings;
    }

    /** Adds those of a process: system properties before environment variables. */
    void addProcess(Properties system, Map<String, String> environment) {
        for (String key : new TreeSet<>(system.stringPropertyNames())) {
            add(key, system.getProperty(key), "system property " + key);
        }
        for (Map.Entry<String, String> each : environment.entrySet()) {
            add(each.getKey(), each.getValue(), "environment variable " + each.getKey());
        }
    }

    /** Adds a setting or an environment variable, unless it belongs to another library or is there already. */
    void add(String name, String text, String origin) {
        boolean isVariable = isVariable(name);
        if (isVariable || name.startsWith(Setting.PREFIX)) {
            Value variable = hasVariables ? values.get(variable(name)) : null;
            hasVariables |= isVariable;
            hasSources |= name.startsWith(isVariable ? VARIABLES_OF_SOURCES : Setting.SOURCES);
            values.putIfAbsent(name, variable == null ? new Value(text, origin) : variable);
        }
    }

    /** Adds settings of a lower precedence. */
    void addAll(Settings others) {
        for (Map.Entry<String, Value> each : others.values.entrySet()) {
            add(each.getKey(), each.getValue().text, each.getValue().origin);
        }
    }

    private static boolean isVariable(String name) {
        return name.startsWith(VARIABLES);
    }

    private static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** Returns whether there are settings for single sources. */
    boolean hasSources() {
        return hasSources;
    }

    /** Returns the value for one source, else for all sources; null if there is none. */
    @Nullable
    Value find(Setting<?> setting, String source) {
        Value value = hasSources ? find(setting.keyFor(source)) : null;
        return value == null && setting.isForAll() ? find(setting.toString()) : value;
    }

    private @Nullable Value find(String key) {
        Value value = values.get(key);
        return value == null && hasVariables ? values.get(variable(key)) : value;
    }

    /**
     * Checks that all names are known and all values valid, whether or not they are used. Ignores unknown environment
     * variables, which may belong to other programs.
     *
     * @return the names of the sources that have their own settings, each with the origin of the first
     * @throws ConfigurationException if a name is unknown or a value invalid
     */
    Map<String, String> check(Strategies strategies) {
        Map<String, String> sources = new LinkedHashMap<>();
        Collection<Setting<?>> known = strategies.settings();
        for (Map.Entry<String, Value> each : values.entrySet()) {
            String key = each.getKey();
            Value value = each.getValue();
            Setting<?> setting = setting(key, known);
            if (setting == null) {
                strategies.lookUpServices();
                known = strategies.settings();
                setting = setting(key, known);
            }
            if (setting != null) {
                parse(setting, isVariable(key) ? setting.toString() : key, value);
                if (key.startsWith(Setting.SOURCES)) {
                    sources.putIfAbsent(key.substring(Setting.SOURCES.length(), endOfSource(key, known)), value.origin);
                }
            } else if (!isVariable(key)) { // variables may belong to other programs
                String module = strategies.missingModule(key);
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_SETTING,
                        "no setting is called " + Characters.line(key) + "; the nearest known are "
                                + nearestSettings(key, known) + (module == null ? "" : "; " + module) + " (from "
                                + value.origin + ")");
            }
        }
        return sources;
    }

    /** Returns the setting with a key, for all sources or for one, or with a variable; null if there is none. */
    private static @Nullable Setting<?> setting(String key, Collection<Setting<?>> known) {
        if (key.startsWith(Setting.SOURCES)) {
            int end = endOfSource(key, known);
            return end < 0 ? null : matching(key.substring(end + 1), known);
        }
        for (Setting<?> setting : known) {
            if (isVariable(key)
                    ? key.equals(variable(setting.toString()))
                    : setting.isForAll() && setting.matches(key.substring(Setting.PREFIX.length()))) {
                return setting;
            }
        }
        return null;
    }

    /** Returns the end of the name of a source in a key, or -1. The name, which may contain dots, is the shortest. */
    static int endOfSource(String key, Collection<Setting<?>> known) {
        int dot = key.indexOf('.', Setting.SOURCES.length() + 1);
        while (dot >= 0 && matching(key.substring(dot + 1), known) == null) {
            dot = key.indexOf('.', dot + 1);
        }
        return dot;
    }

    private static @Nullable Setting<?> matching(String key, Collection<Setting<?>> known) {
        for (Setting<?> setting : known) {
            if (setting.matches(key)) {
                return setting;
            }
        }
        return null;
    }

    static <T> T parse(Setting<T> setting, String key, Value value) {
        try {
            return setting.parser().apply(value.text);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    Characters.line(key + ": " + e.getMessage() + " (from " + value.origin + ")"),
                    e);
        }
    }

    /** Returns the known settings nearest to a misspelt one. Only the part after the name of a source counts. */
    private static String nearestSettings(String key, Collection<Setting<?>> known) {
        boolean ofSource = key.startsWith(Setting.SOURCES);
        String rest = key.substring((ofSource ? Setting.SOURCES : Setting.PREFIX).length());
        return nearest(
                known,
                setting -> distance(rest, setting.key(), ofSource),
                setting -> ofSource ? setting.keyFor("<name>") : setting.toString());
    }

    /** Returns the known words nearest to a misspelt one, nearest first. */
    static String nearest(String word, Collection<String> known) {
        return nearest(known, each -> distance(word, each, false), each -> each);
    }

    private static <T> String nearest(Collection<T> known, ToIntFunction<T> distance, Function<T, String> name) {
        return known.stream()
                .sorted(Comparator.comparingInt(distance).thenComparing(name))
                .limit(NEAREST)
                .map(name)
                .collect(Collectors.joining(", "));
    }

    /** Returns whether two words differ by few letters, ignoring case. Short words have to be equal. */
    static boolean isSimilar(String word, String other) {
        int distance = distance(word.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT), false);
        return distance <= MISSPELT && 2 * distance < word.length();
    }

    /**
     * Returns the Levenshtein distance: how many letters must be changed, inserted or deleted.
     *
     * @param ofEnd whether only the end of the first word counts, at its best length
     */
    private static int distance(String a, String b, boolean ofEnd) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = ofEnd ? 0 : i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
