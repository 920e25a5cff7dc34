package io.idgen.cli.common;

import io.idgen.text.IdCodec;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The text forms of ids, and their names on the command line. */
public final class TextForms implements ITypeConverter<IdCodec>, Iterable<String> {
    private static final int HEX_DIGITS = IdCodec.HEX.maxLength();

    TextForms() {}

    /**
     * Returns the name of a form.
     *
     * @param form any form
     * @return the name in lower case
     */
    public static String name(IdCodec form) {
        return form.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the form with a name.
     *
     * @param name a name from {@link #name(IdCodec)}
     * @return the form
     * @throws BadInputException if there is no such form
     */
    public static IdCodec named(String name) {
        return Arrays.stream(IdCodec.values())
                .filter(form -> name(form).equals(name))
                .findFirst()
                .orElseThrow(() -> new BadInputException(
                        "a text form must be one of " + String.join(", ", names()) + ", got '" + name + "'"));
    }

    @Override
    public IdCodec convert(String name) {
        try {
            return named(name);
        } catch (BadInputException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Iterator<String> iterator() {
        return names().iterator();
    }

    private static List<String> names() {
        return Arrays.stream(IdCodec.values()).map(TextForms::name).toList();
    }

    /**
     * Parses an id.
     *
     * @param text the text as it was typed
     * @param form its form; null for decimal, or hex with the prefix 0x
     * @param howTo how the user chooses another form, before the form's name
     * @return the id, 0 or above
     * @throws BadInputException if the text is not an id in this form; the message names other possible forms
     */
    public static long parse(String text, @Nullable IdCodec form, String howTo) {
        if (text.matches("-\\d+")) {
            throw new BadInputException("an id is never negative, got " + text
                    + "; the program that wrote it has an overflow, or the number is a hash");
        }
        IdCodec assumed = form != null ? form : isPrefixed(text) ? IdCodec.HEX : IdCodec.DECIMAL;
        try {
            return decode(text, assumed);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(
                    "'" + text + "' is not an id in " + name(assumed) + ": " + e.getMessage()
                            + wayOut(text, assumed, howTo),
                    e);
        }
    }

    private static String wayOut(String text, IdCodec not, String howTo) {
        String others = Arrays.stream(IdCodec.values())
                .filter(form -> form != not && reads(text, form))
                .map(TextForms::name)
                .collect(Collectors.joining(" or "));
        return others.isEmpty() ? "; compare it with its source" : "; if it has another form, " + howTo + others;
    }

    private static boolean reads(String text, IdCodec form) {
        try {
            decode(text, form);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Accepts hexadecimal digits with a prefix and without leading zeros. */
    private static long decode(String text, IdCodec form) {
        if (form != IdCodec.HEX) {
            return form.decode(text);
        }
        String digits = isPrefixed(text) ? text.substring(2) : text;
        return form.decode("0".repeat(Math.max(0, digits.isEmpty() ? 0 : HEX_DIGITS - digits.length())) + digits);
    }

    private static boolean isPrefixed(String text) {
        return text.startsWith("0x") || text.startsWith("0X");
    }
}
