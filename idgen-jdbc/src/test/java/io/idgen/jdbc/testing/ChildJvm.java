package io.idgen.jdbc.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child JVM with the class path of this one. It reads and writes words, one per line. Closing it kills it. */
public final class ChildJvm implements AutoCloseable {
    private static final int LONGEST_LIFE_SECONDS = 200;

    private final Process process;
    private final BufferedReader output;
    private final List<String> said = new ArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
        this.output = process.inputReader();
        // reading what it says cannot be interrupted, but ends with it
        CompletableFuture.delayedExecutor(LONGEST_LIFE_SECONDS, TimeUnit.SECONDS)
                .execute(process::destroyForcibly);
    }

    /**
     * Starts one, small and quick to come up.
     *
     * @param main whose {@code main} it runs
     * @param arguments for it
     */
    public static ChildJvm start(Class<?> main, List<String> arguments) throws IOException {
        return start(main, List.of(), arguments);
    }

    /** The same with more options for the JVM. */
    public static ChildJvm start(Class<?> main, List<String> options, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(arguments);
        return new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Returns when it has said so; fails if it ends before. */
    public void awaits(String word) throws IOException {
        for (String line = output.readLine(); !word.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new AssertionError("the process ended before it said '" + word + "', after " + said);
            }
            said.add(line);
        }
    }

    /** Says so to it. */
    public void tell(String word) throws IOException {
        process.outputWriter().append(word).append('\n').flush();
    }

    /** Says nothing more to it, and does not wait for what it makes of that. */
    public void endInput() throws IOException {
        process.outputWriter().close();
    }

    /** What it says until it ends; fails if it does not end well. */
    public List<String> awaitsEnd() throws InterruptedException {
        List<String> rest = output.lines().toList();
        int exitCode = process.waitFor();
        if (exitCode != 0) {
            throw new AssertionError("the process ended with " + exitCode + ", after " + rest);
        }
        return rest;
    }

    /** The system's number for it. */
    public long pid() {
        return process.pid();
    }

    /** As a power failure does; returns when it is gone. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
