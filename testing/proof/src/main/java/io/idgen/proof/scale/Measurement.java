package io.idgen.proof.scale;

import io.idgen.proof.page.Machine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What processes and their servers do in a part of the run. Reads the gauges of each server once per second. */
final class Measurement {
    private static final double MICROS_PER_MILLI = 1_000;

    private final List<Server> servers;
    private final List<Processes> processes;
    private final Map<String, Long> mostOfGauges = new LinkedHashMap<>();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    private final Counts before;
    private volatile @Nullable Exception problem;

    /** All that rises, and the sizes of the lists. */
    private record Counts(
            long nanos,
            Duration servers,
            Duration clients,
            Map<String, Long> counters,
            Map<String, Long> calls,
            Map<String, Long> refusals,
            List<Integer> starts,
            List<Integer> startsOfJvms,
            List<Integer> callTimes,
            List<Integer> ahead) {}

    /** Begins. */
    @SuppressWarnings("FutureReturnValueIgnored") // the task keeps its failure
    Measurement(List<Server> servers, List<Processes> processes) throws Exception {
        this.servers = List.copyOf(servers);
        this.processes = List.copyOf(processes);
        this.before = counts();
        watch.scheduleAtFixedRate(this::readGauges, 0, 1, TimeUnit.SECONDS);
    }

    private Counts counts() throws Exception {
        Map<String, Long> counters = new LinkedHashMap<>();
        Duration used = Duration.ZERO;
        for (Server server : servers) {
            server.counters().forEach((name, value) -> counters.merge(name, value, Long::sum));
            used = used.plus(Machine.processorTime(server.pid()));
        }
        return new Counts(
                System.nanoTime(),
                used,
                ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO),
                counters,
                sums(processes.stream().map(each -> each.calls).toList()),
                sums(processes.stream().map(each -> each.refusals).toList()),
                processes.stream().map(each -> each.firstIdMicros.size()).toList(),
                processes.stream().map(each -> each.firstIdOfJvmMicros.size()).toList(),
                processes.stream().map(each -> each.callMicros.size()).toList(),
                processes.stream().map(each -> each.aheadMillis.size()).toList());
    }

    private static Map<String, Long> sums(List<Map<String, LongAdder>> all) {
        Map<String, Long> sums = new TreeMap<>();
        all.forEach(each -> each.forEach((name, count) -> sums.merge(name, count.sum(), Long::sum)));
        return sums;
    }

    private void readGauges() {
        try {
            Map<String, Long> sums = new LinkedHashMap<>();
            for (Server server : servers) {
                server.gauges().forEach((name, value) -> sums.merge(name, value, Long::sum));
            }
            sums.forEach((name, value) -> mostOfGauges.merge(name, value, Math::max));
        } catch (Exception e) {
            problem = e;
        }
    }

    /** Ends, and returns the figures by their names. */
    Map<String, String> end() throws Exception {
        Counts after = counts();
        watch.shutdown();
        if (!watch.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the server does not report its figures");
        }
        if (problem != null) {
            throw new IllegalStateException("the server does not report its figures", problem);
        }
        double seconds = (after.nanos - before.nanos) / 1e9;
        long calls = sum(after.calls) - sum(before.calls);
        double serverMillis = after.servers.minus(before.servers).toMillis();
        long[] starts = since(before.starts, each -> each.firstIdMicros);
        long[] startsOfJvms = since(before.startsOfJvms, each -> each.firstIdOfJvmMicros);
        long[] ahead = since(before.ahead, each -> each.aheadMillis);
        long[] callMicros = since(before.callTimes, each -> each.callMicros);
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put(
                "processes at the end",
                whole(processes.stream().mapToInt(Processes::live).sum()));
        figures.put("seconds", whole(Math.round(seconds)));
        figures.put("starts with a first id", whole(starts.length));
        putPercentiles(figures, "first id after the start, ms", starts);
        if (startsOfJvms.length > 0) {
            figures.put("starts of a JVM with a first id", whole(startsOfJvms.length));
            putPercentiles(figures, "first id after the start of a JVM, ms", startsOfJvms);
        }
        figures.put(
                "time in a first id ahead of the clock, s: most",
                ahead.length == 0 ? "" : decimal(ahead[ahead.length - 1] / 1_000.0));
        after.refusals.forEach((code, count) -> {
            long more = count - before.refusals.getOrDefault(code, 0L);
            if (more > 0) {
                figures.put("starts that failed with " + code, whole(more));
            }
        });
        figures.put("calls of the store per second", decimal(calls / seconds));
        after.calls.forEach((name, count) -> figures.put(
                "`" + name + "` per second", decimal((count - before.calls.getOrDefault(name, 0L)) / seconds)));
        putPercentiles(figures, "a call with its wait for a connection, ms", callMicros);
        figures.put("processor time of the server, % of one core", decimal(serverMillis / seconds / 10));
        figures.put(
                "processor time of the server per call, ms", String.format(Locale.ROOT, "%.2f", serverMillis / calls));
        figures.put(
                "processor time of all clients, % of one core",
                decimal(after.clients.minus(before.clients).toMillis() / seconds / 10));
        after.counters.forEach((name, value) ->
                figures.put(name + " per second", decimal((value - before.counters.getOrDefault(name, 0L)) / seconds)));
        mostOfGauges.forEach((name, value) -> figures.put(name + ", most", whole(value)));
        figures.put("load of the machine", decimal(Machine.load()));
        return figures;
    }

    private long[] since(List<Integer> positions, Function<Processes, Numbers> numbers) {
        LongStream all = LongStream.empty();
        for (int i = 0; i < positions.size(); i++) {
            all = LongStream.concat(
                    all, LongStream.of(numbers.apply(processes.get(i)).sortedFrom(positions.get(i))));
        }
        return all.sorted().toArray();
    }

    private static void putPercentiles(Map<String, String> figures, String name, long[] micros) {
        figures.put(name + ": p50", percentile(micros, 0.50));
        figures.put(name + ": p99", percentile(micros, 0.99));
        figures.put(name + ": most", percentile(micros, 1));
    }

    private static String percentile(long[] sortedMicros, double share) {
        if (sortedMicros.length == 0) {
            return "";
        }
        int position = (int) Math.ceil(share * sortedMicros.length) - 1;
        return decimal(sortedMicros[Math.max(0, position)] / MICROS_PER_MILLI);
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%,.1f", number);
    }
}
