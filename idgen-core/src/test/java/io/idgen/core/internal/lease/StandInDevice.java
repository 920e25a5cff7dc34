package io.idgen.core.internal.lease;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that stands in for the device VMClock, with the page that Linux shows. */
public record StandInDevice(Path file) {

    /** Creates the device of a machine of generation 0. */
    public StandInDevice {
        write(file, page(0));
    }

    /** Lets the hypervisor change the generation. */
    public void set(long generation) {
        write(file, page(generation));
    }

    /** Returns the page, in little-endian order: struct vmclock_abi of Linux, and zeros. */
    static ByteBuffer page(long generation) {
        ByteBuffer page = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        page.put(0, new byte[] {'V', 'C', 'L', 'K'}).putInt(4, 4096).putShort(8, (short) 1);
        page.put(10, (byte) 0xff); // no clock
        return page.putLong(24, 1 << 8).putLong(104, generation);
    }

    static void write(Path file, ByteBuffer page) {
        try {
            Files.write(file, page.array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
