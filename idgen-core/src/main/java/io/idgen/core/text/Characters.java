package io.idgen.core.text;

/** How messages show a character that someone else has typed: never as a line break in a log, or as two that look alike. */
final class Characters {
    private Characters() {}

    /** The character in quotes if it is visible ASCII, else its code point. */
    static String show(char c) {
        return c > ' ' && c <= '~' ? "'" + c + "'" : String.format("U+%04X", (int) c);
    }
}
