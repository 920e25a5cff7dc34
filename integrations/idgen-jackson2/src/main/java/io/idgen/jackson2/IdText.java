package io.idgen.jackson2;

import java.util.regex.Pattern;

/** Ids as decimal digits. */
final class IdText {
    private static final Pattern DIGITS = Pattern.compile("-?[0-9]{1,19}");

    private IdText() {}

    /** Parses digits; throws IllegalArgumentException for any other text, and above the range of a long. */
    static long parse(String text) {
        if (DIGITS.matcher(text).matches()) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                // refused below
            }
        }
        throw new IllegalArgumentException("an id is a string of decimal digits, without spaces and at most "
                + Long.MAX_VALUE + "; send the id as it was received");
    }
}
