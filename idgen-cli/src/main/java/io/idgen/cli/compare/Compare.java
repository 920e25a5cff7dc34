package io.idgen.cli.compare;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.result.Comparison;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.trial.Plan;
import io.idgen.cli.compare.trial.Trials;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code idgen compare}: compares every strategy, on an embedded database or on the user's own. */
@Command(
        name = "compare",
        description = {
            "Says which strategy to use for what, and measures all of them and the usual alternatives.",
            "Without --url, uses an embedded H2 and takes about a minute."
        })
public final class Compare implements Callable<Integer> {
    private static final int THREADS =
            Math.max(4, Math.min(8, Runtime.getRuntime().availableProcessors()));
    private static final Duration NETWORK = Duration.ofNanos(500_000);

    // java.util.logging holds loggers weakly; without this reference the level would be lost
    private static final Logger LIBRARY = Logger.getLogger("io.idgen");

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private Output output = new Output();

    @Option(
            names = "--strategies",
            split = ",",
            paramLabel = "<name>",
            description = "The strategies to compare, separated by commas; snowflake means both variants. Default:"
                    + " all, including those that jars on the class path add.")
    private List<String> strategies = List.of();

    @Option(
            names = "--redis",
            paramLabel = "<uri>",
            description = "A Redis for tests, in which the four schemes of Redis run. Repeat it for redis-shards.")
    private List<String> redis = List.of();

    @Option(
            names = "--delay",
            converter = Millis.class,
            paramLabel = "<duration>",
            description =
                    "A network: how much later each answer of the database or of Redis arrives. Default: 0.5ms for an"
                            + " embedded database, which has no network, otherwise 0.")
    private @Nullable Duration delay;

    @Option(
            names = "--duration",
            converter = Millis.class,
            paramLabel = "<duration>",
            defaultValue = "100ms",
            description = "The duration of a run at full speed; the outage takes 30 times as long, and more rows are"
                    + " inserted, 2,800 in the default. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--yes",
            description =
                    "Confirms that the comparison may create and drop tables on this database, and put load on it.")
    private boolean yes;

    @Option(
            names = "--out",
            paramLabel = "<report.html>",
            description = "Write a page with charts to this file, and the figures to a .json file with the same name.")
    private @Nullable Path out;

    /** Called by picocli. */
    public Compare() {}

    /** Parses a number with its unit, ms or s. */
    static final class Millis implements ITypeConverter<Duration> {
        private static final Pattern NUMBER = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)(ms|s|)");

        @Override
        public Duration convert(String text) {
            Matcher number = NUMBER.matcher(text);
            if (!number.matches() || (number.group(2).isEmpty() && !text.equals("0"))) {
                throw new TypeConversionException("a duration such as 0.5ms or 3s is expected, got '" + text + "'");
            }
            return Duration.ofNanos(Math.round(
                    Double.parseDouble(number.group(1)) * (number.group(2).equals("s") ? 1e9 : 1e6)));
        }
    }

    @Override
    public Integer call() throws IOException {
        checkOptions();
        Level level = LIBRARY.getLevel();
        if (level == Level.WARNING) {
            LIBRARY.setLevel(Level.OFF); // the comparison itself causes the outage
        }
        try (Bench bench = new Bench(database.isGiven() ? database.dataSource() : null)) {
            Duration network = delay != null ? delay : bench.isEmbedded() ? NETWORK : Duration.ZERO;
            Plan plan = new Plan(THREADS, duration, network, redis);
            Contenders contenders = new Contenders(bench.product(), !redis.isEmpty());
            List<Contender> chosen = contenders.named(strategies);
            Map<String, String> conditions = conditions(bench, plan);
            List<Kind> kinds = new Trials(bench, plan, chosen, output::hint).run();
            Comparison comparison = new Comparison(
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                    conditions,
                    Rules.ANSWERS,
                    strategies.isEmpty() ? contenders.missing() : List.of(),
                    kinds);
            return show(comparison);
        } finally {
            LIBRARY.setLevel(level);
        }
    }

    private int show(Comparison comparison) throws IOException {
        output.show(comparison, Table.text(comparison));
        if (out != null) {
            ReportPage.write(comparison, out);
            output.hint("the report is in " + out.toAbsolutePath().normalize());
        }
        List<Kind> repeated = comparison.kinds().stream()
                .filter(kind -> kind.duplicates().count() > 0)
                .toList();
        repeated.forEach(kind -> output.hint("idgen: " + kind.name() + " generated "
                + Table.whole(kind.duplicates().count()) + " duplicates, such as "
                + kind.duplicates().example() + "; do not use it"));
        boolean failed = comparison.kinds().stream().anyMatch(kind -> kind.problem() != null);
        return !repeated.isEmpty() ? ExitCodes.FOUND : failed ? ExitCodes.BAD_INPUT : ExitCodes.OK;
    }

    private Map<String, String> conditions(Bench bench, Plan plan) {
        int processors = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put("database", bench.description());
        conditions.put(
                "network",
                (plan.delay().isZero() ? "no delay" : Table.micros(plan.delay().toNanos() / 1e3))
                        + " added to each answer of a store"
                        + (bench.isEmbedded() ? "; the database runs in this process" : ""));
        conditions.put(
                "computer",
                processors + " processors, " + System.getProperty("os.name") + ", Java "
                        + System.getProperty("java.version") + ", load average " + load + " before the start"
                        + (load > processors / 2.0 ? ": TOO BUSY, the speeds mean nothing" : ""));
        conditions.put(
                "speed",
                THREADS + " threads on " + Plan.INSTANCES + " instances, " + Plan.ROUNDS
                        + " interleaved rounds of " + duration.toMillis()
                        + " ms after a warm-up; +- is half of their range");
        conditions.put(
                "latency",
                Plan.RATE + " ids/s or half of the full speed for "
                        + plan.atFixedRate().toMillis() + " ms from a cold start, corrected for coordinated omission");
        conditions.put(
                "rows",
                "parents with " + Plan.CHILDREN + " children, " + Plan.PARENTS + " parents to a transaction, in"
                        + " batches; in H2, MariaDB and MySQL, the size of the indexes contains the rows");
        conditions.put(
                "outage",
                "connections cut for " + plan.outage().toMillis() + " ms at " + Plan.RATE_IN_OUTAGE
                        + " ids/s each; a call waits at most " + CountingPool.IN_OUTAGE.toMillis() + " ms");
        conditions.put(
                "crash",
                "an instance is left without a close after " + Plan.KEYS_PER_LIFE + " ids, and another one opens");
        return conditions;
    }

    private void checkOptions() {
        if (duration.toMillis() < 20 || duration.toMillis() > 60_000) {
            throw new BadInputException("--duration in ms must be 20 to 60000, got " + duration.toMillis());
        }
        if (database.isGiven() && !yes && !EmbeddedDatabase.isInMemory(database.url())) {
            throw new BadInputException("compare creates, fills and drops tables that begin with " + Bench.PREFIX
                    + " on " + database.shownUrl() + ", and puts load on the database; add --yes to allow it");
        }
        if (out != null) {
            Path folder = out.toAbsolutePath().normalize().getParent();
            if (folder == null || !Files.isWritable(Files.exists(out) ? out : folder) || Files.isDirectory(out)) {
                throw new BadInputException("--out " + out + " cannot be written; name a file in a folder that exists");
            }
        }
    }
}
