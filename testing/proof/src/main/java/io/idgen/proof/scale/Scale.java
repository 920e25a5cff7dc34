package io.idgen.proof.scale;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.proof.page.Results;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.logging.LogManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs hundreds of processes on one server, and measures the server and the time of first ids. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = "Runs hundreds of processes on one server, with the default times of leases.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no violation", "1:an id repeated or fell, or two processes had one worker id"})
public final class Scale implements Callable<Integer> {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LIFE_IN_LOOP = Duration.ofSeconds(1);
    private static final int LOOPING = 30;
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final SnowflakeLayout TWO_REGIONS = SnowflakeLayout.parse("41-1-9-12");

    @Option(
            names = "--store",
            split = ",",
            defaultValue = "postgresql",
            description = "One after another: ${COMPLETION-CANDIDATES}")
    private List<Server.Kind> kinds = List.of();

    @Option(names = "--processes", defaultValue = "1000", description = "Processes on one server.")
    private int processes;

    @Option(
            names = "--jvms",
            defaultValue = "0",
            description = "About how many of them have a JVM and connections of their own; the others are simulated.")
    private int jvms;

    @Option(names = "--connections", defaultValue = "50", description = "Connections that the simulated ones share.")
    private int connections;

    @Option(names = "--loop-seconds", defaultValue = "150", description = "Time of 30 crash loops on 32 worker ids.")
    private int loopSeconds;

    @Option(names = "--steady-seconds", defaultValue = "240", description = "Time without starts.")
    private int steadySeconds;

    @Option(names = "--storm-processes", defaultValue = "800", description = "Processes during the restart storm.")
    private int stormProcesses;

    @Option(names = "--storm-rate", defaultValue = "5", description = "Crashes and starts per second.")
    private int stormRate;

    @Option(names = "--storm-seconds", defaultValue = "600", description = "Time of the restart storm.")
    private int stormSeconds;

    @Option(names = "--full-storm-seconds", defaultValue = "90", description = "Time of a storm with all processes.")
    private int fullStormSeconds;

    @Option(names = "--region-seconds", defaultValue = "60", description = "Time of two regions, a server for each.")
    private int regionSeconds;

    @Mixin
    private final Results results = new Results();

    private final Map<String, Map<String, String>> columns = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final AtomicInteger starts = new AtomicInteger();

    private Scale() {}

    /** Part of a run that is measured. */
    private interface Part {
        void run() throws Exception;
    }

    @Override
    public Integer call() throws Exception {
        LogManager.getLogManager().reset(); // a thousand processes log each lease
        boolean isViolated = false;
        for (Server.Kind kind : kinds) {
            columns.clear();
            violations.clear();
            String version = run(kind);
            String page = page(kind, version);
            results.write("scale-" + text(kind), page);
            isViolated |= !violations.isEmpty();
        }
        return isViolated ? 1 : 0;
    }

    private String run(Server.Kind kind) throws Exception {
        String version;
        try (Server server = kind.start(connections)) {
            version = server.version();
            Numbers ids = new Numbers();
            try (Processes looping =
                    new Processes(ids, LAYOUT, calls -> simulated(server, each -> each.datacenterId(0), calls))) {
                measure(
                        "crash loop",
                        List.of(server),
                        List.of(looping),
                        () -> looping.crashLoop(LOOPING, LIFE_IN_LOOP, Duration.ofSeconds(loopSeconds)));
            }
            Thread.sleep(LEASE.plusSeconds(1).toMillis()); // until the leases of all crashed processes are over
            try (Processes all = new Processes(ids, LAYOUT, calls -> process(server, calls))) {
                List<Server> servers = List.of(server);
                List<Processes> group = List.of(all);
                measure("start at once", servers, group, () -> all.startAll(processes));
                measure("steady", servers, group, () -> sleep(steadySeconds));
                all.stop(processes - stormProcesses);
                measure("restart storm", servers, group, () -> storm(all, stormSeconds));
                all.startAll(processes - all.live());
                measure("storm with all processes", servers, group, () -> storm(all, fullStormSeconds));
            }
        }
        try (Server first = kind.start(connections / 2);
                Server second = kind.start(connections / 2)) {
            Numbers ids = new Numbers();
            try (Processes here = region(ids, first, 0);
                    Processes there = region(ids, second, 1)) {
                List<Server> servers = List.of(first, second);
                measure("two regions", servers, List.of(here, there), () -> {
                    Thread other = new Thread(() -> there.startAll(processes / 2));
                    other.start();
                    here.startAll(processes / 2);
                    other.join();
                    sleep(regionSeconds);
                });
            }
        }
        return version;
    }

