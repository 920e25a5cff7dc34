package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.Characters;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All settings, each with its origin, which error messages name. Of several values of a setting, the one that was added
 * first counts. An environment variable is kept under its own name: {@code IDGEN_WORKER_ID} is {@code idgen.worker.id}.
 */
final class Settings {
    private static final int NEAREST = 3;

    /**
     * How many letters of a name may differ from a known one. It is small, because variables of other programs, and
     * other sources, may have similar names.
     */
    private static final int MISSPELT = 2;

    private static final String VARIABLES = variable(Setting.PREFIX);
    private static final String VARIABLES_OF_SOURCES = variable(Setting.SOURCES);

    private final Map<String, Value> values = new LinkedHashMap<>();
    private boolean hasVariables; // usually not: then their names need not be composed
    private boolean hasSources; // the same for the keys of each source

    /** A text, its origin, and how many values were added before it. */
    record Value(String text, String origin, int rank) {}

    /** Adds a setting or an environment variable, unless it belongs to another library or is there already. */
    void add(String name, String text, String origin) {
        boolean isVariable = isVariable(name);
        if (isVariable || name.startsWith(Setting.PREFIX)) {
            hasVariables |= isVariable;
            hasSources |= name.startsWith(isVariable ? VARIABLES_OF_SOURCES : Setting.SOURCES);
            values.putIfAbsent(name, new Value(text, origin, values.size()));
        }
    }

    private static boolean isVariable(String name) {
        return name.startsWith(VARIABLES);
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

    /** Returns the value for one source, else for all sources; null if there is none. */
    @Nullable
    Value find(Setting<?> setting, String source) {
        Value value = hasSources ? find(setting.keyFor(source)) : null;
        return value == null && setting.isForAll() ? find(setting.keyForAll()) : value;
    }

    private @Nullable Value find(String key) {
        Value named = values.get(key);
        Value variable = hasVariables ? values.get(variable(key)) : null;
        return variable == null || (named != null && named.rank < variable.rank) ? named : variable;
    }

    /**
     * Checks that all names are known and all values valid, whether or not they are used. Of environment variables,
     * which may belong to other programs, logs those that are probably settings misspelt.
     *
     * @return the names of the sources that have their own settings, each with the origin of the first
     * @throws ConfigurationException if a name is unknown or a value invalid
     */
    Map<String, String> check(Collection<Setting<?>> known) {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Map.Entry<String, Value> each : values.entrySet()) {
            String key = each.getKey();
            Value value = each.getValue();
            boolean isVariable = isVariable(key);
            Setting<?> setting = isVariable ? ofVariable(key, known) : setting(key, known);
            if (setting == null && isVariable) {
                warnIfMisspelt(key, known);
                continue;
            }
            if (setting == null) {
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_SETTING,
                        "no setting is called " + Characters.line(key) + "; the nearest known are "
                                + nearestSettings(key, known) + Extensions.moduleForKey(key, known) + " (from "
                                + value.origin + ")");
            }
            parse(setting, isVariable ? setting.toString() : key, value);
            if (key.startsWith(Setting.SOURCES)) {
                sources.putIfAbsent(key.substring(Setting.SOURCES.length(), endOfSource(key, known)), value.origin);
            }
        }
        return sources;
    }

    private static void warnIfMisspelt(String variable, Collection<Setting<?>> known) {
        String nearest = known.stream()
                .map(setting -> variable(setting.toString()))
                .min(Comparator.comparingInt(each -> distance(variable, each, false)))
                .orElse("");
        if (distance(variable, nearest, false) <= MISSPELT) {
            System.getLogger(Settings.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "the environment variable " + Characters.line(variable)
                                    + " is ignored; the setting is called " + nearest);
        }
    }

    /** Returns whether some names are not those of known settings. */
    boolean hasOthers(Collection<Setting<?>> known) {
        for (String name : values.keySet()) {
            if ((isVariable(name) ? ofVariable(name, known) : setting(name, known)) == null) {
                return true;
            }
        }
        return false;
    }

    /** Returns the setting with a variable, for all sources; null if there is none. */
    private static @Nullable Setting<?> ofVariable(String variable, Collection<Setting<?>> known) {
        for (Setting<?> setting : known) {
            if (variable.equals(variable(setting.toString()))) {
                return setting;
            }
        }
        return null;
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
            return setting.parse(value.text);
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
        return known.stream()
                .sorted(Comparator.<Setting<?>>comparingInt(setting -> distance(rest, setting.key(), ofSource))
                        .thenComparing(Setting::toString))
                .limit(NEAREST)
                .map(setting -> ofSource ? setting.keyFor("<name>") : setting.toString())
                .collect(Collectors.joining(", "));
    }

    /** Returns the known words nearest to a misspelt one, nearest first. */
    static String nearest(String word, Collection<String> known) {
        return known.stream()
                .sorted(Comparator.<String>comparingInt(each -> distance(word, each, false))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(NEAREST)
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
