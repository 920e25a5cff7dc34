package io.idgen.jdbc;

import io.idgen.jdbc.TakeoverRun.Takeover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Creates a report on the takeovers of a run. */
final class TakeoverReport {
    private final StringBuilder page = new StringBuilder();

    TakeoverReport(TakeoverRun run) throws IOException, SQLException {
        List<Takeover> takeovers = run.takeovers();
        line("# %d takeovers: %s", takeovers.size(), run.server());
        line("");
        line("Written by `TakeoverTest` on %s; the command is in building.md.", LocalDate.now(ZoneOffset.UTC));
        line(
                "Machine: %s, %d cores; %s %s.",
                processor(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.name"),
                Runtime.version());
        line("");
        line("| strategy | ids | repeated ids | ids the control repeated | takeovers in which it did | the first |");
        line("|---|---:|---:|---:|---:|---:|");
        for (TakeoverStrategy strategy : TakeoverStrategy.values()) {
            int[] repeating = IntStream.range(0, takeovers.size())
                    .filter(i -> takeovers.get(i).repeatedByControl().get(strategy) > 0)
                    .toArray();
            line(
                    "| `%s` | %,d | %,d | %,d | %d | %s |",
                    strategy.setting(),
                    run.count(strategy),
                    run.repeated(strategy),
                    takeovers.stream()
                            .mapToInt(each -> each.repeatedByControl().get(strategy))
                            .sum(),
                    repeating.length,
                    repeating.length == 0 ? "never" : repeating[0] + 1);
        }
        line("");
        line("%d processes drew these ids, %d at a time.", run.processes(), TakeoverRun.PROCESSES);
        line("");
        line("| of one takeover | least | median | most |");
        line("|---|---:|---:|---:|");
        ToLongFunction<Takeover> lost = Takeover::lostTransactions;
        line(
                "| lost transactions | %,d | %,d | %,d |",
                spread(takeovers.stream().mapToLong(lost).boxed()));
        times("until the new primary answers, s", takeovers, Takeover::down);
        times("until the first segment of a new process, s", takeovers, Takeover::firstId);
        times("until all processes have a lease of the new primary, s", takeovers, Takeover::allLeases);
    }

    private void times(String what, List<Takeover> takeovers, Function<Takeover, Duration> time) {
        line(
                "| " + what + " | %.1f | %.1f | %.1f |",
                spread(takeovers.stream().map(time).map(each -> each.toMillis() / 1e3)));
    }

    private static Object[] spread(Stream<? extends Comparable<?>> values) {
        Object[] sorted = values.sorted().toArray();
        return new Object[] {sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]};
    }

    private static String processor() throws IOException {
        Path file = Path.of("/proc/cpuinfo");
        if (!Files.exists(file)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        }
    }

    private void line(String format, Object... values) {
        page.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    @Override
    public String toString() {
        return page.toString();
    }
}
