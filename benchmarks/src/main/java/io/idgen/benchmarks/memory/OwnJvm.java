package io.idgen.benchmarks.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a measurement in its own JVM, which reports its results as lines of a name and a number. */
final class OwnJvm {
    /**
     * The heap options of all JVMs. The heap is touched in advance, otherwise the system's page allocation would slow
     * down allocations.
     */
    static final String[] HEAP = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"};

    private static final String MARK = "= ";

    private OwnJvm() {}

    /** Runs a program with the class path of this one, and returns its report. */
    static Map<String, Double> run(Class<?> main, Object... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(HEAP));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Arrays.stream(args).map(String::valueOf).forEach(command::add);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Map<String, Double> report = new LinkedHashMap<>();
            try (InputStream out = process.getInputStream()) {
                new String(out.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.startsWith(MARK))
                        .map(line -> line.substring(MARK.length()).split(" "))
                        .forEach(words -> report.put(words[0], Double.parseDouble(words[1])));
            }
            if (process.waitFor() != 0 || report.isEmpty()) {
                throw new IllegalStateException("a JVM ended with " + process.exitValue() + ": " + command);
            }
            return report;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Called in that JVM: reports the results and ends it, because some peers have threads that would not end. */
    static void report(Map<String, Double> found) {
        found.forEach((name, value) -> System.out.println(MARK + name + " " + value));
        System.exit(0);
    }
}
