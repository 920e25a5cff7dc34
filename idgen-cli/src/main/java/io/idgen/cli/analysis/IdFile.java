package io.idgen.cli.analysis;

import io.idgen.core.internal.text.Characters;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads decimal ids from files and other readers, one id per line. */
final class IdFile {
    private static final int MOST_QUOTED = 40;

    /** The longest line in characters. An id has at most 20; the rest allows for the white space of reports. */
    private static final int LONGEST_LINE = 1_000;

    private IdFile() {}

    static void forEach(Path file, LongConsumer ids) throws IOException {
        // Latin-1 maps each byte to a character, so a line with anything but digits is refused in any encoding.
        try (Reader in = new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1)) {
            forEach(in, file.toString(), ids, refusal -> {
                throw refusal;
            });
        }
    }

    /**
     * Reads ids, one per line.
     *
     * @param badLine receives the refusal of each line that is not an id; if it returns, the line is skipped
     */
    static void forEach(Reader ids, String name, LongConsumer consumer, Consumer<IllegalArgumentException> badLine)
            throws IOException {
        Lines lines = new Lines(ids, name, badLine);
        for (String line = lines.next(); line != null; line = lines.next()) {
            String text = line.strip();
            if (text.isEmpty()) {
                continue;
            }
            long id;
            try {
                id = Long.parseLong(text);
            } catch (NumberFormatException e) {
                badLine.accept(refused(name, lines.number, "'" + quoted(text) + "'", e));
                continue;
            }
            consumer.accept(id);
        }
    }

    /** Reads lines of bounded length, and refuses an endless line before it fills the memory. */
    private static final class Lines {
        private final Reader in;
        private final String name;
        private final Consumer<IllegalArgumentException> tooLong;
        private final char[] buffer = new char[8192];
        private int at;
        private int end;
        private boolean afterReturn;
        private long number;

        Lines(Reader in, String name, Consumer<IllegalArgumentException> tooLong) {
            this.in = in;
            this.name = name;
            this.tooLong = tooLong;
        }

        /** The next line without its line end; empty if it is too long, null after the last line. */
        @Nullable
        String next() throws IOException {
            number++;
            StringBuilder line = new StringBuilder();
            boolean refused = false;
            while (true) {
                if (at == end && !fill()) {
                    return line.isEmpty() && !refused ? null : line.toString();
                }
                char c = buffer[at++];
                boolean secondOfTwo = afterReturn && c == '\n';
                afterReturn = c == '\r';
                if (secondOfTwo) {
                    continue;
                }
                if (c == '\n' || c == '\r') {
                    return line.toString();
                }
                if (line.length() == LONGEST_LINE) {
                    tooLong.accept(IdFile.refused(
                            name,
                            number,
                            "more than " + LONGEST_LINE + " characters, '" + quoted(line.toString())
                                    + "'; put each id on a line of its own",
                            null));
                    refused = true;
                    line.setLength(0);
                }
                if (!refused) {
                    line.append(c);
                }
            }
        }

        private boolean fill() throws IOException {
            try {
                at = 0;
                end = Math.max(0, in.read(buffer));
                return end > 0;
            } catch (IOException e) {
                throw new IOException(name + ", line " + number + ": " + e.getMessage(), e);
            }
        }
    }

    private static IllegalArgumentException refused(
            String file, long number, String found, @Nullable NumberFormatException cause) {
        return new IllegalArgumentException(
                file + ", line " + number + ": one decimal id of at most 64 bits is expected, got " + found, cause);
    }

    private static String quoted(String text) {
        return Characters.line(text.length() <= MOST_QUOTED ? text : text.substring(0, MOST_QUOTED) + "...");
    }
}
