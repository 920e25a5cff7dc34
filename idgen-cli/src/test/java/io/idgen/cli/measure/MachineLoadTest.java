package io.idgen.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Compares two measurements of the same time, because other processes run on the machine of a test too. */
class MachineLoadTest {
    private static final Duration USED = Duration.ofMillis(400);

    @Test
    void countsOtherProcessesButNotTheServerThatTakesPart() throws IOException {
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            long start = System.nanoTime();
            MachineLoad all = new MachineLoad();
            MachineLoad withoutBusy = new MachineLoad(Optional.of(busy.toHandle()));
            Duration before = processorTime(busy);
            while (processorTime(busy).minus(before).compareTo(USED) < 0) {
                assertThat(System.nanoTime() - start)
                        .isLessThan(Duration.ofMinutes(10).toNanos());
                LockSupport.parkNanos(1_000_000);
            }

            double others = all.othersUsed().orElseThrow();
            double othersWithout = withoutBusy.othersUsed().orElseThrow();

            double seconds = (System.nanoTime() - start) / 1e9;
            assertThat((others - othersWithout) * seconds).isGreaterThan(USED.toMillis() / 2e3);
            assertThat(all.told()).matches("other processes used \\d+\\.\\d\\d of \\d+ cores; load average .*");
        } finally {
            busy.destroyForcibly();
        }
    }

    private static Duration processorTime(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
