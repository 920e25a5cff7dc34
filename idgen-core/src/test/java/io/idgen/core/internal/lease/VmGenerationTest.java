package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.testing.Quiet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The counter of a virtual machine, read from a file that stands in for the device. */
@Quiet(VmGeneration.class)
class VmGenerationTest {
    private final VirtualTime time = new VirtualTime();

    @TempDir
    private Path directory;

    private StandInDevice device;

    @BeforeEach
    void createDevice() {
        device = new StandInDevice(directory.resolve("vmclock0"));
    }

    private VmGeneration generation() {
        return VmGeneration.ofDevice(device.file(), time);
    }

    @Test
    void anotherGenerationIsACopyUntilItIsAccepted() {
        VmGeneration generation = generation();
        assertThat(generation.isCopy()).isFalse();

        device.set(7);
        assertThat(generation.isCopyNow()).isTrue();
        assertThat(generation.isCopy()).isTrue();

        generation.accept();
        assertThat(generation.isCopyNow()).isFalse();
        assertThat(generation.isCopy()).isFalse();
    }

    @Test
    void aReadingCountsForAMillisecond() throws IOException {
        AtomicInteger readings = new AtomicInteger();
        VmGeneration generation = VmGeneration.of(
                () -> {
                    readings.incrementAndGet();
                    return 0;
                },
                time);

        for (int call = 0; call < 100; call++) {
            generation.isCopy();
            time.pass(Duration.ofNanos(100_000));
        }

        assertThat(readings).hasValue(1 + 10);
    }

    @Test
    void aCopyStaysOneIfTheDeviceFailsThen() throws IOException {
        VmGeneration generation = generation();
        device.set(1);
        assertThat(generation.isCopyNow()).isTrue();

        Files.delete(device.file());

        assertThat(generation.isCopyNow()).isTrue();
    }

    @Test
    void aDeviceThatFailsIsReadAgain() throws IOException {
        VmGeneration generation = generation();
        Files.delete(device.file());
        assertThat(generation.isCopyNow()).isFalse();

        device.set(1);

        assertThat(generation.isCopyNow()).isTrue();
    }

    @Test
    void anInterruptedThreadReadsTooAndStaysInterrupted() {
        VmGeneration generation = generation();
        device.set(1);

        Thread.currentThread().interrupt();
        boolean copy = generation.isCopyNow();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(copy).isTrue();
    }

    @Test
    void withoutADeviceNothingIsDetected() throws IOException {
        Files.delete(device.file());

        assertThat(generation()).isSameAs(VmGeneration.NONE);
        assertThat(VmGeneration.NONE.isCopyNow()).isFalse();
    }

    private void isIgnored(Consumer<ByteBuffer> change) {
        ByteBuffer page = StandInDevice.page(1);
        change.accept(page);
        StandInDevice.write(device.file(), page);
        assertThat(generation()).isSameAs(VmGeneration.NONE);
    }

    @Test
    void aDeviceWithoutTheCounterIsIgnored() throws IOException {
        isIgnored(page -> page.putInt(0, 0));
        isIgnored(page -> page.putShort(8, (short) 2));
        isIgnored(page -> page.putLong(24, 1 << 7)); // TIME_MONOTONIC
        Files.write(device.file(), new byte[100]);
        assertThat(generation()).isSameAs(VmGeneration.NONE);
    }
}
