package io.idgen.hibernate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Records the outcome of each {@link Point} in this run, so that {@link HibernatePageTest} can compare the runs. A
 * point passes if all its tests pass. If a version does not support a point, the test says so with
 * {@link #notApplicable}, and asserts the behaviour of that version.
 */
final class Outcomes implements TestWatcher, TestExecutionExceptionHandler {
    /**
     * Whether this run is on a beta of Hibernate. A point that fails on a beta is recorded and does not fail the build;
     * the page shows it. Tests without a point fail the build on every version.
     */
    private static final boolean IS_BETA = Boolean.getBoolean("hibernate.beta");

    static final Path FOLDER = Path.of("target", "points");

    private static final ThreadLocal<List<String>> NOTES = ThreadLocal.withInitial(ArrayList::new);

    /**
     * Called by a test if this version or database does not support the point. The test then asserts only the refusal.
     */
    static void notApplicable(String reason) {
        NOTES.get().add("n/a\t" + reason);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        List<String> notes = List.copyOf(NOTES.get());
        record(context, notes.isEmpty() ? List.of("pass\t") : notes);
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        record(context, List.of("fail\t" + context.getDisplayName()));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable cause) throws Throwable {
        if (IS_BETA) {
            Assumptions.abort("fails on this beta: " + cause);
        }
        throw cause;
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        testFailed(context, cause);
    }

    private static void record(ExtensionContext context, List<String> outcomes) {
        NOTES.get().clear();
        int point = context.getRequiredTestMethod().getAnnotation(Point.class).value();
        context.getRoot()
                .getStore(Namespace.create(Outcomes.class))
                .computeIfAbsent(File.class, key -> new File(), File.class)
                .add(point, outcomes);
    }

    /** Collects one line per point and outcome, and writes them at the end of the run. */
    private static final class File implements AutoCloseable {
        private final Map<Integer, List<String>> lines = new TreeMap<>();

        synchronized void add(int point, List<String> outcomes) {
            List<String> all = lines.computeIfAbsent(point, key -> new ArrayList<>());
            outcomes.forEach(outcome -> all.add(point + "\t" + outcome));
        }

        @Override
        public synchronized void close() {
            try {
                Files.createDirectories(FOLDER);
                Files.write(
                        FOLDER.resolve(Run.name() + ".tsv"),
                        lines.values().stream().flatMap(List::stream).distinct().toList());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
