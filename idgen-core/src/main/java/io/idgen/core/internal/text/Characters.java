package io.idgen.core.internal.text;

/**
 * How messages show text that somebody else has typed. A terminal would obey its control characters, a log would end the line,
 * and bidirectional overrides would show it in another order than it has.
 */
public final class Characters {
    private Characters() {}

    /**
     * Shows one character.
     *
     * @param c any
     * @return the character in quotes if it is visible ASCII, else its code point
     */
    public static String show(char c) {
        return c > ' ' && c <= '~' ? "'" + c + "'" : String.format("U+%04X", (int) c);
    }

    /**
     * Shows a text on one line.
     *
     * @param text any
     * @return the text, with Unicode escapes in place of {@linkplain #isHidden hidden} characters
     */
    public static String line(String text) {
        return escape(text, false);
    }

    /**
     * Shows a text of several lines.
     *
     * @param text any
     * @return as {@link #line} does it, with the line feeds and tabs left as they are
     */
    public static String lines(String text) {
        return escape(text, true);
    }

    /**
     * Whether a character changes how others are shown and has no look of its own: a control or format character, or one that
     * ends a line or paragraph.
     *
     * @param c any
     * @return true for escape, line feed, bidirectional overrides and the like
     */
    public static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static String escape(String text, boolean severalLines) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isHidden(c) && !(severalLines && (c == '\n' || c == '\t'))) {
                escaped.append(String.format("\\u%04X", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
