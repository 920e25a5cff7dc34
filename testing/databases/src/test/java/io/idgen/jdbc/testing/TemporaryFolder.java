package io.idgen.jdbc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A temporary folder for the files of a database. */
final class TemporaryFolder {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Enough for the servers of several test processes. Containers often have only 64 MB. */
    private static final long ROOM_BYTES = 4L << 30;

    private static final int ATTEMPTS = 200;
    private static final long BETWEEN_NANOS = 20_000_000;

    private TemporaryFolder() {}

    static Path create(String name) {
        try {
            return Files.createTempDirectory(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates a folder in memory if there is room: on a disk, PostgreSQL creates a database ten times more slowly. Not
     * for servers that tests kill: MariaDB maps its redo log there, and then loses no commits.
     */
    static Path createInMemory(String name) {
        try {
            return hasRoomInMemory() ? Files.createTempDirectory(MEMORY, name) : Files.createTempDirectory(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean hasRoomInMemory() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM_BYTES;
    }

    /** Copies a folder with its contents and permissions. */
    static void copy(Path folder, Path to) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(folder.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the files of a folder whose names match one of the patterns. */
    static void deleteFiles(Path folder, String... patterns) {
        String any = String.join("|", patterns);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.filter(file -> file.getFileName().toString().matches(any))
                    .toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Deletes the folder with its contents. A server or a connection that is ending may create or delete files at the
     * same time.
     */
    static void delete(Path folder) {
        IOException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                for (Path each : within(folder)) {
                    Files.deleteIfExists(each);
                }
                return;
            } catch (IOException e) {
                last = e;
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
        }
        throw new UncheckedIOException("still in use: " + folder, Objects.requireNonNull(last));
    }

    private static List<Path> within(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause()); // a file that was deleted in the meantime
        }
    }
}
