package io.idgen.core.inspect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads files, and what else has lines, of decimal ids, one to a line. */
final class IdFile {
    private static final int MOST_QUOTED = 40;

    private IdFile() {}

    static void forEach(Path file, LongConsumer ids) throws IOException {
        // Latin-1 has a character for each byte: what is no digit, of whatever encoding, is then refused with its line.
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
            forEach(lines, file.toString(), ids);
        }
    }

    static void forEach(BufferedReader lines, String name, LongConsumer ids) throws IOException {
        long number = 1;
        for (String line = read(lines, name, 1); line != null; line = read(lines, name, ++number)) {
            String text = line.strip();
            if (!text.isEmpty()) {
                ids.accept(parse(text, name, number));
            }
        }
    }

    private static @Nullable String read(BufferedReader lines, String file, long number) throws IOException {
        try {
            return lines.readLine();
        } catch (IOException e) {
            throw new IOException(file + ", line " + number + ": " + e.getMessage(), e);
        }
    }

    private static long parse(String text, String file, long number) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            String quoted = text.length() <= MOST_QUOTED ? text : text.substring(0, MOST_QUOTED) + "...";
            throw new IllegalArgumentException(
                    file + ", line " + number + ": one decimal id of at most 64 bits is expected, got '" + quoted + "'",
                    e);
        }
    }
}
