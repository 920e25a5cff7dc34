package io.idgen.core.config;

import io.idgen.core.internal.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A setting: its name, its meaning, its parser and its default.
 *
 * <p>A setting {@code idgen.segment.step} can also be given for one source, as
 * {@code idgen.sources.<name>.segment.step}. Some settings exist for single sources only. The environment variable is
 * {@code IDGEN_SEGMENT_STEP}. Immutable.
 *
 * @param key the name without any prefix, for example {@code segment.step}
 * @param isForAll whether it can be given for all sources at once
 * @param meaning what it controls, a sentence in English
 * @param parser converts the text; throws {@link IllegalArgumentException} with the rule and the value
 * @param defaultText the default, as a text that the parser accepts
 * @param <T> the type of the value
 */
public record Setting<T>(
        String key,
        boolean isForAll,
        String meaning,
        Function<String, ? extends T> parser,
        Optional<String> defaultText) {
    static final String PREFIX = "idgen.";
    static final String SOURCES = "idgen.sources.";

    /** The parser for any text. */
    static final Function<String, String> TEXT = String::strip;

    private static final String NUMBER = "<i>";

    /**
     * Creates a setting that applies to all sources or to one.
     *
     * @param key the name without the prefix {@code idgen.}, for example {@code segment.step}
     * @param meaning a sentence for the documentation: what the setting controls, with its unit
     * @param parser converts the text; throws {@link IllegalArgumentException} with the rule and the value
     * @param <T> the type of the value
     * @return a setting without a default
     */
    public static <T> Setting<T> of(String key, String meaning, Function<String, ? extends T> parser) {
        return new Setting<>(key, true, meaning, parser, Optional.empty());
    }

    /**
     * Creates a setting that applies to one source only.
     *
     * @param key the name without {@code idgen.sources.<name>.}, for example {@code start}
     * @param meaning a sentence for the documentation: what the setting controls, with its unit
     * @param parser converts the text; throws {@link IllegalArgumentException} with the rule and the value
     * @param <T> the type of the value
     * @return a setting without a default
     */
    public static <T> Setting<T> ofSource(String key, String meaning, Function<String, ? extends T> parser) {
        return new Setting<>(key, false, meaning, parser, Optional.empty());
    }

    /**
     * Returns a copy with a default.
     *
     * @param text the default, as a text that the parser accepts
     * @return the copy
     */
    public Setting<T> withDefault(String text) {
        return new Setting<>(key, isForAll, meaning, parser, Optional.of(text));
    }

    /**
     * Returns a parser for whole numbers.
     *
     * @param least the smallest value that it accepts
     * @param most the largest value that it accepts
     * @return the parser
     */
    public static Function<String, Long> wholeNumber(long least, long most) {
        return text -> {
            try {
                long number = Long.parseLong(text.strip());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // the same message as for a number out of range, below
            }
            throw new IllegalArgumentException(
                    "a whole number from " + least + " to " + most + " is expected, got '" + text + "'");
        };
    }

    /**
     * Returns a parser for whole numbers of the type {@code int}.
     *
     * @param least the smallest value that it accepts
     * @param most the largest value that it accepts
     * @return the parser
     */
    public static Function<String, Integer> integer(int least, int most) {
        Function<String, Long> parser = wholeNumber(least, most);
        return text -> parser.apply(text).intValue();
    }

    /**
     * Returns a parser for durations: a whole number with its unit ({@code 5ms}, {@code 30s}, {@code 10min}) or ISO
     * 8601.
     *
     * @param least the shortest duration that it accepts
     * @param most the longest duration that it accepts
     * @return the parser
     */
    public static Function<String, Duration> duration(Duration least, Duration most) {
        return text -> {
            Duration duration = Durations.parse(text);
            if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
                throw new IllegalArgumentException("a duration from " + Durations.text(least) + " to "
                        + Durations.text(most) + " is expected, got '" + text + "'");
            }
            return duration;
        };
    }

    /**
     * Returns a parser for the constants of an enum, written in lower case.
     *
     * @param type the enum
     * @param <E> the enum
     * @return the parser
     */
    public static <E extends Enum<E>> Function<String, E> oneOf(Class<E> type) {
        return text -> {
            List<String> words = new ArrayList<>();
            for (E each : type.getEnumConstants()) {
                words.add(each.name().toLowerCase(Locale.ROOT));
                if (text.strip().equals(words.get(words.size() - 1))) {
                    return each;
                }
            }
            String last = words.remove(words.size() - 1);
            throw new IllegalArgumentException(
                    String.join(", ", words) + " or " + last + " is expected, got '" + text + "'");
        };
    }

    /**
     * Returns one member of a family of settings. The key of a family contains {@code <i>}, which stands for the number
     * of the member.
     *
     * @param number the number of the member, 1 to 999
     * @return the setting of that member
     */
    public Setting<T> at(int number) {
        return new Setting<>(key.replace(NUMBER, Integer.toString(number)), isForAll, meaning, parser, defaultText);
    }

    /** Returns the name that documentation and messages use. */
    @Override
    public String toString() {
        return isForAll ? PREFIX + key : keyFor("<name>");
    }

    @Override
    public int hashCode() {
        return key.hashCode(); // that of a record would be linked before the first id: see Strategies
    }

    /** Returns whether a key without any prefix is this setting's; in a family, that of any number. */
    boolean matches(String text) {
        int number = key.indexOf(NUMBER);
        return number < 0
                ? text.equals(key)
                : text.startsWith(key.substring(0, number))
                        && text.matches(Pattern.quote(key).replace(NUMBER, "\\E[1-9][0-9]{0,2}\\Q"));
    }

    String keyFor(String source) {
        return SOURCES + source + "." + key;
    }
}
