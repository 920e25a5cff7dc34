package io.idgen.text;

import java.time.Duration;
import java.util.StringJoiner;

/** Formats durations for people: {@code 37 ms}, {@code 2 d 3 h 4.005 s}. */
public final class Spans {
    private Spans() {}

    /** Formats the whole milliseconds of a duration that is not negative. */
    public static String text(Duration span) {
        StringJoiner text = new StringJoiner(" ");
        addUnlessZero(text, span.toDaysPart(), "d");
        addUnlessZero(text, span.toHoursPart(), "h");
        addUnlessZero(text, span.toMinutesPart(), "min");
        int seconds = span.toSecondsPart();
        int millis = span.toMillisPart();
        if (seconds > 0 && millis > 0) {
            text.add(seconds + "." + String.valueOf(1000 + millis).substring(1) + " s");
        } else {
            addUnlessZero(text, seconds, "s");
            addUnlessZero(text, millis, "ms");
        }
        return text.length() == 0 ? "0 ms" : text.toString();
    }

    private static void addUnlessZero(StringJoiner text, long amount, String unit) {
        if (amount != 0) {
            text.add(amount + " " + unit);
        }
    }
}
