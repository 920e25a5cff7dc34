package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.DurationOption;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.core.AllocationException;
import io.idgen.core.lease.Finding.Level;
import io.idgen.migrate.Comparison;
import io.idgen.migrate.Migration;
import io.idgen.migrate.Migration.To;
import io.idgen.migrate.Progress;
import io.idgen.migrate.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Moves an existing id while the application runs. Each path is one migration, and each command one look or change. */
@Command(
        name = "migrate",
        description = "Moves an existing id to BIGINT, or to ids before the insert, while old and new versions of the"
                + " application run. The state is in the database, so a command that fails or is killed continues when you"
                + " repeat it.",
        subcommands = {
            Migrate.Plan.class,
            Migrate.Check.class,
            Migrate.Apply.class,
            Migrate.Verify.class,
            Migrate.Back.class
        })
final class Migrate implements Runnable {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "name a command: plan, check, apply, verify or back");
    }

    /** What all commands need. */
    static final class Options {
        @Mixin
        private Output output = new Output();

        @Mixin
        private DatabaseOptions database = new DatabaseOptions();

        @Option(
                names = "--column",
                paramLabel = "<table.column>",
                required = true,
                description = "The id, for example book.id. Foreign keys on it are found.")
        private String column = "";

        @Option(
                names = "--to",
                paramLabel = "<path>",
                required = true,
                description = "bigint (from INT, with all foreign keys), or before-insert (from IDENTITY, SERIAL or"
                        + " AUTO_INCREMENT to ids of the application).")
        private String to = "";

        Migration migration() {
            return Migration.of(database.dataSource(), column, path());
        }

        private To path() {
            return switch (to) {
                case "bigint" -> To.BIGINT;
                case "before-insert" -> To.BEFORE_INSERT;
                default -> throw new BadInputException("--to must be bigint or before-insert, got " + to);
            };
        }
    }

    /** Progress as JSON. */
    private record ProgressJson(List<Progress> progress, List<Step> open) {}

    /** A comparison as JSON. */
    private record ComparisonJson(boolean equal, List<Comparison> ranges) {}

    /** Prints the steps. */
    @Command(
            name = "plan",
            description =
                    "Prints the steps with their SQL, their locks, what old and new versions of the application may"
                            + " do, and the way back. The one-way door comes first. Changes nothing. The times come"
                            + " from copies of some rows in temporary tables of the server.")
    static final class Plan implements Runnable {
        @Mixin
        private Options options = new Options();

        @Option(names = "--back", description = "Print the steps of the way back.")
        private boolean back;

        @ArgGroup(exclusive = false)
        private @Nullable MigrateScripts scripts;

        @Override
        public void run() {
            Migration migration = options.migration();
            if (scripts != null) {
                scripts.write(migration, options.column, options.output);
                return;
            }
            Output output = options.output;
            List<Step> steps = back ? migration.planBack() : measured(migration, output);
            if (output.isJson()) {
                output.json(steps);
                return;
            }
            if (steps.isEmpty()) {
                output.print("nothing to do");
            }
            steps.stream()
                    .filter(Step::oneWay)
                    .forEach(each -> output.print("one-way door: step " + each.number() + ", " + each.title()
                            + "; idgen migrate apply makes it only with --step " + each.number()));
            steps.forEach(each -> print(output, each));
            if (steps.stream().anyMatch(each -> !each.times().isEmpty())) {
                output.print("times are for a million rows at least: measured with copies of up to 10,000 rows in"
                        + " temporary tables of this server, without your triggers, pauses and the load of others");
            }
        }

        private static List<Step> measured(Migration migration, Output output) {
            try {
                return migration.measuredPlan();
            } catch (AllocationException e) {
                List<Step> steps = migration.plan();
                output.hint("the plan has no times: " + reason(e));
                return steps;
            }
        }

        /** The first line, because PostgreSQL adds hints. */
        private static String reason(AllocationException failure) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        }

        private static void print(Output output, Step step) {
            output.print(step.number() + ". " + step.title() + (step.done() ? " (done)" : ""));
            if (!step.done()) {
                step.sql().forEach(each -> output.print("     " + each));
                output.print("   locks     " + step.locks());
                if (!step.times().isEmpty()) {
                    output.print("   times     "
                            + step.times().stream()
                                    .map(each -> String.format(
                                            Locale.ROOT, "%.1f s for %s", each.millisPerMillion() / 1e3, each.table()))
                                    .collect(Collectors.joining(", ")));
                }
                output.print("   versions  " + step.applications());
                output.print("   way back  " + step.back());
            }
        }
    }

    /** Checks the preconditions. */
    @Command(
            name = "check",
            description = "Checks the preconditions, and changes nothing. The findings have the levels of idgen doctor."
                    + " Exit code 1 if one is wrong; apply then changes nothing.")
    static final class Check implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Option(names = "--strict", description = "Exit code 1 also if there are warnings.")
        private boolean strict;

        @Override
        public Integer call() {
            return new Examination(
                            options.column + " at " + options.database.shownUrl(),
                            options.migration().check())
                    .print(options.output, strict ? Level.WARN : Level.WRONG);
        }
    }

    /** What commands need that change the database. */
    static final class ChangeOptions {
        @Mixin
        private Options options = new Options();

        @Option(names = "--yes", description = "Confirms that you have read the plan.")
        private boolean yes;

        @Option(
                names = "--lock-timeout",
                paramLabel = "<duration>",
                defaultValue = Migration.LOCK_TIMEOUT_MILLIS + "ms",
                description =
                        "How long a statement waits for a lock while all others wait behind it. Then it lets them go"
                                + " first, and tries again. Default: ${DEFAULT-VALUE}.")
        private String lockTimeout = "";

        @Option(
                names = "--batch",
                paramLabel = "<rows>",
                defaultValue = "" + Migration.BATCH,
                description = "The number of rows in a batch of a backfill. Default: ${DEFAULT-VALUE}.")
        private int batch;

        @Option(
                names = "--pause",
                paramLabel = "<duration>",
                defaultValue = Migration.PAUSE_MILLIS + "ms",
                description = "The pause after a batch. Default: ${DEFAULT-VALUE}.")
        private String pause = "";

        @Option(
                names = "--max-lag",
                paramLabel = "<duration>",
                defaultValue = "5s",
                description = "A backfill pauses while a replica has missed a commit for longer; 0s for no limit. On"
                        + " PostgreSQL, the primary knows its replicas. Default: ${DEFAULT-VALUE}.")
        private String maxLag = "";

        @Option(
                names = "--replica",
                paramLabel = "<jdbc-url>",
                description =
                        "A replica to wait for, with the same user and password; repeat it for others. MariaDB and"
                                + " MySQL need it, and PostgreSQL if the user does not have the role pg_monitor.")
        private List<String> replicas = new ArrayList<>();

        /** Makes changes, and prints them. */
        void run(BiConsumer<Migration, Consumer<Progress>> work, String end) {
            if (!yes) {
                throw new BadInputException("this changes tables that the application uses; read idgen migrate plan and"
                        + " idgen migrate check, then confirm with --yes");
            }
            Migration migration = options.migration()
                    .withPace(duration("--lock-timeout", lockTimeout), batch, duration("--pause", pause))
                    .withMaxLag(
                            duration("--max-lag", maxLag),
                            replicas.stream()
                                    .<DataSource>map(url -> options.database.dataSource("--replica", url))
                                    .toList());
            Output output = options.output;
            List<Progress> progress = new ArrayList<>();
            Consumer<Progress> collect = progress::add;
            work.accept(
                    migration,
                    output.isJson()
                            ? collect
                            : collect.andThen(each -> output.print("step " + each.step() + "  " + each.text()
                                    + (each.lockedMillis() > 0 ? "  (" + each.lockedMillis() + " ms)" : ""))));
            List<Step> open =
                    migration.plan().stream().filter(each -> !each.done()).toList();
            if (output.isJson()) {
                output.json(new ProgressJson(progress, open));
                return;
            }
            output.print(end + ", after " + progress.size() + " changes; the longest lock was held for "
                    + progress.stream().mapToLong(Progress::lockedMillis).max().orElse(0) + " ms");
        }

        private static Duration duration(String option, String text) {
            return DurationOption.parse(option, text, Duration.ZERO, Duration.ofHours(1));
        }
    }

    /** Makes the steps. */
    @Command(
            name = "apply",
            description =
                    "Makes all steps up to the one-way door, or with --step one step. Repeat it after a failure: it"
                            + " continues.")
    static final class Apply implements Runnable {
        @Mixin
        private ChangeOptions options = new ChangeOptions();

        @Option(
                names = "--step",
                paramLabel = "<n>",
                description = "Make only this step of the plan. The one-way door needs this.")
        private @Nullable Integer step;

        @Override
        public void run() {
            options.run(
                    (migration, progress) -> {
                        if (step == null) {
                            migration.apply(progress);
                        } else {
                            migration.apply(step, progress);
                        }
                    },
                    step == null ? "all steps up to the one-way door are done" : "step " + step + " is done");
        }
    }

    /** Compares old and new columns. */
    @Command(
            name = "verify",
            description = "Compares the old and the new columns by counts and checksums for each range of ids. Changes"
                    + " nothing. Exit code 1 if they differ.")
    static final class Verify implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Override
        public Integer call() {
            List<Comparison> ranges = options.migration().verify();
            boolean equal = ranges.stream().allMatch(Comparison::areEqual);
            Output output = options.output;
            if (output.isJson()) {
                output.json(new ComparisonJson(equal, ranges));
            } else {
                ranges.stream()
                        .filter(each -> !each.areEqual())
                        .forEach(each -> output.print(String.format(
                                Locale.ROOT,
                                "%s  ids %d to %d: %d of %d rows differ, checksums %d and %d",
                                each.column(),
                                each.first(),
                                each.last(),
                                each.differing(),
                                each.rows(),
                                each.checksum(),
                                each.otherChecksum())));
                output.print(
                        ranges.isEmpty()
                                ? "nothing to compare: there are no two columns"
                                : (equal ? "equal: " : "different: ") + ranges.size() + " ranges with "
                                        + ranges.stream()
                                                .mapToLong(Comparison::rows)
                                                .sum() + " rows");
            }
            return equal ? ExitCodes.OK : ExitCodes.FOUND;
        }
    }

    /** Goes back. */
    @Command(
            name = "back",
            description =
                    "Makes all steps back. Fails if the way back has ended: after the one-way door, or if an id does"
                            + " not fit the old type. Repeat it after a failure: it continues.")
    static final class Back implements Runnable {
        @Mixin
        private ChangeOptions options = new ChangeOptions();

        @Override
        public void run() {
            options.run(Migration::back, "all steps are undone");
        }
    }
}
