package io.idgen.cli.compare;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.Phase;
import io.idgen.cli.compare.result.Texts;
import io.idgen.cli.compare.trial.Plan;
import io.idgen.cli.compare.trial.Progress;
import io.idgen.cli.compare.trial.Trials;
import io.idgen.cli.compare.verdict.Baseline;
import io.idgen.cli.compare.verdict.Comparison;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code idgen compare}: compares every strategy, on an embedded database or on the user's own. */
@Command(
        name = "compare",
        description = {
            "Measures every strategy and recommends which one to use for what.",
            "Without --url, uses an embedded H2 and takes about 45 s."
        })
public final class Compare implements Callable<Integer> {
    private static final String DEFAULT_PREFIX = "idgen_compare_";
    private static final int MOST_THREADS = 64;
    private static final Duration QUICK = Duration.ofMillis(100);
    private static final Duration THOROUGH = Duration.ofSeconds(1);

    // a quick run has time for this many strategies with runs of this duration; for more strategies, runs are shorter
    private static final int QUICK_STRATEGIES = 13;

    // 45 s minus the time to start, to recover from the outage, and to kill two processes
    private static final Duration QUICK_LIMIT = Duration.ofSeconds(36);
    private static final Duration NO_LIMIT = Duration.ofDays(1);

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
            description =
                    "The strategies to compare, separated by commas; snowflake means all snowflake variants. Default: all,"
                            + " including those that jars on the class path add.")
    private List<String> strategies = List.of();

    @Option(
            names = "--threads",
            paramLabel = "<n>",
            description = "The number of threads that generate ids. Default: the number of processors, 4 to 8.")
    private int threads = Math.max(4, Math.min(8, Runtime.getRuntime().availableProcessors()));

    @Option(
            names = "--instances",
            paramLabel = "<n>",
            defaultValue = "2",
            description = "The number of instances of each strategy. Default: ${DEFAULT-VALUE}.")
    private int instances;

    @Option(
            names = "--rows",
            paramLabel = "<n>",
            description = "The number of rows to insert with each strategy, at most " + Plan.MOST_ROWS
                    + ". Default: 24000, with --no-quick 240000.")
    private @Nullable Integer rows;

    @Option(
            names = "--duration",
            paramLabel = "<ms>",
            description =
                    "The duration of a run at full speed; each strategy takes about 15 times as long. Default: 100,"
                            + " less for more than " + QUICK_STRATEGIES + " strategies, with --no-quick 1000.")
    private @Nullable Integer durationMillis;

    @Option(
            names = "--outage",
            paramLabel = "<ms>",
            description =
                    "The duration of the outage, which a proxy simulates. Default: 3000, with --no-quick" + " 10000.")
    private @Nullable Integer outageMillis;

    @Option(
            names = "--rate",
            paramLabel = "<n>",
            defaultValue = "2000",
            description = "Ids per second of the run at a fixed rate. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--seed",
            paramLabel = "<n>",
            defaultValue = "1",
            description =
                    "The seed for the order of the strategies and for the rows' texts. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--quick",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Short runs, about 45 s in total: the default. Leaves out rounds and rows that do not fit, and reports"
                            + " them. With --no-quick, runs take ten times as long.")
    private boolean quick;

    @Option(
            names = "--set",
            paramLabel = "<setting=value>",
            description = "Sets a setting for all sources, for example idgen.segment.step=100.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--prefix",
            paramLabel = "<prefix>",
            defaultValue = DEFAULT_PREFIX,
            description = "The prefix of all table names; no such table may exist. Default: ${DEFAULT-VALUE}.")
    private String prefix = DEFAULT_PREFIX;

    @Option(
            names = "--yes",
            description =
                    "Confirms that the comparison may create and drop tables on this database, and put load on it.")
    private boolean yes;

    @Option(names = "--out", paramLabel = "<report.html>", description = "Write a report with charts to this file.")
    private @Nullable Path out;

    @Option(
            names = "--baseline",
            paramLabel = "<old.json>",
            description = "Report what has changed since an earlier comparison, whose output with --json is in this"
                    + " file.")
    private @Nullable Path baseline;

    /** Called by picocli. */
    public Compare() {}

    @Override
    public Integer call() throws IOException {
        List<Contender> contenders = Contenders.named(strategies, settings);
        Plan plan = plan(contenders.size());
        checkOut();
        Comparison before = baseline == null ? null : Baseline.read(baseline);
        Level level = LIBRARY.getLevel();
        if (level == Level.WARNING) {
            LIBRARY.setLevel(Level.OFF); // the comparison itself causes the outage
        }
        try (Bench bench = bench()) {
            bench.create();
            Contenders.createTables(contenders, bench);
            Trials trials = new Trials(
                    bench, plan, Progress.on(output.err(), output.ansi().enabled()));
            Comparison comparison = Comparison.of(
                    trials.of(contenders, strategies.isEmpty() ? Contenders.missing(settings) : List.of()));
            comparison = before == null ? comparison : comparison.since(before);
            show(comparison);
            return comparison.hasDuplicates()
                    ? ExitCodes.FOUND
                    : comparison.hasFailures() ? ExitCodes.BAD_INPUT : ExitCodes.OK;
        } finally {
            LIBRARY.setLevel(level);
        }
    }

    private void show(Comparison comparison) throws IOException {
        if (output.isJson()) {
            output.json(comparison);
        } else {
            output.print(Summary.conditions(comparison) + "\n\n" + Summary.table(comparison) + "\n\n"
                    + Summary.verdict(comparison));
            if (comparison.baseline() != null) {
                output.print("\n" + comparison.baseline().text());
            }
        }
        if (comparison.load().tooHigh()) {
            output.warn("idgen: " + comparison.load().text());
        }
        if (out != null) {
            Report.write(comparison, out);
            output.hint("the report is in " + out.toAbsolutePath().normalize());
        }
        comparison.strategies().stream()
                .filter(strategy -> strategy.duplicates().count() > 0)
                .forEach(strategy -> output.hint("idgen: " + strategy.name() + " generated "
                        + Texts.whole(strategy.duplicates().count()) + " duplicates, such as "
                        + strategy.duplicates().examples().get(0) + "; do not use it"));
    }

    private Bench bench() {
        if (!prefix.matches("[a-z][a-z0-9_]{1,20}_") || prefix.equals("idgen_")) {
            throw new BadInputException(
                    "--prefix must be 3 to 22 lower-case letters, digits and _, begin with a letter, end in"
                            + " _, and not be idgen_, the prefix of live tables; got '" + prefix + "'");
        }
        if (!database.isGiven()) {
            return Bench.embedded(prefix);
        }
        if (!yes && !EmbeddedDatabase.isInMemory(database.url())) {
            throw new BadInputException(
                    "compare creates tables that begin with " + prefix + " on " + database.shownUrl()
                            + ", fills them with " + Texts.whole(rows())
                            + " rows for each strategy, puts load on the database and"
                            + " drops the tables again; add --yes to allow it");
        }
        if (EmbeddedDatabase.isInMemory(database.url()) && !database.url().matches("(?i).*;DB_CLOSE_DELAY=-?[1-9].*")) {
            throw new BadInputException("H2 deletes the database " + database.shownUrl()
                    + " when its last connection is closed; add ;DB_CLOSE_DELAY=-1 to the URL");
        }
        return Bench.on(
                new Bench.Access(database.url(), database.shownUrl(), database.user(), database.password()), prefix);
    }

    /** Checks before the comparison that the report can be written after it. */
    private void checkOut() {
        if (out != null) {
            Path folder = out.toAbsolutePath().normalize().getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new BadInputException("--out " + out + ": there is no folder " + folder
                        + "; create it, or name a file in another folder");
            }
            if (Files.isDirectory(out) || !Files.isWritable(Files.exists(out) ? out : folder)) {
                throw new BadInputException("--out " + out + " cannot be written; name another file");
            }
        }
    }

    private int rows() {
        return rows != null ? rows : quick ? 24_000 : 240_000;
    }

    private Plan plan(int contenders) {
        Duration usual = quick ? quickDuration(contenders) : THOROUGH;
        Duration duration = durationMillis != null ? Duration.ofMillis(durationMillis) : usual;
        Duration outage = Duration.ofMillis(outageMillis != null ? outageMillis : quick ? 3_000 : 10_000);
        Duration limit = quick ? QUICK_LIMIT.minus(outage) : NO_LIMIT;
        settings.keySet().forEach(Compare::checkIsNoTable);
        check("--threads", threads, 1, MOST_THREADS);
        check("--instances", instances, 1, Phase.MOST_INSTANCES);
        check("--rows", rows(), 1, Plan.MOST_ROWS);
        check("--duration", duration.toMillis(), 20, 60_000);
        check("--outage", outage.toMillis(), 100, 600_000);
        check("--rate", rate, threads, 1_000_000);
        return new Plan(threads, instances, rows(), duration, outage, rate, seed, Map.copyOf(settings), limit);
    }

    /** Returns the duration of a run at full speed in a quick comparison of a number of strategies. */
    static Duration quickDuration(int strategies) {
        return QUICK.multipliedBy(QUICK_STRATEGIES).dividedBy(Math.max(QUICK_STRATEGIES, strategies));
    }

    /** Rejects settings that could make the comparison use live tables. */
    private static void checkIsNoTable(String setting) {
        if (setting.startsWith("idgen.jdbc.") || setting.matches(".*\\.(table|sequence|adopt)")) {
            throw new BadInputException(
                    "--set " + setting + " could make the comparison use live tables instead of its own; omit it");
        }
    }

    private static void check(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new BadInputException(option + " must be " + least + " to " + most + ", got " + value);
        }
    }
}
