package io.idgen.cli.common;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Reads files that the build packages next to classes. */
public final class Resources {
    private Resources() {}

    /**
     * Reads a file.
     *
     * @param neighbour a class of the file's package
     * @param name the name of the file in the package
     * @return the content
     */
    public static byte[] read(Class<?> neighbour, String name) {
        try (InputStream in = Objects.requireNonNull(neighbour.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
