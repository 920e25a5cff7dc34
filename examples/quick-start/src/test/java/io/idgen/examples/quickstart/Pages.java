package io.idgen.examples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** README and the pages of docs. */
final class Pages {
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private Pages() {}

    /** README and the pages for users, without those for contributors. */
    static List<Path> forUsers() {
        return Stream.concat(Stream.of(ROOT.resolve("README.md")), in("docs")).toList();
    }

    /** Returns the pages in a folder. */
    static Stream<Path> in(String folder) {
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
