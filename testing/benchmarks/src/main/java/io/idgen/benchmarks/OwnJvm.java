package io.idgen.benchmarks;

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
public final class OwnJvm {
    /**
     * The options of JVMs that run for a while. The heap is touched in advance, otherwise the system's page allocation
     * would slow down allocations.
     */
    public static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

    /** The option for a class path. */
    public static final String CLASS_PATH = "-cp";

    private static final String MARK = "= ";

    private OwnJvm() {}

    /**
     * Runs a program with the class path of this one.
     *
     * @param options the options of its JVM
     * @param main the program, which calls {@link #report}
     * @param args the arguments of the program
     * @return its report, values by name
     */
    public static Map<String, Double> run(List<String> options, Class<?> main, Object... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        if (!options.contains(CLASS_PATH)) {
            command.addAll(List.of(CLASS_PATH, System.getProperty("java.class.path")));
        }
        command.add(main.getName());
        Arrays.stream(args).map(String::valueOf).forEach(command::add);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
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

    /**
     * Called in that JVM: reports the results and ends it, because some peers have threads that would not end.
     *
     * @param found values by name
     */
    public static void report(Map<String, Double> found) {
        found.forEach((name, value) -> System.out.println(MARK + name + " " + value));
        System.exit(0);
    }
}
