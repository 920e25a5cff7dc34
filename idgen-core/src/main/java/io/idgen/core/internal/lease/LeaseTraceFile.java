package io.idgen.core.internal.lease;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes the last {@value #BYTES} bytes of a trace to a memory-mapped file, so that a kill of the process loses no
 * entry. An entry is a line with a number. Off unless the system property {@value #FOLDER} names a folder.
 */
final class LeaseTraceFile implements LeaseTrace {
    static final String FOLDER = "io.idgen.lease.trace";
    static final int BYTES = 8 << 20;

    /** The first character of a complete line. What an overwritten line leaves behind does not begin with it. */
    static final char COMPLETE = '#';

    private final ByteBuffer ring;
    private long number;

    private LeaseTraceFile(ByteBuffer ring) {
        this.ring = ring;
    }

    /**
     * Opens a file of its own for a lease, if the system property is set.
     *
     * @param namespace the beginning of the file's name
     * @throws IllegalStateException if the file cannot be created
     */
    static LeaseTrace ofProperty(String namespace) {
        String folder = System.getProperty(FOLDER);
        return folder == null
                ? OFF
                : createIn(
                        Path.of(folder),
                        namespace + "-" + ProcessHandle.current().pid() + "-");
    }

    /** Creates a file with a name that no other has: a process can have the number of an earlier one. */
    static LeaseTrace createIn(Path folder, String prefix) {
        try {
            Path file = Files.createTempFile(folder, prefix, ".trace");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return new LeaseTraceFile(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
            }
        } catch (IOException e) {
            throw new IllegalStateException("a lease cannot be traced to a file in " + folder + "; see -D" + FOLDER, e);
        }
    }

    @Override
    public void add(Object entry) {
        number++;
        byte[] line = (" " + number + " " + entry + "\n").getBytes(StandardCharsets.UTF_8);
        if (line.length > ring.remaining()) {
            ring.position(0);
        }
        int start = ring.position();
        ring.put(line, 0, Math.min(line.length, BYTES));
        ring.put(start, (byte) COMPLETE); // last, because a kill may come at any time
    }
}
