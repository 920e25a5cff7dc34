package io.idgen.cli.common;

import io.idgen.core.config.Setting;
import java.time.Duration;

/** Parses the durations of options, which are written as those of settings. */
public final class DurationOption {
    private DurationOption() {}

    /**
     * Parses a duration.
     *
     * @param option the name of the option, for messages
     * @param text the text as it was typed, for example {@code 90s}
     * @param least the shortest duration
     * @param most the longest duration
     * @return the duration
     * @throws BadInputException if the text is not a duration, or the duration is out of range
     */
    public static Duration parse(String option, String text, Duration least, Duration most) {
        try {
            return Setting.duration(least, most).apply(text);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(option + ": " + e.getMessage(), e);
        }
    }
}
