package io.idgen.cli.analysis;

import java.io.IOException;
import java.io.Reader;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads decimal ids, one per line. */
public final class IdLines {
    private static final int MOST_QUOTED = 40;

    /** The longest line in characters. An id has at most 20; the rest allows for the white space of reports. */
    private static final int LONGEST_LINE = 1_000;

    private final Reader in;
    private final String name;
    private final Consumer<IllegalArgumentException> badLine;
    private long number;

    private IdLines(Reader in, String name, Consumer<IllegalArgumentException> badLine) {
        this.in = in;
        this.name = name;
        this.badLine = badLine;
    }

    /**
     * Reads all ids. Ignores blank lines.
     *
     * @param in a buffered reader, read to the end but not closed
     * @param name the name of the input, for error messages
     * @param ids receives the ids
     * @param badLine receives the refusal of each line that is not a 64-bit number or is longer than 1,000 characters;
     *     its message names input and line. If it returns, the line is skipped
     * @throws IOException if the input cannot be read
     */
    public static void forEach(Reader in, String name, LongConsumer ids, Consumer<IllegalArgumentException> badLine)
            throws IOException {
        IdLines lines = new IdLines(in, name, badLine);
        while (lines.next(ids)) {
            // the next line
        }
    }

    /** Reads a line of bounded length, so that an endless line does not fill the memory. Returns false at the end. */
    private boolean next(LongConsumer ids) throws IOException {
        number++;
        StringBuilder line = new StringBuilder();
        int c = in.read();
        boolean isTooLong = false;
        while (c >= 0 && c != '\n' && c != '\r') {
            if (line.length() < LONGEST_LINE) {
                line.append((char) c);
            } else if (!isTooLong) {
                isTooLong = true;
                refuse("more than " + LONGEST_LINE + " characters", null);
            }
            c = in.read();
        }
        if (!isTooLong) {
            accept(line.toString().strip(), ids);
        }
        if (c == '\r') { // a line end of Windows counts as one
            in.mark(1);
            if (in.read() != '\n') {
                in.reset();
            }
        }
        return c >= 0;
    }

    private void accept(String text, LongConsumer ids) {
        if (text.isEmpty()) {
            return;
        }
        long id;
        try {
            id = Long.parseLong(text);
        } catch (NumberFormatException e) {
            refuse("'" + (text.length() <= MOST_QUOTED ? text : text.substring(0, MOST_QUOTED) + "...") + "'", e);
            return;
        }
        ids.accept(id);
    }

    private void refuse(String found, @Nullable Exception cause) {
        badLine.accept(new IllegalArgumentException(
                name + ", line " + number + ": one decimal id of at most 64 bits is expected, got " + found, cause));
    }
}
