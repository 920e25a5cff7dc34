package io.idgen.jdbc;

import io.idgen.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Counts the passed tests of {@link JdbcAllocatorContract}, and prints them per allocator and database at the end.
 */
final class ContractTable implements AfterEachCallback {
    private static final Path FILE = Path.of("target", "allocator-contract.txt");

    @Override
    public void afterEach(ExtensionContext context) {
        JdbcAllocatorContract contract = (JdbcAllocatorContract) context.getRequiredTestInstance();
        context.getRoot()
                .getStore(Namespace.create(ContractTable.class))
                .computeIfAbsent(Results.class, key -> new Results(), Results.class)
                .add(contract, context.getExecutionException().isEmpty());
    }

    /** The results of one allocator on one database. */
    private static final class Cell {
        int passed;
        int failed;
        final Set<Exemption> exemptions = EnumSet.noneOf(Exemption.class);

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder().append(passed);
            exemptions.forEach(exemption -> text.append(' ').append((char) ('a' + exemption.ordinal())));
            return failed == 0 ? text.toString() : text + ", " + failed + " FAILED";
        }
    }

    /** The results of all allocators, printed when all tests have run. */
    static final class Results implements AutoCloseable {
        private final Map<String, Map<TestDatabase, Cell>> cells = new TreeMap<>();

        synchronized void add(JdbcAllocatorContract contract, boolean passed) {
            Cell cell = cells.computeIfAbsent(contract.allocatorName(), name -> new EnumMap<>(TestDatabase.class))
                    .computeIfAbsent(contract.kind, kind -> new Cell());
            if (passed) {
                cell.passed++;
            } else {
                cell.failed++;
            }
            cell.exemptions.addAll(contract.exemptions());
        }

        @Override
        public synchronized void close() throws IOException {
            StringBuilder text = new StringBuilder("Tests of the allocators' contract that passed\n\n");
            text.append("%-28s".formatted(""));
            for (TestDatabase kind : TestDatabase.values()) {
                text.append(" %-14s".formatted(kind.name().replaceAll("_BY_(.*)_DRIVER", "/$1")));
            }
            Set<Exemption> used = new TreeSet<>();
            cells.forEach((allocator, row) -> {
                text.append("\n%-28s".formatted(allocator));
                for (TestDatabase kind : TestDatabase.values()) {
                    text.append(" %-14s".formatted(row.containsKey(kind) ? row.get(kind) : "-"));
                }
                row.values().forEach(cell -> used.addAll(cell.exemptions));
            });
            text.append("\n\n");
            used.forEach(exemption ->
                    text.append("%s %s: %s%n".formatted((char) ('a' + exemption.ordinal()), exemption, exemption.why)));
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, text);
            System.out.println(text);
        }
    }
}
