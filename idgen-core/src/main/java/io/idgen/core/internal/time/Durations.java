package io.idgen.core.internal.time;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Parses and formats durations of settings and messages: a whole number and a unit, {@code 5ms}, {@code 30 s},
 * {@code 10min}.
 */
public final class Durations {
    private static final int MOST_DIGITS = 12;

    /** The longest timeout of a call. */
    public static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

    private Durations() {}

    /**
     * Checks how long a call may wait.
     *
     * @throws IllegalArgumentException if it is not above zero, or above a day
     */
    public static Duration checkTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "a timeout is above zero, at most " + text(LONGEST_TIMEOUT) + ", got " + text(timeout));
        }
        return timeout;
    }

    /**
     * Parses a number with its unit (ms, s, m, min, h, d), or ISO 8601 ({@code PT0.5S}). A number without a unit is an
     * error.
     *
     * @throws IllegalArgumentException if the text is neither, or the duration is negative
     */
    public static Duration parse(String text) {
        String stripped = text.strip();
        int digits = 0;
        while (digits < stripped.length() && stripped.charAt(digits) >= '0' && stripped.charAt(digits) <= '9') {
            digits++;
        }
        ChronoUnit unit = unit(stripped.substring(digits).strip());
        if (unit != null && digits > 0 && digits <= MOST_DIGITS) {
            return Duration.of(Long.parseLong(stripped.substring(0, digits)), unit);
        }
        try {
            Duration iso = Duration.parse(stripped);
            if (!iso.isNegative()) {
                return iso;
            }
        } catch (DateTimeParseException e) {
            // the same message as for any other text, below
        }
        throw new IllegalArgumentException(
                "a duration is a whole number with a unit (ms, s, min, h, d), for example 5ms or 3s, got '"
                        + Characters.line(text) + "'");
    }

    private static @Nullable ChronoUnit unit(String text) {
        return switch (text) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m", "min" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            case "d" -> ChronoUnit.DAYS;
            default -> null;
        };
    }

    /**
     * Formats a duration for {@link #parse}, in the largest unit that is exact; finer than a millisecond as ISO 8601.
     */
    public static String text(Duration duration) {
        if (duration.isNegative()) {
            return "-" + text(duration.negated());
        }
        if (duration.getNano() % 1_000_000 != 0) {
            return duration.toString();
        }
        long seconds = duration.getSeconds();
        if (duration.getNano() != 0 || seconds == 0) {
            return duration.toMillis() + " ms";
        }
        if (seconds % 3600 == 0) {
            return seconds / 3600 + " h";
        }
        return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }
}
