package io.idgen.jackson2;

import io.idgen.text.PublicIds;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of an id.
 *
 * @param publicIds encode it; null for decimal digits
 */
record IdForm(@Nullable PublicIds publicIds) {
    /** 2^53 - 1, the largest number that JavaScript distinguishes from its neighbours. */
    static final long LARGEST_EXACT = (1L << 53) - 1;

    private static final Pattern DIGITS = Pattern.compile("-?[0-9]{1,19}");

    String write(long id) {
        return publicIds == null ? Long.toString(id) : publicIds.encode(id);
    }

    /** Reads a text; throws IllegalArgumentException for a text that is no id. */
    long read(String text) {
        if (publicIds != null) {
            return publicIds.decode(text);
        }
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
