package io.idgen.examples.withouthibernate;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process whose id is known before its JVM starts. A shell waits for input, and the JVM then replaces it.
 * {@link #close} kills the process.
 */
final class WaitingProcess implements AutoCloseable {
    private static final int LONGEST_LIFE_SECONDS = 200;

    private final Process process;
    private final BufferedReader output;
    private final List<String> said = new ArrayList<>();

    WaitingProcess(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "read go && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
        this.output = process.inputReader();
        // reading its output cannot be interrupted, but ends with the process
        CompletableFuture.delayedExecutor(LONGEST_LIFE_SECONDS, TimeUnit.SECONDS)
                .execute(process::destroyForcibly);
    }

    long pid() {
        return process.pid();
    }

    /** Sends a line: the first one starts the JVM, and the JVM reads the next ones. */
    void goOn() throws IOException {
        process.outputWriter().append("go\n").flush();
    }

    /** Returns its next line of this form. Fails if the process ends before. */
    String awaits(String form) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.matches(form)) {
                    return line;
                }
                said.add(line);
            }
        } catch (IOException e) {
            said.add(e.toString());
        }
        throw new AssertionError("the process ended before it printed " + form + ", after " + said);
    }

    @Override
    public void close() {
        if (process.isAlive()) { // its number may be reused
            process.destroyForcibly().onExit().join();
        }
    }
}
