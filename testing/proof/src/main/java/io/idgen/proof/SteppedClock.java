package io.idgen.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A clock of processes, which {@code stepped-clock.c} sets ahead of the machine's by the seconds in a file. */
final class SteppedClock {
    /** The environment variable with the file. */
    static final String VARIABLE = "STEPPED_CLOCK";

    private final LongBuffer ahead;

    /** Opens a file, or creates it. */
    SteppedClock(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            ahead = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the clock of all servers, and of this process, which starts them. Without {@code proof/run} nobody
     * follows it.
     */
    static SteppedClock ofServers(Path folder) {
        String file = System.getenv(VARIABLE);
        return new SteppedClock(file == null ? folder.resolve("servers-clock") : Path.of(file));
    }

    /** Returns by how many seconds it is ahead of the machine's clock; negative if it is behind. */
    long ahead() {
        return ahead.get(0);
    }

    /** Sets the clock ahead of the machine's, or behind it. */
    void stepTo(long seconds) {
        ahead.put(0, seconds);
    }
}
