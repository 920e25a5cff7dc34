package io.idgen.benchmarks.insert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What else the machine does while something is measured, as Linux counts it; elsewhere it is said to be unknown. */
final class OtherLoad {
    private static final Path CPU = Path.of("/proc/stat");
    private static final Path AVERAGE = Path.of("/proc/loadavg");
    // user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in user already
    private static final int TIMES = 8;
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;

    private final Optional<ProcessHandle> server;
    private final Sample start;

    private OtherLoad(Optional<ProcessHandle> server) {
        this.server = server;
        this.start = sample();
    }

    /** Begins now; what the server's processes use is not other load. */
    static OtherLoad beside(Optional<ProcessHandle> server) {
        return new OtherLoad(server);
    }

    /** What it was from the beginning until now. */
    String describe() {
        if (!Files.exists(CPU)) {
            return "other load: unknown on this system";
        }
        Sample now = sample();
        double all = now.all - start.all;
        double ours = (now.ours.toMillis() - start.ours.toMillis()) / 10.0; // counted in hundredths of a second
        double others = Math.max(0, now.busy - start.busy - ours);
        return String.format(
                Locale.ROOT,
                "other processes used %.0f %% of %d processors; load average %s before, %s after (this benchmark included)",
                all == 0 ? 0 : 100 * others / all,
                Runtime.getRuntime().availableProcessors(),
                start.average,
                now.average);
    }

    private record Sample(long all, long busy, Duration ours, String average) {}

    private Sample sample() {
        try {
            if (!Files.exists(CPU)) {
                return new Sample(0, 0, Duration.ZERO, "");
            }
            long[] times = Arrays.stream(Files.readAllLines(CPU).get(0).split(" +"))
                    .skip(1)
                    .limit(TIMES)
                    .mapToLong(Long::parseLong)
                    .toArray();
            long all = Arrays.stream(times).sum();
            return new Sample(
                    all,
                    all - times[IDLE] - times[IO_WAIT],
                    ours(),
                    Files.readString(AVERAGE).split(" ")[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Duration ours() {
        return Stream.concat(
                        Stream.of(ProcessHandle.current()),
                        server.stream().flatMap(process -> Stream.concat(Stream.of(process), process.descendants())))
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
