package io.idgen.jdbc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Ids in a memory-mapped file, each with the time of its call. One process appends to it and another one reads it.
 * Nothing is buffered, so a kill loses no id.
 */
public final class IdLog {
    private static final int LONGS = 2; // an id and its time

    private final LongBuffer entries;

    private IdLog(LongBuffer entries) {
        this.entries = entries;
    }

    /** Opens a file with room for a million ids, or creates it. */
    public static IdLog open(Path file) {
        return open(file, 1_000_000);
    }

    /** Opens a file, or creates it. Disk space is used only for what is written. */
    public static IdLog open(Path file, int mostIds) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            return new IdLog(channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) Long.BYTES * LONGS * mostIds)
                    .asLongBuffer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends an id, without the time of its call. */
    public void append(long id) {
        append(id, 0);
    }

    /** Appends an id, with the machine's monotonic time before the call that returned it. The id is written last. */
    public void append(long id, long nanoTime) {
        int at = entries.position();
        entries.put(at + 1, nanoTime);
        entries.put(at, id);
        entries.position(at + LONGS);
    }

    public boolean hasRoom() {
        return entries.hasRemaining();
    }

    /** Returns the number of ids so far. */
    public int count() {
        int low = 0; // all ids before this index exist
        int high = entries.capacity() / LONGS; // no id from this index on exists
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (id(middle) == 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    public long id(int index) {
        return entries.get(index * LONGS);
    }

    public long nanoTime(int index) {
        return entries.get(index * LONGS + 1);
    }

    public long last() {
        return id(count() - 1);
    }

    /** Returns the ids so far from an index on, in the order in which they were appended. */
    public LongStream from(int index) {
        return IntStream.range(index, count()).mapToLong(this::id);
    }
}
