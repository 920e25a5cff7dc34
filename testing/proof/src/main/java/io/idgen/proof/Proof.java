package io.idgen.proof;

import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs processes on each store under faults, checks all their ids, and prints one table. */
@Command(
        name = "testing/proof/run",
        mixinStandardHelpOptions = true,
        description = "Runs processes that generate ids while faults occur, and compares all ids afterwards.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no violation, and the controls repeated ids", "1:a violation", "2:a control repeated no id"})
final class Proof implements Callable<Integer> {
    private static final int MOST_DECKS = 4;
    private static final Duration POLL = Duration.ofMillis(10);

    @Option(
            names = "--store",
            split = ",",
            defaultValue = "postgresql",
            description = "One after another: ${COMPLETION-CANDIDATES}")
    private List<Store.Kind> kinds = List.of();

    @Option(names = "--jvms", defaultValue = "4", description = "Processes at a time, 2 to 30.")
    private int jvms;

    @Option(names = "--seconds", defaultValue = "30", description = "How long faults occur; at least one of each kind.")
    private int seconds;

    @Option(names = "--seed", defaultValue = "1", description = "Determines the order of the faults.")
    private long seed;

    @Option(names = "--every", defaultValue = "600", description = "Milliseconds between two faults.")
    private int everyMillis;

    @Option(names = "--without", split = ",", description = "Faults that do not occur: ${COMPLETION-CANDIDATES}")
    private Set<Fault> without = Set.of();

    @Option(names = "--short", description = "Each store for 20 s, with a fault every 300 ms.")
    private boolean isShort;

    private Proof() {}

    public static void main(String[] arguments) {
        CommandLine command = new CommandLine(new Proof()).setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(command.execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (isShort) {
            kinds = List.of(Store.Kind.values());
            seconds = 20;
            everyMillis = 300;
        }
        ProofReport report = new ProofReport();
        try {
            for (Store.Kind kind : kinds) {
                run(kind, report);
            }
        } finally {
            System.out.println(report.table());
        }
        report.violations().forEach(System.out::println);
        report.gaps().forEach(System.out::println);
        return report.exitCode();
    }

    private void run(Store.Kind kind, ProofReport report) throws Exception {
        Path folder = Files.createTempDirectory("idgen-proof");
        System.out.println(kind + ", with logs in " + folder);
        SteppedClock serversClock = SteppedClock.ofServers(folder);
        try (Store store = kind.start()) {
            Nemesis nemesis = new Nemesis(store, jvms, seed, folder, serversClock, without);
            try {
                strike(store, nemesis);
            } finally {
                nemesis.all().forEach(Client::kill);
                serversClock.stepTo(0);
            }
            report.add(store, nemesis);
        }
        if (report.violations().isEmpty()) {
            delete(folder);
        }
    }

    private void strike(Store store, Nemesis nemesis) throws Exception {
        boolean hasIds = awaitIds(store, nemesis, "at the start");
        long endNanos = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        while (hasIds
                && (System.nanoTime() - endNanos < 0
                        || !nemesis.hasFinished(1)
                        || !(nemesis.hasFinished(MOST_DECKS) || controlsRepeat(store, nemesis)))) {
            nemesis.strike(Duration.ofMillis(everyMillis));
            if (nemesis.isAtEndOfDeck()) {
                nemesis.rest();
                hasIds = awaitIds(store, nemesis, "after deck " + nemesis.decks());
            }
        }
        nemesis.rest();
        if (hasIds) {
            awaitIds(store, nemesis, "after the faults");
        }
    }

    /**
     * Waits until each source of each running process generates ids, and returns whether all do. If one does not, the
     * time without a fault is longer than {@link Terms#LIVENESS}, which is a violation.
     */
    private static boolean awaitIds(Store store, Nemesis nemesis, String when) {
        Map<IdLog, Integer> before = new HashMap<>();
        for (Client client : nemesis.running()) {
            for (Source source : store.sources()) {
                if (!source.control) {
                    before.put(client.ids(source), client.ids(source).count());
                }
            }
        }
        long beginNanos = System.nanoTime();
        while (!before.isEmpty() && System.nanoTime() - beginNanos < Terms.LIVENESS.toNanos()) {
            LockSupport.parkNanos(POLL.toNanos());
            before.entrySet().removeIf(each -> each.getKey().count() > each.getValue());
        }
        System.out.printf(
                "%s: %s after %d ms%n",
                when,
                before.isEmpty() ? "all sources have ids" : before.size() + " sources have no id",
                (System.nanoTime() - beginNanos) / 1_000_000);
        return before.isEmpty();
    }

    /** Returns whether each control whose fault occurs has repeated an id. Until then the faults go on. */
    private static boolean controlsRepeat(Store store, Nemesis nemesis) {
        return store.sources().stream()
                .filter(source -> source.mustRepeat(nemesis.faults().keySet()))
                .allMatch(source -> nemesis.check(source).duplicates() > 0);
    }

    static void delete(Path folder) throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(all::add);
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
