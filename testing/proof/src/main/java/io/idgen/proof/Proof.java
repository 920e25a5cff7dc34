package io.idgen.proof;

import io.idgen.core.internal.lease.RowHistory.Change;
import io.idgen.core.internal.lease.TraceFiles;
import io.idgen.jdbc.testing.IdLog;
import io.idgen.proof.page.Results;
import io.idgen.proof.scale.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs processes on a database under faults, checks all ids and traces, and prints a table. */
@Command(
        name = "proof/run",
        subcommands = {Scale.class, Endurance.class, Copies.class},
        mixinStandardHelpOptions = true,
        description = "Runs processes that generate ids while faults occur, and checks everything afterwards.",
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

    @Option(
            names = "--until-lost",
            defaultValue = "0",
            description = "The faults go on until so many leases were lost to another process.")
    private int untilLost;

    @Option(names = "--minutes", defaultValue = "120", description = "The longest time for --until-lost.")
    private int minutes;

    @Option(names = "--without", split = ",", description = "Faults that do not occur: ${COMPLETION-CANDIDATES}")
    private Set<Fault> without = Set.of();

    @Mixin
    private final Results results = new Results();

    private Proof() {}

    public static void main(String[] arguments) {
        CommandLine command = new CommandLine(new Proof()).setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(command.execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        int worst = 0;
        for (Store.Kind kind : kinds) {
            int code = run(kind);
            worst = worst == 1 || code == 0 ? worst : code;
        }
        return worst;
    }

    private int run(Store.Kind kind) throws Exception {
        Path folder = Files.createTempDirectory("idgen-proof");
        Files.createDirectory(folder.resolve("traces"));
        try {
            Report report = run(kind, folder);
            String page = report.markdown();
            results.write("proof-" + text(kind), page);
            if (!report.violations().isEmpty()) {
                System.out.println("The logs and traces are in " + folder);
                return 1;
            }
            delete(folder);
            return report.gaps().isEmpty() ? 0 : 2;
        } catch (Exception e) {
            System.out.println("The logs and traces are in " + folder);
            throw e;
        }
    }

    private static String text(Store.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static String names(Set<Fault> faults) {
        return faults.stream()
                .sorted()
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
    }

    private Report run(Store.Kind kind, Path folder) throws Exception {
        SteppedClock serversClock = SteppedClock.ofServers(folder);
        try (Store store = kind.start()) {
            Nemesis nemesis = new Nemesis(store, jvms, seed, folder, serversClock, without);
            try {
                List<String> silent = awaitIds(store, nemesis, "at the start");
                long endNanos = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
                while (silent.isEmpty()
                        && (System.nanoTime() - endNanos < 0
                                || !nemesis.hasFinished(1)
                                || wantsMoreLosses(nemesis, folder, endNanos)
                                || !(nemesis.hasFinished(MOST_DECKS) || controlsRepeat(store, nemesis)))) {
                    nemesis.strike(Duration.ofMillis(everyMillis));
                    if (nemesis.isAtEndOfDeck()) {
                        nemesis.rest();
                        silent = awaitIds(store, nemesis, "after deck " + nemesis.decks());
                    }
                }
                nemesis.rest();
                if (silent.isEmpty()) {
                    awaitIds(store, nemesis, "after the faults");
                }
                nemesis.all().forEach(Client::kill);
                serversClock.stepTo(0);
                return report(kind, store, nemesis, folder);
            } finally {
                nemesis.all().forEach(Client::kill);
                serversClock.stepTo(0);
            }
        }
    }

    /**
     * Waits until each source of each running process generates ids, and returns those that do not. Then the time
     * without a fault is longer than {@link Terms#LIVENESS}.
     */
    private static List<String> awaitIds(Store store, Nemesis nemesis, String when) {
        Map<IdLog, Integer> before = new HashMap<>();
        List<Source> sources =
                store.sources().stream().filter(source -> !source.control).toList();
        nemesis.running()
                .forEach(client -> sources.forEach(source ->
                        before.put(client.ids(source), client.ids(source).count())));
        long beginNanos = System.nanoTime();
        long endNanos = beginNanos + Terms.LIVENESS.toNanos();
        while (System.nanoTime() - endNanos < 0
                && before.entrySet().stream().anyMatch(each -> each.getKey().count() <= each.getValue())) {
            LockSupport.parkNanos(POLL.toNanos());
        }
        List<String> silent = new ArrayList<>();
        for (Client client : nemesis.running()) {
            sources.stream()
                    .filter(source -> client.ids(source).count() <= before.getOrDefault(client.ids(source), 0))
                    .forEach(source -> silent.add(source.text() + " of process " + client.process.pid()));
        }
        System.out.println(when + ": ids "
                + (silent.isEmpty() ? "from all processes" : "not from " + silent)
                + " within " + (System.nanoTime() - beginNanos) / 1_000_000 + " ms");
        return silent;
    }

    /** Returns whether each control has repeated an id whose fault occurs. Until then the faults go on. */
    private static boolean controlsRepeat(Store store, Nemesis nemesis) {
        return store.sources().stream()
                .filter(source -> source.mustRepeat(nemesis.faults().keySet()))
                .allMatch(source -> check(nemesis, source).duplicates() > 0);
    }

    /** Returns whether fewer leases were lost to another process than wanted, and time is left. Counts once a deck. */
    private boolean wantsMoreLosses(Nemesis nemesis, Path folder, long sinceNanos) {
        boolean hasTime =
                System.nanoTime() - sinceNanos < Duration.ofMinutes(minutes).toNanos();
        return untilLost > 0
                && hasTime
                && (!nemesis.isAtEndOfDeck() || traces(folder, Terms.NAMESPACE).rowsTaken() < untilLost);
    }

    private static TraceFiles traces(Path folder, String namespace) {
        return new TraceFiles(folder.resolve("traces"), Terms.lease(namespace), Terms.timing());
    }

    private static Check check(Nemesis nemesis, Source source) {
        return new Check(
                nemesis.all().stream().map(client -> client.ids(source)).toList());
    }

    private Report report(Store.Kind kind, Store store, Nemesis nemesis, Path folder) throws Exception {
        Map<Source, Check> checks = new EnumMap<>(Source.class);
        Map<Source, Long> waits = new EnumMap<>(Source.class);
        store.sources().forEach(source -> {
            checks.put(source, check(nemesis, source));
            waits.put(source, longestWait(nemesis, source));
        });
        TraceFiles traces = traces(folder, Terms.NAMESPACE);
        Optional<List<Change>> known = store.history(Terms.NAMESPACE).filter(all -> traces.isComplete());
        boolean hasHistory = known.isPresent();
        List<Change> history = known.orElse(List.of());
        Optional<String> forbidden = traces.forbiddenStep()
                .or(() -> traces(folder, Terms.HIBERNATE).forbiddenStep())
                .or(() -> traces.forbiddenChange(history));
        if (hasHistory && !nemesis.faults().containsKey(Fault.TAKEOVER)) { // a takeover loses grants and their history
            forbidden = forbidden.or(() -> traces.missingChange(history));
        }
        String command = "proof/run --store=%s --jvms=%d --seconds=%d --seed=%d --every=%d"
                        .formatted(text(kind), jvms, seconds, seed, everyMillis)
                + (untilLost > 0 ? " --until-lost=" + untilLost + " --minutes=" + minutes : "")
                + (without.isEmpty() ? "" : " --without=" + names(without));
        return new Report(
                command,
                store.version(),
                nemesis.all().size(),
                nemesis.faults(),
                nemesis.swallowed(),
                nemesis.decks(),
                checks,
                waits,
                traces,
                hasHistory ? history.size() : -1,
                forbidden);
    }

    private static long longestWait(Nemesis nemesis, Source source) {
        return nemesis.all().stream()
                .mapToLong(client -> new Liveness(
                                client.life(),
                                nemesis.troubles().stream()
                                        .filter(trouble -> trouble.strikes(client))
                                        .map(Trouble::time)
                                        .toList())
                        .longestWait(client.ids(source)))
                .max()
                .orElseThrow();
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
