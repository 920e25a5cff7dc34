package io.idgen.core.internal.time;

/**
 * Escapes characters of quoted values in messages. A terminal would execute control characters, a log would end the
 * line, and bidirectional overrides would change the order in which text appears.
 */
public final class Characters {
    private Characters() {}

    /**
     * Formats one character for a message.
     *
     * @param c any
     * @return the character in quotes if it is visible ASCII, else its code point
     */
    public static String show(char c) {
        return c > ' ' && c <= '~' ? "'" + c + "'" : String.format("U+%04X", (int) c);
    }

    /**
     * Escapes a text for one line.
     *
     * @param text any
     * @return the text, with Unicode escapes in place of {@linkplain #isHidden hidden} characters
     */
    public static String line(String text) {
        return escape(text, false);
    }

    /**
     * Escapes a text of several lines.
     *
     * @param text any
     * @return the result of {@link #line}, except that line feeds and tabs stay
     */
    public static String lines(String text) {
        return escape(text, true);
    }

    /**
     * Returns whether a character is invisible and changes how other characters appear: a control or format character,
     * one that ends a line or paragraph, or half of a surrogate pair.
     *
     * @param c any code point
     * @return true for escape, line feed, bidirectional overrides and the like
     */
    public static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    /** Returns whether a text has a {@linkplain #isHidden hidden} character. */
    static boolean hasHidden(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (isHidden(text.codePointAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static String escape(String text, boolean severalLines) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isHidden(c) && !(severalLines && (c == '\n' || c == '\t'))) {
                for (char each : Character.toChars(c)) {
                    escaped.append(String.format("\\u%04X", (int) each));
                }
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }
}
