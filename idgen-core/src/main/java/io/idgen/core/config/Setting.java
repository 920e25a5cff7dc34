package io.idgen.core.config;

import io.idgen.core.internal.text.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting: its name, what it means, how its text is read, and what holds when it is not given.
 *
 * <p>A setting {@code idgen.segment.step} can also be given for one source, as {@code idgen.sources.<name>.segment.step};
 * some exist only there. In the environment the name is {@code IDGEN_SEGMENT_STEP}.
 *
 * @param <T> what the text stands for
 */
public final class Setting<T> {
    static final String PREFIX = "idgen.";
    static final String SOURCES = "idgen.sources.";
    private static final String NUMBER = "<i>";

    private final String key;
    private final boolean everywhere;
    private final String meaning;
    private final Function<String, ? extends T> parser;
    private final @Nullable String defaultText;

    private Setting(
            String key,
            boolean everywhere,
            String meaning,
            Function<String, ? extends T> parser,
            @Nullable String defaultText) {
        this.key = Objects.requireNonNull(key);
        this.everywhere = everywhere;
        this.meaning = Objects.requireNonNull(meaning);
        this.parser = Objects.requireNonNull(parser);
        this.defaultText = defaultText;
    }

    /**
     * A setting for all sources or for one.
     *
     * @param key the name without its prefix {@code idgen.}, for example {@code segment.step}
     * @param meaning what it sets, with its unit, as the documentation prints it
     * @param parser reads the text; throws {@link IllegalArgumentException} with the rule and the value
     * @param <T> what the text stands for
     * @return a setting without a default
     */
    public static <T> Setting<T> of(String key, String meaning, Function<String, ? extends T> parser) {
        return new Setting<>(key, true, meaning, parser, null);
    }

    /**
     * A setting that only makes sense for one source.
     *
     * @param key the name without {@code idgen.sources.<name>.}, for example {@code start}
     * @param meaning what it sets, with its unit, as the documentation prints it
     * @param parser reads the text; throws {@link IllegalArgumentException} with the rule and the value
     * @param <T> what the text stands for
     * @return a setting without a default
     */
    public static <T> Setting<T> ofSource(String key, String meaning, Function<String, ? extends T> parser) {
        return new Setting<>(key, false, meaning, parser, null);
    }

    /**
     * The same setting with a default.
     *
     * @param text what holds when nothing is said, in the form that the parser reads
     * @return a setting
     */
    public Setting<T> withDefault(String text) {
        return new Setting<>(key, everywhere, meaning, parser, text);
    }

    /**
     * Reads a whole number.
     *
     * @param least the smallest that is allowed
     * @param most the largest that is allowed
     * @return a parser
     */
    public static Function<String, Long> wholeNumber(long least, long most) {
        return text -> {
            try {
                long number = Long.parseLong(text.strip());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // one message for what is no number and what is out of range, below
            }
            throw new IllegalArgumentException(
                    "a whole number from " + least + " to " + most + " is expected, got '" + text + "'");
        };
    }

    /**
     * Reads a duration: a whole number with its unit ({@code 5ms}, {@code 30s}, {@code 10min}) or ISO 8601.
     *
     * @param least the shortest that is allowed
     * @param most the longest that is allowed
     * @return a parser
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
     * What it sets.
     *
     * @return a sentence in English
     */
    public String meaning() {
        return meaning;
    }

    /**
     * What holds when nothing is said.
     *
     * @return a text that the setting reads, or empty if there is no default
     */
    public Optional<String> defaultText() {
        return Optional.ofNullable(defaultText);
    }

    /**
     * One of a family of settings, whose name has {@code <i>} in it where each member has its number.
     *
     * @param number the member's, 1 to 999
     * @return the setting of that member
     */
    public Setting<T> at(int number) {
        return new Setting<>(key.replace(NUMBER, Integer.toString(number)), everywhere, meaning, parser, defaultText);
    }

    /** The name by which documentation and messages call it. */
    @Override
    public String toString() {
        return everywhere ? PREFIX + key : SOURCES + "<name>." + key;
    }

    /** Whether it can be given for all sources at once. */
    boolean isForAll() {
        return everywhere;
    }

    /** What the names match that it has without any prefix: one, or one for each number. */
    Pattern keys() {
        return Pattern.compile(Pattern.quote(key).replace(NUMBER, "\\E[1-9][0-9]{0,2}\\Q"));
    }

    /** The name without any prefix. */
    String key() {
        return key;
    }

    String keyForAll() {
        return PREFIX + key;
    }

    String keyFor(String source) {
        return SOURCES + source + "." + key;
    }

    T parse(String text) {
        return parser.apply(text);
    }

    /** The default, which the setting must have; builders take theirs from here, so that each default stands once. */
    T defaultValue() {
        return parse(Objects.requireNonNull(defaultText));
    }
}
