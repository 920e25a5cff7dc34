package io.idgen.text.internal;

import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of an id in JSON.
 *
 * @param publicIds encode it; null for decimal digits
 */
public record IdForm(@Nullable PublicIds publicIds) {
    /** An id as decimal digits. */
    public static final IdForm DIGITS = new IdForm(null);

    /** 2^53 - 1, the largest number that JavaScript distinguishes from its neighbours. */
    private static final long LARGEST_EXACT = (1L << 53) - 1;

    private static final Pattern DIGITS_OF_LONG = Pattern.compile("-?[0-9]{1,19}");

    /**
     * Returns the form of a public id.
     *
     * @param keys those of the module; null if it has none
     * @param attribute the name of the attribute
     */
    public static IdForm of(PublicId annotation, @Nullable PublicIds keys, String attribute) {
        if (keys == null) {
            throw new IllegalArgumentException("attribute '" + attribute + "' has @PublicId, and the"
                    + " module has no keys to encode ids with; create it by new IdgenModule().withPublicIds(…)");
        }
        return new IdForm(keys.withPrefix(annotation.value()));
    }

    /** Returns whether JavaScript rounds a number, which may be above the range of a long. */
    public static boolean isRounded(Number number) {
        return number instanceof Long id
                ? id > LARGEST_EXACT || id < -LARGEST_EXACT
                : Math.abs(number.doubleValue()) > LARGEST_EXACT;
    }

    /** Returns an id as text. */
    public String write(long id) {
        return publicIds == null ? Long.toString(id) : publicIds.encode(id);
    }

    /** Reads a text; throws IllegalArgumentException for a text that is no id. */
    public long read(String text) {
        if (publicIds != null) {
            return publicIds.decode(text);
        }
        if (DIGITS_OF_LONG.matcher(text).matches()) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                // refused below
            }
        }
        throw new IllegalArgumentException("an id is a string of decimal digits, without spaces and at most "
                + Long.MAX_VALUE + "; send the id as it was received");
    }

    /** Returns why a number is not read as an id; null if it is. */
    public @Nullable String refusal(Number number) {
        if (publicIds != null) {
            return "a public id is a string like k1_ and 13 characters; send that string";
        }
        return isRounded(number)
                ? "above 2^53 - 1 (" + LARGEST_EXACT + "), an id must be a JSON string: JavaScript and other clients"
                        + " round such numbers to another id; send the id as a string of digits, as it was received"
                : null;
    }
}