    private static Processes region(Numbers ids, Server server, int datacenter) {
        return new Processes(
                ids,
                TWO_REGIONS,
                calls -> simulated(server, each -> each.layout(TWO_REGIONS).datacenterId(datacenter), calls));
    }

    private StartedProcess process(Server server, Wrapped.Answer calls) {
        int number = starts.getAndIncrement();
        return number * (long) jvms / processes < (number + 1L) * jvms / processes
                ? new JvmProcess(server.settings())
                : simulated(server, each -> each, calls);
    }

    private static StartedProcess simulated(
            Server server, UnaryOperator<Snowflake.Builder> settings, Wrapped.Answer calls) {
        return new SimulatedProcess(server.leases(), settings, calls);
    }

    private static void sleep(int seconds) throws InterruptedException {
        Thread.sleep(Duration.ofSeconds(seconds).toMillis());
    }

    private void storm(Processes all, int seconds) throws Exception {
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> crashes =
                clock.scheduleAtFixedRate(all::replaceOne, 0, 1_000_000 / stormRate, TimeUnit.MICROSECONDS);
        sleep(seconds);
        if (crashes.isDone()) {
            crashes.get(); // throws
        }
        clock.shutdownNow();
        all.awaitStarted();
    }

    private void measure(String name, List<Server> servers, List<Processes> groups, Part part) throws Exception {
        System.out.println(name);
        Measurement measurement = new Measurement(servers, groups);
        part.run();
        Map<String, String> figures = measurement.end();
        for (Processes each : groups) {
            check(name, "failures", each.failures.getAndSet(0));
            check(name, "worker ids held twice", each.heldTwice.getAndSet(0));
        }
        long repeated = groups.get(0).ids.duplicates(); // all groups have the same list
        check(name, "repeated ids", repeated);
        figures.put(
                "ids so far",
                String.format(Locale.ROOT, "%,d", groups.get(0).ids.size()));
        figures.put("repeated ids", Long.toString(repeated));
        figures.put(
                "ids that were not there at once",
                Long.toString(groups.stream()
                        .mapToLong(each -> each.missing.getAndSet(0))
                        .sum()));
        figures.forEach((figure, value) -> System.out.println("  " + figure + ": " + value));
        columns.put(name, figures);
    }

    private void check(String name, String what, long count) {
        if (count > 0) {
            violations.add(name + ": " + what + ": " + count);
        }
    }

    private static String text(Server.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private String page(Server.Kind kind, String version) {
        StringBuilder page = Results.page(
                "%,d processes on %s".formatted(processes, version), command(kind), "; other work ran on it");
        page.append("| |");
        columns.keySet().forEach(each -> page.append(' ').append(each).append(" |"));
        page.append("\n|---|").append("---:|".repeat(columns.size())).append('\n');
        Set<String> names = new LinkedHashSet<>();
        columns.values().forEach(each -> names.addAll(each.keySet()));
        for (String name : names) {
            page.append("| ").append(name).append(" |");
            columns.values()
                    .forEach(each ->
                            page.append(' ').append(each.getOrDefault(name, "")).append(" |"));
            page.append('\n');
        }
        violations.forEach(each -> page.append("\n**").append(each).append("**\n"));
        return page.toString();
    }

    private String command(Server.Kind kind) {
        return ("proof/run scale --store=%s --processes=%d --jvms=%d --connections=%d --loop-seconds=%d --steady-seconds=%d --storm-processes=%d"
                        + " --storm-rate=%d --storm-seconds=%d --full-storm-seconds=%d --region-seconds=%d")
                .formatted(
                        text(kind),
                        processes,
                        jvms,
                        connections,
                        loopSeconds,
                        steadySeconds,
                        stormProcesses,
                        stormRate,
                        stormSeconds,
                        fullStormSeconds,
                        regionSeconds);
    }
}
