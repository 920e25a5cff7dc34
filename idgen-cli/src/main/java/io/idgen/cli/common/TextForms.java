package io.idgen.cli.common;

import io.idgen.core.text.IdCodec;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The texts that an id may have on a command line, and how they are called there. */
public final class TextForms implements ITypeConverter<IdCodec>, Iterable<String> {
    private static final int HEX_DIGITS = IdCodec.HEX.maxLength();

    TextForms() {}

    /**
     * How a form is called.
     *
     * @param form any
     * @return lower case
     */
    public static String name(IdCodec form) {
        return form.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The form of a name.
     *
     * @param name as {@link #name(IdCodec)} gives it
     * @return the form
     * @throws BadInputException if there is none
     */
    public static IdCodec named(String name) {
        return Arrays.stream(IdCodec.values())
                .filter(form -> name(form).equals(name))
                .findFirst()
                .orElseThrow(() -> new BadInputException(
                        "a text form is one of " + String.join(", ", names()) + ", got '" + name + "'"));
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
     * Reads an id.
     *
     * @param text as it was typed
     * @param form what it is, or null if that was not said: decimal, or hex after 0x
     * @return 0 or above
     * @throws BadInputException if it is no such text; says which other form it could be
     */
    public static long parse(String text, @Nullable IdCodec form) {
        if (text.matches("-\\d+")) {
            throw new BadInputException("an id is never negative, got " + text
                    + "; such a number comes from an overflow or a hash, look at what wrote it");
        }
        if (text.startsWith("-")) {
            throw new BadInputException("unknown option '" + text + "'; see --help");
        }
        IdCodec assumed = form != null ? form : isPrefixed(text) ? IdCodec.HEX : IdCodec.DECIMAL;
        try {
            return decode(text, assumed);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(
                    "'" + text + "' is no id in " + name(assumed) + ": " + e.getMessage() + wayOut(text, assumed), e);
        }
    }

    private static String wayOut(String text, IdCodec not) {
        String others = Arrays.stream(IdCodec.values())
                .filter(form -> form != not && reads(text, form))
                .map(form -> "--from " + name(form))
                .collect(Collectors.joining(" or "));
        return others.isEmpty() ? "; compare it with where it comes from" : "; if it is another form, say " + others;
    }

    private static boolean reads(String text, IdCodec form) {
        try {
            decode(text, form);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Hexadecimal digits may have a prefix, and lack zeros in front. */
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
