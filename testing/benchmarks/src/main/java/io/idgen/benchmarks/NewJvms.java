package io.idgen.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs each subject in several new JVMs, and prints a table with the median of each figure. */
final class NewJvms {
    private static final String FIGURE = "= ";

    private final int jvms;

    /** Takes the number of JVMs for each subject from the arguments of a program; the default is 6. */
    NewJvms(String... arguments) {
        this.jvms = arguments.length == 0 ? 6 : Integer.parseInt(arguments[0]);
    }

    /** Called in a new JVM: reports its figures, and ends it, because some peers have threads that would not end. */
    static void report(Map<String, Double> figures) {
        figures.forEach((name, value) -> System.out.println(FIGURE + name + "=" + value));
        System.exit(0);
    }

    /**
     * Measures and prints. All subjects take turns, so that other load of the machine affects them alike.
     *
     * @param main the program of the new JVMs
     * @param subjects the arguments of the program, each with the options of its JVM
     */
    void print(Class<?> main, Map<String, List<String>> subjects) {
        Map<String, Map<String, List<Double>>> found = new LinkedHashMap<>();
        for (int i = 0; i < jvms; i++) {
            subjects.forEach((subject, options) -> run(main, subject, options)
                    .forEach((name, value) -> found.computeIfAbsent(subject, key -> new LinkedHashMap<>())
                            .computeIfAbsent(name, key -> new ArrayList<>())
                            .add(value)));
        }
        System.out.printf("medians of %d JVMs, least to greatest%n", jvms);
        found.forEach((subject, figures) -> {
            System.out.println(subject);
            figures.forEach((name, values) -> System.out.println("    " + name + ": " + text(values)));
        });
    }

    private static String text(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return String.format(Locale.ROOT, "%,.0f (%,.0f to %,.0f)", median, sorted[0], sorted[sorted.length - 1]);
    }

    private static Map<String, Double> run(Class<?> main, String subject, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(options); // a second class path replaces the first
        command.addAll(List.of(main.getName(), subject));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Map<String, Double> figures = new LinkedHashMap<>();
            try (InputStream out = process.getInputStream()) {
                new String(out.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.startsWith(FIGURE))
                        .map(line -> line.substring(FIGURE.length()).split("="))
                        .forEach(words -> figures.put(words[0], Double.parseDouble(words[1])));
            }
            if (process.waitFor() != 0 || figures.isEmpty()) {
                throw new IllegalStateException("a JVM ended with " + process.exitValue() + ": " + command);
            }
            return figures;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
