package io.idgen.jdbc;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Ids in a file that one process appends to and another one reads. Nothing is buffered, so that a kill loses no id. The
 * file has room for {@value #MOST_IDS} ids.
 */
final class IdLog {
    static final int MOST_IDS = 1_000_000;

    private final LongBuffer ids;

    private IdLog(LongBuffer ids) {
        this.ids = ids;
    }

    /** Opens a file, or creates it. */
    static IdLog open(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            return new IdLog(channel.map(FileChannel.MapMode.READ_WRITE, 0, 8L * MOST_IDS)
                    .asLongBuffer());
        }
    }

    void append(long id) {
        ids.put(id);
    }

    boolean hasRoom() {
        return ids.hasRemaining();
    }

    /** Returns the number of ids so far. */
    int count() {
        int low = 0; // all ids before this index exist
        int high = MOST_IDS; // no id from this index on exists
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ids.get(middle) == 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    long last() {
        return ids.get(count() - 1);
    }

    /** Returns the ids from an index on, in the order in which they were appended. */
    long[] from(int index) {
        long[] appended = new long[count() - index];
        ids.get(index, appended);
        return appended;
    }
}
