package io.idgen.jdbc.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Starts and ends programs of this machine, such as servers and proxies. */
final class Program {
    private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");
    private static final long BETWEEN_NANOS = 50_000_000;

    private Program() {}

    /** Whether a program answers. */
    interface Probe {
        boolean answers() throws Exception;
    }

    /** Returns a command that a process of root runs as another user, since some programs refuse to run as root. */
    static List<String> as(String user, String group, String... command) {
        List<String> all = new ArrayList<>();
        if (IS_ROOT) {
            all.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + group, "--clear-groups"));
        }
        all.addAll(List.of(command));
        return all;
    }

    /** Prepares a program that works in a folder and appends its output to a log. */
    static ProcessBuilder builder(List<String> command, Path folder, Path log) {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    /** Runs a program to its end, which must be a success within a minute. */
    static void run(ProcessBuilder program, Path log) throws IOException {
        Process once = program.start();
        boolean isDone = once.onExit()
                .completeOnTimeout(once, 1, TimeUnit.MINUTES)
                .thenApply(ended -> !ended.isAlive() && ended.exitValue() == 0)
                .join();
        if (!isDone) {
            kill(once);
            throw new IllegalStateException(program.command() + " failed: " + Files.readString(log));
        }
    }

    /** Waits until a program answers. Kills it and fails with its log if it does not. */
    static void await(Process process, Path log, Duration longest, Probe probe) throws IOException {
        long beganNanos = System.nanoTime();
        while (!answers(probe)) {
            if (!process.isAlive() || System.nanoTime() - beganNanos > longest.toNanos()) {
                kill(process);
                throw new IllegalStateException("it does not answer: " + Files.readString(log));
            }
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
    }

    private static boolean answers(Probe probe) {
        try {
            return probe.answers();
        } catch (Exception e) {
            return false;
        }
    }

    /** Kills a program with its children, as a power failure does; returns when all have ended. */
    static void kill(Process process) {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .filter(ProcessHandle::isAlive) // the number of another one may be reused
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }
}
