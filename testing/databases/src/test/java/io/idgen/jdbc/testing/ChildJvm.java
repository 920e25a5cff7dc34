package io.idgen.jdbc.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A child JVM with the class path of this one. It reads and writes words, one per line. Closing it kills it. */
public final class ChildJvm implements AutoCloseable {
    private static final int LONGEST_LIFE_SECONDS = 3600;

    private final Process process;
    private final BufferedReader output;
    private final List<String> said = new ArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
        this.output = process.inputReader();
        // reading its output cannot be interrupted, but ends when the process ends
        CompletableFuture.delayedExecutor(LONGEST_LIFE_SECONDS, TimeUnit.SECONDS)
                .execute(process::destroyForcibly);
    }

    /**
     * Starts a child JVM with a small heap and a short startup.
     *
     * @param main the class whose {@code main} method it runs
     * @param arguments the arguments of {@code main}
     */
    public static ChildJvm start(Class<?> main, List<String> arguments) throws IOException {
        return start(main, List.of(), arguments);
    }

    /** Starts a child JVM with additional JVM options. */
    public static ChildJvm start(Class<?> main, List<String> options, List<String> arguments) throws IOException {
        return start(List.of(), System.getProperty("java.class.path"), main, options, arguments);
    }

    /** Starts a child JVM by another command, for example with less rights, and with a class path of its own. */
    public static ChildJvm start(List<String> by, String classPath, Class<?> main) throws IOException {
        return start(by, classPath, main, List.of(), List.of());
    }

    /** Starts a child JVM by another command, with additional JVM options. */
    public static ChildJvm start(
            List<String> by, String classPath, Class<?> main, List<String> options, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                classPath));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(arguments);
        return new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Waits until the process prints a word; fails if the process ends first. */
    public void awaits(String word) throws IOException {
        await(word, word::equals);
    }

    /** Waits until the process prints a line with this beginning, and returns the rest of the line. */
    public String awaitsAfter(String beginning) throws IOException {
        return await(beginning, line -> line.startsWith(beginning)).substring(beginning.length());
    }

    private String await(String word, Predicate<String> expected) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (expected.test(line)) {
                return line;
            }
            said.add(line);
        }
        throw new AssertionError("the process ended before it said '" + word + "', after " + said);
    }

    /** Sends a word to the process. */
    public void tell(String word) throws IOException {
        process.outputWriter().append(word).append('\n').flush();
    }

    /** Closes the input of the process. Does not wait for its reaction. */
    public void endInput() throws IOException {
        process.outputWriter().close();
    }

    /** Waits until the process ends and returns its output; fails if its exit code is not 0. */
    public List<String> awaitsEnd() throws InterruptedException {
        List<String> rest = output.lines().toList();
        int exitCode = process.waitFor();
        if (exitCode != 0) {
            throw new AssertionError("the process ended with " + exitCode + ", after " + rest);
        }
        return rest;
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Sends a signal, for example {@code STOP} or {@code CONT}. */
    public void signal(String name) throws IOException {
        int exitCode = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .onExit()
                .join()
                .exitValue();
        if (exitCode != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + exitCode);
        }
    }

    /** Kills the process, as a power failure does; returns when it has ended. */
    public void kill() {
        if (process.isAlive()) { // otherwise onExit would wait for whatever process or thread has its number now
            process.destroyForcibly().onExit().join();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
