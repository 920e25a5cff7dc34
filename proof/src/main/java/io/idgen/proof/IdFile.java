package io.idgen.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The ids of one source of a process, each with the time of its call, in a memory-mapped file. A kill of the process
 * loses none.
 */
final class IdFile {
    private static final int MOST_IDS = 4_000_000;
    private static final int LONGS = 2;

    private final LongBuffer entries;

    private IdFile(LongBuffer entries) {
        this.entries = entries;
    }

    /** Opens a file, or creates it. Disk space is used only for what is written. */
    static IdFile open(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            return new IdFile(channel.map(FileChannel.MapMode.READ_WRITE, 0, 8L * LONGS * MOST_IDS)
                    .asLongBuffer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends an id, with the machine's monotonic time before the call that returned it. The id is written last. */
    void append(long id, long nanoTime) {
        int at = entries.position();
        entries.put(at + 1, nanoTime);
        entries.put(at, id);
        entries.position(at + LONGS);
    }

    boolean hasRoom() {
        return entries.hasRemaining();
    }

    /** Returns the number of ids so far. */
    int count() {
        int low = 0; // all ids before this index exist
        int high = MOST_IDS; // no id from this index on exists
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle * LONGS) == 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    long id(int index) {
        return entries.get(index * LONGS);
    }

    long nanoTime(int index) {
        return entries.get(index * LONGS + 1);
    }
}
