package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.text.Characters;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings from several levels, highest precedence first: code, system properties, environment, files, and the defaults
 * of an integration. Each value has its origin, which error messages name.
 */
final class Settings {
    private static final int NEAREST = 3;

    /**
     * How many letters of a name may differ from a known one. It is small, because variables of other programs, and
     * other sources, may have similar names.
     */
    private static final int MISSPELT = 2;

    private static final String PREFIX_OF_VARIABLES = variable(Setting.PREFIX);
    private static final String PREFIX_OF_SOURCES = variable(Setting.SOURCES);

    private final List<Level> levels;
    private final boolean hasSources; // usually not: then the keys of each source need not be composed
    private final Map<String, String> known; // of one source, by the keys of settings without any prefix

    Settings(List<Level> levels) {
        this(levels, levels.stream().anyMatch(Level::hasSources), Map.of());
    }

    private Settings(List<Level> levels, boolean hasSources, Map<String, String> known) {
        this.levels = List.copyOf(levels);
        this.hasSources = hasSources;
        this.known = known;
    }

    /** A text and its origin. */
    record Value(String text, String origin) {}

    /** One place that settings come from, such as the system properties. */
    interface Level {
        @Nullable
        Value find(String key);

        /**
         * Returns the keys for a check of their names. None for the environment, since its variables may belong to
         * others.
         */
        Collection<String> keys();

        /** Returns whether it may have settings of single sources. */
        boolean hasSources();

        /** Returns whether some names are not those of known settings. */
        default boolean hasOthers(Collection<Setting<?>> known) {
            for (String key : keys()) {
                if (setting(key, known) == null) {
                    return true;
                }
            }
            return false;
        }

        /** Returns a line for each name that is probably a setting misspelt, and is ignored. */
        default List<String> misspelt(Collection<Setting<?>> known) {
            return List.of();
        }
    }

    /** Creates a level from a map; ignores keys of other libraries in the same map. */
    static Level map(Map<String, String> settings, Function<String, String> origin) {
        Map<String, String> own = startingWith(Setting.PREFIX, settings);
        return new Level() {
            @Override
            public @Nullable Value find(String key) {
                String text = own.get(key);
                return text == null ? null : new Value(text, origin.apply(key));
            }

            @Override
            public Collection<String> keys() {
                return own.keySet();
            }

            @Override
            public boolean hasSources() {
                return !startingWith(Setting.SOURCES, own).isEmpty();
            }
        };
    }

    /** Creates the level of the environment: the variable {@code IDGEN_WORKER_ID} is {@code idgen.worker.id}. */
    static Level environment(Map<String, String> variables) {
        Map<String, String> own = startingWith(PREFIX_OF_VARIABLES, variables);
        return new Level() {
            @Override
            public @Nullable Value find(String key) {
                if (own.isEmpty()) {
                    return null;
                }
                String variable = variable(key);
                String text = own.get(variable);
                return text == null ? null : new Value(text, "environment variable " + variable);
            }

            @Override
            public Collection<String> keys() {
                return List.of();
            }

            @Override
            public boolean hasSources() {
                return !startingWith(PREFIX_OF_SOURCES, own).isEmpty();
            }

            @Override
            public boolean hasOthers(Collection<Setting<?>> known) {
                return !own.isEmpty() && !names(known).containsAll(own.keySet());
            }

            private Set<String> names(Collection<Setting<?>> known) {
                Set<String> names = new HashSet<>();
                for (Setting<?> setting : known) {
                    names.add(variable(setting.toString()));
                }
                return names;
            }

            @Override
            public List<String> misspelt(Collection<Setting<?>> known) {
                if (!hasOthers(known)) {
                    return List.of();
                }
                Set<String> names = names(known);
                return own.keySet().stream()
                        .filter(name -> !names.contains(name)) // perhaps the setting of one source
                        .sorted()
                        .flatMap(name -> nearest(names.stream(), candidate -> distance(name, candidate))
                                .filter(candidate -> distance(name, candidate) <= MISSPELT)
                                .limit(1)
                                .map(candidate -> "the environment variable " + Characters.line(name)
                                        + " is ignored; the setting is called " + candidate))
                        .toList();
            }
        };
    }

    private static Map<String, String> startingWith(String prefix, Map<String, String> all) {
        Map<String, String> found = new LinkedHashMap<>();
        all.forEach((name, text) -> {
            if (name.startsWith(prefix)) {
                found.put(name, text);
            }
        });
        return found;
    }

    private static String variable(String key) {
        StringBuilder name = new StringBuilder(key.toUpperCase(Locale.ROOT));
        for (int i = 0; i < name.length(); i++) {
            char letter = name.charAt(i);
            if ((letter < 'A' || letter > 'Z') && (letter < '0' || letter > '9')) {
                name.setCharAt(i, '_');
            }
        }
        return name.toString();
    }

    /**
     * Returns a copy that falls back to what is known of a source, for settings that are given neither for it nor for
     * all sources.
     *
     * @param ofSource the texts, by the keys of settings without any prefix
     */
    Settings withKnown(Map<String, String> ofSource) {
        return new Settings(levels, hasSources, ofSource);
    }

    /** Returns the value for one source, else for all sources, else what is known of the source. */
    Optional<Value> find(Setting<?> setting, String source) {
        Value value = hasSources ? find(setting.keyFor(source)) : null;
        if (value == null && setting.isForAll()) {
            value = find(setting.keyForAll());
        }
        String text = value == null ? known.get(setting.key()) : null;
        return Optional.ofNullable(text == null ? value : new Value(text, "what is known of '" + source + "'"));
    }

