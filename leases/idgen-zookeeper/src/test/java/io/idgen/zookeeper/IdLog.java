package io.idgen.zookeeper;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.LongStream;

/** A file of ids. One process appends to it and another one reads it. Nothing is buffered, so a kill loses no id. */
final class IdLog {
    private static final int MOST_IDS = 1_000_000;

    private final LongBuffer ids;

    private IdLog(LongBuffer ids) {
        this.ids = ids;
    }

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

    /** Returns the ids so far. */
    LongStream ids() {
        return LongStream.range(0, MOST_IDS).map(i -> ids.get((int) i)).takeWhile(id -> id != 0);
    }
}
