package io.idgen.proof.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;

/** What Linux reports about this machine and its processes. */
public final class Machine {
    private static final int MILLIS_PER_TICK = 10; // USER_HZ is 100 on all platforms of the JDK
    private static final int USER_TIME = 11; // fields of /proc/<pid>/stat after the name: utime, stime, cutime, cstime
    private static final int TIMES = 4;

    private Machine() {}

    /** Returns the name of the processor. */
    static String processor() {
        return read(Path.of("/proc/cpuinfo"))
                .lines()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 2))
                .findFirst()
                .orElse("unknown processor");
    }

    /**
     * Returns the load.
     *
     * @return how many threads wanted a processor on average, in the last minute
     */
    public static double load() {
        return Double.parseDouble(read(Path.of("/proc/loadavg")).split(" ", -1)[0]);
    }

    /**
     * Returns the processor time of a process.
     *
     * @param pid its id
     * @return its time and that of all its children, also of those that have ended
     */
    public static Duration processorTime(long pid) {
        ProcessHandle parent = ProcessHandle.of(pid).orElseThrow();
        long ticks = LongStream.concat(LongStream.of(pid), parent.descendants().mapToLong(ProcessHandle::pid))
                .map(Machine::ticks)
                .sum();
        return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    }

    private static long ticks(long pid) {
        String line;
        try {
            line = read(Path.of("/proc", Long.toString(pid), "stat"));
        } catch (UncheckedIOException e) {
            return 0; // it has just ended, and its parent has its time
        }
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int i = 0; i < TIMES; i++) {
            ticks += Long.parseLong(fields[USER_TIME + i]);
        }
        return ticks;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