    /** Returns all values that a setting has on any level, for all sources or for one. */
    Set<String> values(Setting<?> setting) {
        Set<String> values = new LinkedHashSet<>();
        for (Level level : levels) {
            Set<String> keys = new LinkedHashSet<>(level.keys());
            keys.removeIf(key -> !key.startsWith(Setting.SOURCES) || !key.endsWith("." + setting.key()));
            keys.add(setting.keyForAll());
            for (String key : keys) {
                Value value = level.find(key);
                if (value != null) {
                    values.add(value.text().strip());
                }
            }
        }
        return values;
    }

    private @Nullable Value find(String key) {
        for (Level level : levels) {
            Value value = level.find(key);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /**
     * Checks that all names are known and all values valid, on all levels, whether or not they are used.
     *
     * @return the names of the sources that have their own settings, each with the origin of the setting of highest
     *     precedence
     * @throws ConfigurationException if a name is unknown or a value invalid
     */
    Map<String, String> check(Collection<Setting<?>> known) {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Level level : levels) {
            for (String line : level.misspelt(known)) {
                System.getLogger(Settings.class.getName()).log(System.Logger.Level.WARNING, line);
            }
            for (String key : level.keys()) {
                Setting<?> setting = setting(key, known);
                Value value = level.find(key);
                if (setting == null || value == null) {
                    throw new ConfigurationException(
                            ErrorCode.UNKNOWN_SETTING,
                            "no setting is called " + Characters.line(key) + "; the nearest known are "
                                    + nearestSettings(key, known) + Modules.adviceForKey(key, known)
                                    + (value == null ? "" : " (from " + value.origin() + ")"));
                }
                parse(setting, key, value);
                if (key.startsWith(Setting.SOURCES)) {
                    int end = endOfSource(key, known);
                    sources.putIfAbsent(key.substring(Setting.SOURCES.length(), end), value.origin());
                }
            }
        }
        return sources;
    }

    /** Returns whether some names are not those of known settings. */
    boolean hasOthers(Collection<Setting<?>> known) {
        for (Level level : levels) {
            if (level.hasOthers(known)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the setting with a key, for all sources or for one; null if there is none. */
    private static @Nullable Setting<?> setting(String key, Collection<Setting<?>> known) {
        if (key.startsWith(Setting.SOURCES)) {
            int end = endOfSource(key, known);
            return end < 0 ? null : matching(key.substring(end + 1), known, false);
        }
        return key.startsWith(Setting.PREFIX) ? matching(key.substring(Setting.PREFIX.length()), known, true) : null;
    }

    /** Returns the end of the name of a source in a key, or -1. The name, which may contain dots, is the shortest. */
    static int endOfSource(String key, Collection<Setting<?>> known) {
        int dot = key.indexOf('.', Setting.SOURCES.length() + 1);
        while (dot >= 0 && matching(key.substring(dot + 1), known, false) == null) {
            dot = key.indexOf('.', dot + 1);
        }
        return dot;
    }

    private static @Nullable Setting<?> matching(String key, Collection<Setting<?>> known, boolean forAll) {
        for (Setting<?> setting : known) {
            if ((setting.isForAll() || !forAll) && setting.matches(key)) {
                return setting;
            }
        }
        return null;
    }

    static <T> T parse(Setting<T> setting, String key, Value value) {
        try {
            return setting.parse(value.text());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    Characters.line(key + ": " + e.getMessage() + " (from " + value.origin() + ")"),
                    e);
        }
    }

    /**
     * Returns the known settings nearest to a misspelt one. For a setting of a source, only the part after its name
     * counts.
     */
    private static String nearestSettings(String key, Collection<Setting<?>> known) {
        if (!key.startsWith(Setting.SOURCES)) {
            return nearest(key, known.stream().map(Setting::toString).toList());
        }
        String rest = key.substring(Setting.SOURCES.length());
        List<String> endings = IntStream.range(0, rest.length())
                .filter(i -> rest.charAt(i) == '.')
                .mapToObj(i -> rest.substring(i + 1))
                .toList();
        return nearest(
                        known.stream().map(Setting::key),
                        candidate -> endings.stream()
                                .mapToInt(ending -> distance(ending, candidate))
                                .min()
                                .orElse(distance(rest, candidate)))
                .map(candidate -> Setting.SOURCES + "<name>." + candidate)
                .collect(Collectors.joining(", "));
    }

    /** Returns the known words nearest to a misspelt one, nearest first. */
    static String nearest(String word, Collection<String> known) {
        return nearest(known.stream(), candidate -> distance(word, candidate)).collect(Collectors.joining(", "));
    }

    private static Stream<String> nearest(Stream<String> words, ToIntFunction<String> distance) {
        return words.distinct()
                .sorted(Comparator.comparingInt(distance).thenComparing(Comparator.naturalOrder()))
                .limit(NEAREST);
    }

    /** Returns whether two words differ by few letters, ignoring case. Short words have to be equal. */
    static boolean isSimilar(String word, String other) {
        int distance = distance(word.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
        return distance <= MISSPELT && 2 * distance < word.length();
    }

    /** Returns the Levenshtein distance: how many letters must be changed, inserted or deleted. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
