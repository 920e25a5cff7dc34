package io.idgen.core.internal.lease;

import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.TimeSource;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the virtual machine was copied, or set back to a snapshot, by the generation counter of the Linux device
 * VMClock. The hypervisor changes the counter before it starts the copy; in the original, the counter stays. If there
 * is no such device, or it is not readable, nothing is read and nothing is detected. Safe for many threads.
 */
public final class VmGeneration {
    /** Detects nothing. */
    public static final VmGeneration NONE = new VmGeneration(null, CautiousTime.SYSTEM);

    /** How long a reading counts as present. A reading takes 4 µs, so ids cost at most 0.4 % of a core more. */
    static final Duration FRESH = Duration.ofMillis(1);

    private static final AsyncLog LOG = AsyncLog.of(VmGeneration.class);
    private static final Path DEVICE = Path.of("/dev/vmclock0");

    private final @Nullable Counter counter;
    private final TimeSource time;
    private volatile long accepted;
    private volatile long other; // the last reading that differed; equal to the accepted one if none did
    private volatile long readNanos;
    private volatile boolean failing;

    /** The counter of the virtual machine. */
    @FunctionalInterface
    interface Counter {
        long read() throws IOException;
    }

    private VmGeneration(@Nullable Counter counter, TimeSource time) {
        this.counter = counter;
        this.time = time;
    }

    /** Returns a detector that has accepted the present generation. */
    static VmGeneration of(Counter counter, TimeSource time) throws IOException {
        VmGeneration generation = new VmGeneration(counter, time);
        generation.other = counter.read();
        generation.accept();
        generation.readNanos = time.nanoTime() - FRESH.toNanos(); // the first id reads again
        return generation;
    }

    /** Returns a detector for this machine. Takes microseconds. */
    public static VmGeneration ofThisMachine(TimeSource time) {
        return ofDevice(DEVICE, time);
    }

    static VmGeneration ofDevice(Path device, TimeSource time) {
        if (!Files.isReadable(device)) {
            return NONE;
        }
        try {
            return of(new VmClock(device), time);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "copies of this machine are not detected: {0}", e.toString());
            return NONE;
        }
    }

    /** Returns whether the machine has become a copy that is not accepted yet. Reads if the last reading is old. */
    boolean isCopy() {
        if (counter == null) {
            return false;
        }
        long age = time.nanoTime() - readNanos;
        boolean old = age < 0 || age >= FRESH.toNanos();
        return old ? isCopyNow() : other != accepted;
    }

    /** Reads the counter, and returns whether the machine has become a copy that is not accepted yet. */
    boolean isCopyNow() {
        if (counter == null) {
            return false;
        }
        long begun = time.nanoTime(); // the machine may be copied before the end of the reading
        try {
            long present = counter.read();
            if (present != accepted) {
                other = present;
            }
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        "a copy of this machine would not be detected now: {0}",
                        String.valueOf(e.getMessage()));
            }
        }
        readNanos = begun;
        return other != accepted;
    }

    /** Accepts the last generation that differed. No id of an earlier one is generated any more. */
    void accept() {
        accepted = other;
    }

    /**
     * The device. It is opened for each read: an open file would make CRaC checkpoints fail, an interrupt would close a
     * channel, and Java maps no character device. The driver returns only consistent contents.
     *
     * @see <a href="https://github.com/torvalds/linux/blob/master/include/uapi/linux/vmclock-abi.h">struct
     *     vmclock_abi</a>. All fields are little-endian. The specification 1.0 has another bit and another offset for
     *     the counter. This class follows the header, which drivers and hypervisors use
     */
    private record VmClock(Path device) implements Counter {
        private static final int MAGIC = 0x4b4c4356; // VCLK
        private static final int VERSION_AT = 8;
        private static final int FLAGS_AT = 24;
        private static final long COUNTER_PRESENT = 1 << 8;
        private static final int COUNTER_AT = 104;
        private static final int BYTES = COUNTER_AT + Long.BYTES;

        @Override
        public long read() throws IOException {
            byte[] bytes = new byte[BYTES];
            try (InputStream in = new FileInputStream(device.toFile())) {
                if (in.read(bytes) != BYTES) {
                    throw new IOException(device + " has no counter of generations: it is too short");
                }
            }
            ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            if (fields.getInt(0) != MAGIC
                    || fields.getShort(VERSION_AT) != 1
                    || (fields.getLong(FLAGS_AT) & COUNTER_PRESENT) == 0) {
                throw new IOException(device + " has no counter of generations");
            }
            return fields.getLong(COUNTER_AT);
        }
    }
}
