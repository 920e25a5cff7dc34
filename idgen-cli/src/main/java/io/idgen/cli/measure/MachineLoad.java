package io.idgen.cli.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Measures the load of other processes during a measurement, so that tables can report it. Reads Linux's {@code /proc};
 * on other systems the load is unknown.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_stat.5.html">proc_stat(5)</a>
 */
public final class MachineLoad {
    // USER_HZ, which is equal on all Linux platforms of the JDK
    private static final double TICKS_PER_SECOND = 100;

    private final Optional<ProcessHandle> server;
    private final long startNanos = System.nanoTime();
    private final double busyBefore = busySeconds();
    private final double ownBefore;

    /** Starts a measurement. */
    public MachineLoad() {
        this(Optional.empty());
    }

    /**
     * Starts a measurement.
     *
     * @param server a process that takes part in the measurement; its work and its children's do not count as other
     *     load
     */
    public MachineLoad(Optional<ProcessHandle> server) {
        this.server = server;
        this.ownBefore = ownSeconds();
    }

    /**
     * Returns how many processors other processes have used on average since the start.
     *
     * @return 0 or more, at most the number of processors; empty if the system does not report it
     */
    public OptionalDouble othersUsed() {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        double others = (busySeconds() - busyBefore - (ownSeconds() - ownBefore)) / seconds;
        return Double.isNaN(others) ? OptionalDouble.empty() : OptionalDouble.of(Math.max(0, others));
    }

    /**
     * Returns the processor time that other processes have used since the start, and the current load average.
     *
     * @return for example {@code other processes used 0.03 of 2 cores; load average 2.41}
     */
    public String told() {
        OptionalDouble others = othersUsed();
        return others.isEmpty()
                ? "the machine's other load is not known on this system"
                : String.format(
                        Locale.ROOT,
                        "other processes used %.2f of %d cores; load average %s",
                        others.getAsDouble(),
                        Runtime.getRuntime().availableProcessors(),
                        firstWord("/proc/loadavg"));
    }

    /** Returns the busy time of all cores: user, nice, system, irq, softirq and steal, without idle and iowait. */
    private static double busySeconds() {
        String[] words = text("/proc/stat").split("\\s+", 12);
        if (words.length < 9) {
            return Double.NaN;
        }
        long ticks = 0;
        for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
            ticks += Long.parseLong(words[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private double ownSeconds() {
        return seconds("self")
                + server.stream()
                        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                        .mapToDouble(process -> seconds(Long.toString(process.pid())))
                        .sum();
    }

    /**
     * Returns the processor time of a process and of its ended children, such as a server's connections; 0 if the
     * process does not exist.
     */
    private static double seconds(String process) {
        String stat = text("/proc/" + process + "/stat");
        String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", 16);
        if (words.length < 16) {
            return 0;
        }
        long ticks = 0;
        // utime, stime, cutime, cstime: fields 14 to 17, counted from the state as the third
        for (int i = 11; i < 15; i++) {
            ticks += Long.parseLong(words[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private static String firstWord(String file) {
        return text(file).split(" ", 2)[0];
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            return "";
        }
    }
}
